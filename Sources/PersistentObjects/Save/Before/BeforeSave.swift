// Before: the steps before the first row of a save: hooks, validation, dates and version counts. It may run any user
// code, and must restore the objects if the save fails.

internal import StoreEngine

/// The steps before a save writes: the hooks of its objects, then their validation.
///
/// Both run user code, which may change these objects and create further objects. The objects to save are determined
/// again after each round, until a round finds no new objects. A hook is called once for each object.
struct BeforeSave {
    private let session: SessionParts
    private let options: SaveOptions
    /// The objects whose hooks were called. They are retained, because a new object could reuse a released object's
    /// address.
    private var called: [ObjectIdentifier: PersistentObject] = [:]
    private var validated: [ObjectIdentifier: PersistentObject] = [:]
    private var validation: Validation

    /// The maximum number of rounds. If there are more, hooks keep creating objects.
    private static let limit = 100

    init(_ session: SessionParts, _ options: SaveOptions) {
        self.session = session
        self.options = options
        validation = Validation(session)
    }

    /// Runs the steps for all objects of a save, and returns the work to write.
    ///
    /// - Parameter look: Determines the objects to save again.
    mutating func run(_ first: SaveWork, _ look: () throws -> SaveWork) throws -> SaveWork {
        var work = first
        for _ in 0..<BeforeSave.limit {
            guard try callHooks(work.walk.validated) || validate(work.walk.validated) else {
                try work.finish(session)
                try validation.finish(work.plan)
                return work
            }
            work = try look()
        }
        throw StoreError(
            .misuse,
            "The save's hooks keep creating objects after \(BeforeSave.limit) rounds. Nothing was saved. The last "
                + "one is a "
                + String(describing: work.walk.hooked.last.map { type(of: $0) } ?? PersistentObject.self))
    }

    /// Calls the hooks of objects to write whose hooks were not called yet; returns false if there are no such objects.
    private mutating func callHooks(_ objects: [PersistentObject]) throws -> Bool {
        guard !options.flags.contains(.withoutHooks) else { return false }
        var hasCalled = false
        for object in objects {
            guard called[ObjectIdentifier(object)] == nil else { continue }
            let map = try session.space(of: object).map
            guard !map.hooks.isDisjoint(with: [.willSave, .willInsert, .willUpdate]), map.isToBeSaved(object)
            else { continue }
            called[ObjectIdentifier(object)] = object
            hasCalled = true
            if map.hooks.contains(.willSave) { try object.willSave() }
            if object.lifecycle == .new {
                if map.hooks.contains(.willInsert) { try object.willInsert() }
            } else if map.hooks.contains(.willUpdate) {
                try object.willUpdate()
            }
        }
        return hasCalled
    }

    private mutating func validate(_ objects: [PersistentObject]) throws -> Bool {
        guard !options.flags.contains(.withoutValidation) else { return false }
        var hasValidated = false
        for object in objects {
            guard validated[ObjectIdentifier(object)] == nil else { continue }
            let map = try session.space(of: object).map
            guard map.hooks.contains(.validate), map.isToBeSaved(object) else { continue }
            validated[ObjectIdentifier(object)] = object
            hasValidated = true
            try validation.validate(object, map)
        }
        return hasValidated
    }
}

extension ClassMap {
    /// Whether a save that reaches the object writes anything of it.
    func isToBeSaved(_ object: PersistentObject) -> Bool {
        guard object.lifecycle == .saved else { return object.lifecycle == .new }
        guard let block = object.baseline else { return false }
        return !changesToSave(ObjectMemory.start(of: object), block).isEmpty
    }
}
