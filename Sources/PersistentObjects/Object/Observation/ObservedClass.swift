// Observation: notifies observers of `@Observable` objects of the library's changes. It uses registrars and key paths,
// and must not determine the changes or the time of a notification.

internal import Observation

/// The observation support of an `Observable` class: whether an object is observed, and the notification of observers.
///
/// The library writes into fields and bypasses the setters that `@Observable` generates. Therefore it notifies the
/// registrars, which are stored in the objects.
class ObservedClass {
    /// The observation support of a class; nil for a class that is not `Observable`, or has no registrar.
    ///
    /// - Parameter boxes: The ordinals of the lazy properties and inverses.
    static func of(_ type: PersistentObject.Type, _ fields: [StoredField], boxes: [Int]) -> ObservedClass? {
        let registrars = fields.filter { $0.type == ObservationRegistrar.self && $0.isStrong }.map(\.offset)
        guard !registrars.isEmpty, let type = type as? any (Persistent & Observable).Type else { return nil }
        func make<Subject: Persistent & Observable>(_: Subject.Type) -> ObservedClass {
            TypedObservedClass<Subject>(registrars, boxes)
        }
        return make(type)
    }

    /// Whether the object has observers.
    func isObserved(_ object: PersistentObject) -> Bool { false }

    /// Notifies the observers of the changed key paths that `isMeant` accepts.
    func notify(_ object: PersistentObject, _ isMeant: (AnyKeyPath) -> Bool) {}

    /// The ordinal of the lazy property or inverse that a key path refers to.
    func link(of path: AnyKeyPath) -> Int? { nil }

    /// Called when a lazy property or inverse is read.
    func willRead(_ ordinal: Int, of object: PersistentObject) {}

    /// Called before the user assigns a lazy property or inverse.
    func willSet(_ ordinal: Int, of object: PersistentObject) {}

    /// Called after the user assigned a lazy property or inverse.
    func didSet(_ ordinal: Int, of object: PersistentObject) {}
}

private final class TypedObservedClass<Subject: Persistent & Observable>: ObservedClass {
    /// The offsets of an object's registrars: one for each class of a hierarchy that is marked `@Observable`.
    private let registrars: [Int]
    private let links: [(ordinal: Int, path: KeyPath<Subject, ObservedLink>)]
    private let knock: KeyPath<Subject, ObservedLink> = \Subject.[_knock: RegistrarKnock()]

    init(_ registrars: [Int], _ boxes: [Int]) {
        self.registrars = registrars
        links = boxes.map { ($0, \Subject.[_link: $0]) }
    }

    private func registrar(_ offset: Int, of object: PersistentObject) -> ObservationRegistrar {
        (ObjectMemory.start(of: object) + offset)[as: ObservationRegistrar.self]
    }

    override func isObserved(_ object: PersistentObject) -> Bool {
        guard ObservationCheck.isPassed else { return false }
        let subject = ObjectMemory.cast(object, to: Subject.self)
        return registrars.contains { offset in
            let before = RegistrarKnock.count
            registrar(offset, of: object).willSet(subject, keyPath: knock)
            return RegistrarKnock.count != before
        }
    }

    override func notify(_ object: PersistentObject, _ isMeant: (AnyKeyPath) -> Bool) {
        let subject = ObjectMemory.cast(object, to: Subject.self)
        for offset in registrars {
            let registrar = registrar(offset, of: object)
            for path in registrar.observedKeyPaths(of: subject) where isMeant(path) { registrar.notify(subject, path) }
        }
    }

    override func link(of path: AnyKeyPath) -> Int? {
        guard path is KeyPath<Subject, ObservedLink> else { return nil }
        return links.first { $0.path == path }?.ordinal
    }

    private func link(_ ordinal: Int) -> KeyPath<Subject, ObservedLink>? {
        links.first { $0.ordinal == ordinal }?.path
    }

    override func willRead(_ ordinal: Int, of object: PersistentObject) {
        guard let path = link(ordinal) else { return }
        registrar(registrars[0], of: object).access(ObjectMemory.cast(object, to: Subject.self), keyPath: path)
    }

    override func willSet(_ ordinal: Int, of object: PersistentObject) {
        guard let path = link(ordinal) else { return }
        registrar(registrars[0], of: object).willSet(ObjectMemory.cast(object, to: Subject.self), keyPath: path)
    }

    override func didSet(_ ordinal: Int, of object: PersistentObject) {
        guard let path = link(ordinal) else { return }
        registrar(registrars[0], of: object).didSet(ObjectMemory.cast(object, to: Subject.self), keyPath: path)
    }
}

extension ObservationRegistrar {
    /// The observed key paths of the object that owns the registrar.
    fileprivate func observedKeyPaths<Subject: Persistent & Observable>(of subject: Subject) -> [AnyKeyPath] {
        let look = RegistrarLook(self)
        // This key path has no observers, so the registrar only looks it up.
        willSet(subject, keyPath: \Subject.[_look: look])
        return look.keyPaths
    }

    /// Notifies the observers of a key path of its change.
    fileprivate func notify<Subject: Persistent>(_ subject: Subject, _ path: AnyKeyPath) {
        // The key path may start at a superclass.
        func withRoot<Root>(_ root: Root.Type) {
            guard let root = root as? any Observable.Type else { return }
            withObservable(root)
        }
        func withObservable<Root: Observable>(_ root: Root.Type) {
            func withValue<Value>(_: Value.Type) {
                guard let path = path as? KeyPath<Root, Value>, let subject = subject as? Root else { return }
                willSet(subject, keyPath: path)
                didSet(subject, keyPath: path)
            }
            _openExistential(type(of: path).valueType, do: withValue)
        }
        _openExistential(type(of: path).rootType, do: withRoot)
    }
}

/// Whether this system's registrars have the expected form, tested once on a registrar of the library.
enum ObservationCheck {
    static let isPassed = run()

    private final class Probe: Persistent, Observable {
        let registrar = ObservationRegistrar()
        var id: Int64? { nil }
        var observed: Int { 0 }
        var other: Int { 0 }
    }

    /// A registrar without observers must not look up a key path. A registrar with one observer must report exactly
    /// that observer's key path.
    private static func run() -> Bool {
        guard RegistrarMemory.way != nil else { return false }
        let probe = Probe()
        guard probe.registrar.observedKeyPaths(of: probe).isEmpty, !isNotified(probe) else { return false }
        withObservationTracking {
            probe.registrar.access(probe, keyPath: \.observed)
        } onChange: {
        }
        guard isNotified(probe), probe.registrar.observedKeyPaths(of: probe) == [\Probe.observed] else { return false }
        probe.registrar.notify(probe, \Probe.observed)
        return probe.registrar.observedKeyPaths(of: probe).isEmpty
    }

    private static func isNotified(_ probe: Probe) -> Bool {
        let before = RegistrarKnock.count
        probe.registrar.willSet(probe, keyPath: \Probe.[_knock: RegistrarKnock()])
        return RegistrarKnock.count != before
    }
}
