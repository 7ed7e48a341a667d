internal import StoreEngine

/// What `@Lazy` and `@Inverse` keep a value in, and how it comes to be loaded.
///
/// A class, since reading a property that is not loaded yet changes it, and a
/// property wrapper that is a structure cannot change in a getter.
class LinkBox {
    enum State: UInt8 {
        /// The value is what the database has, or what the user made of it.
        case loaded
        /// The user has set the value without its being read.
        case assigned
        /// The value is in the database only.
        case unloaded
        /// Of an inverse: the baseline has the ids, and nobody keeps the objects; see `HeldLinks`.
        case released

        /// Whether the value has to be loaded before it is read.
        @inline(__always)
        var isAway: Bool { rawValue >= State.unloaded.rawValue }
    }

    final var state = State.loaded
    /// The object that has the box, unretained; its `deinit` clears it, since `$photo` may be kept for longer.
    private final var borrowedOwner: Borrowed<PersistentObject>?
    final var owner: PersistentObject? {
        get { borrowedOwner?.object }
        set { borrowedOwner = newValue.map { Borrowed($0) } }
    }
    /// The place of the property in the class map.
    final private(set) var place: Int32 = 0
    /// How observers are told, where the owner's class is `Observable`; its class map keeps it.
    private final var observed: Borrowed<ObservedClass>?
    /// The objects that came with the same fetch; nil for an object that came alone.
    final var siblings: Siblings?
    /// Why it could not be loaded at the last access.
    final var problem: (any Error)?
    /// Of a link that lets go: whether somebody has read it since it was last looked at.
    final var wasUsed = false
    /// The same: whether objects were put into it, and not taken out again.
    final var isFilled = false
    /// Of an inverse with a condition that is released: whether it may have others by now than its ids say.
    final var isStale = false
    /// Whether the user is in the middle of editing the value in place, so that nobody else may write it.
    final var isBeingEdited = false

    /// It belongs to an object: as the property at a place of the class map.
    final func attach(to owner: PersistentObject, at place: Int, _ observed: ObservedClass?) {
        self.owner = owner
        self.place = Int32(place)
        self.observed = observed.map { Borrowed($0) }
    }

    /// Takes the value out, so that it can be released elsewhere.
    func moveOut() -> AnyObject? { nil }

    /// The owner's memory goes.
    final func detach() -> AnyObject? {
        owner = nil
        siblings = nil
        state = .loaded
        return moveOut()
    }

    /// Loads the value, which `state` says is not there.
    ///
    /// - Parameter isAccess: Whether the user has only read or edited the property, which may not be to cost a
    ///   statement.
    final func load(onAccess isAccess: Bool = false) throws {
        if let owner, owner.lifecycle == .untracked {
            throw StoreError.untracked(owner, "and the property was not loaded with it. Name it in including(_:)")
        }
        guard let owner, let keeper = owner.keeper else {
            state = .loaded
            return
        }
        // The reference keeps the owner, in whose memory this box is, while the session works on both.
        try withExtendedLifetime(owner) { try keeper.load(self, of: owner, onAccess: isAccess) }
    }

    /// Why the value could not be loaded that the user has then edited in place: what the database has is not in it.
    final var problemOfEdited: (any Error)? { state == .assigned ? problem : nil }

    fileprivate final func loadIfNeeded() {
        guard state.isAway else { return }
        do { try loadAgain(onAccess: true) } catch {}
    }

    /// Loads it; who has seen that it could not be loaded before sees another value now.
    fileprivate final func loadAgain(onAccess isAccess: Bool = false) throws {
        let hadProblem = problem != nil
        problem = nil
        do { try load(onAccess: isAccess) } catch {
            problem = error
            throw error
        }
        guard hadProblem, isObserved else { return }
        tell { $0.willSet($1, of: $2) }
        tell { $0.didSet($1, of: $2) }
    }

    /// Whether its reading and setting are for observers too.
    @inline(__always)
    fileprivate final var isObserved: Bool { observed != nil }

    @inline(never)
    fileprivate final func tell(_ call: (ObservedClass, Int, PersistentObject) -> Void) {
        guard let observed = observed?.object, let owner else { return }
        call(observed, Int(place), owner)
    }
}

/// The box of a value.
final class ValueBox<Value>: LinkBox {
    /// While it is not loaded, the initial value.
    var value: Value
    /// What an object has before it is loaded.
    let initial: Value

    init(_ value: Value) {
        self.value = value
        initial = value
    }

    /// The value as the user reads and writes it; where it cannot be loaded, the initial one.
    var currentValue: Value {
        get {
            if state.isAway { loadIfNeeded() }
            if isObserved { tell { $0.willRead($1, of: $2) } }
            return value
        }
        _modify {
            if state.isAway { loadIfNeeded() }
            if isObserved { tell { $0.willSet($1, of: $2) } }
            willEdit()
            let wasBeingEdited = isBeingEdited
            isBeingEdited = true
            defer {
                isBeingEdited = wasBeingEdited
                if isObserved { tell { $0.didSet($1, of: $2) } }
            }
            yield &value
        }
        set {
            // It does not matter any more whether it could be loaded.
            problem = nil
            if isObserved { tell { $0.willSet($1, of: $2) } }
            willEdit()
            value = newValue
            if isObserved { tell { $0.didSet($1, of: $2) } }
        }
    }

    func loadedValue() throws -> Value {
        if isObserved { tell { $0.willRead($1, of: $2) } }
        if state.isAway { try loadAgain() }
        return value
    }

    /// The user edits the value or replaces it.
    private func willEdit() { if state.isAway { state = .assigned } }

    override func moveOut() -> AnyObject? {
        let taken = Holder(value)
        value = initial
        return taken
    }

    /// Keeps what was taken out until it is released.
    private final class Holder {
        let value: Value
        init(_ value: Value) { self.value = value }
    }
}

extension StoreError {
    /// What an untracked object refuses.
    static func untracked(_ object: PersistentObject, _ what: String) -> StoreError {
        StoreError(
            .misuse, "The object is untracked, \(what). Call find(id) to get an object that can be changed and saved",
            className: String(describing: type(of: object)), rowID: object.rowID)
    }
}
