internal import StoreEngine

/// The storage of a `@Lazy` or `@Inverse` value, and its loading.
///
/// It is a class, because reading an unloaded property changes the storage, and a structure cannot change in a getter.
class LinkBox {
    enum State: UInt8 {
        /// The value is from the database, or was changed by the user.
        case loaded
        /// The user assigned the value before it was loaded.
        case assigned
        /// The value is in the database only.
        case unloaded
        /// An inverse: the baseline has the ids, and the objects are no longer held; see `HeldLinks`.
        case released

        /// Whether the value has to be loaded before it is read.
        @inline(__always)
        var isAway: Bool { rawValue >= State.unloaded.rawValue }
    }

    final var state = State.loaded
    /// The object that contains the box, unretained.
    ///
    /// Its `deinit` clears the reference, because `$photo` may outlive it.
    private final var borrowedOwner: Borrowed<PersistentObject>?
    final var owner: PersistentObject? {
        get { borrowedOwner?.object }
        set { borrowedOwner = newValue.map { Borrowed($0) } }
    }
    /// The ordinal of the property in the class map.
    final private(set) var ordinal: Int32 = 0
    /// How observers are notified if the owner's class is `Observable`; its class map retains it.
    private final var observed: Borrowed<ObservedClass>?
    /// The objects of the same fetch; nil for an object that was fetched alone.
    final var siblings: Siblings?
    /// The error of the last access, if it could not be loaded.
    final var problem: (any Error)?
    /// For a link that releases its objects: whether it was read since the last check.
    final var wasUsed = false
    /// For a link that releases its objects: whether objects were inserted and not removed again.
    final var isFilled = false
    /// For a released inverse with a condition: whether its objects may now differ from its ids.
    final var isStale = false
    /// Whether the user is editing the value in place, so that no other code may write it.
    final var isBeingEdited = false

    /// Attaches the box to an object, as the property at an ordinal of the class map.
    final func attach(to owner: PersistentObject, at ordinal: Int, _ observed: ObservedClass?) {
        self.owner = owner
        self.ordinal = Int32(ordinal)
        self.observed = observed.map { Borrowed($0) }
    }

    /// Moves the value out, so that it can be released elsewhere.
    func moveOut() -> AnyObject? { nil }

    /// Called before the owner's memory is freed.
    final func detach() -> AnyObject? {
        owner = nil
        siblings = nil
        state = .loaded
        return moveOut()
    }

    /// Loads the value, which `state` reports as not in memory.
    ///
    /// - Parameter isAccess: Whether the user only read or edited the property, which may be forbidden to run a
    ///   statement.
    final func load(onAccess isAccess: Bool = false) throws {
        if let owner, owner.lifecycle == .untracked {
            throw StoreError.untracked(owner, "and the property was not loaded with it. Name it in including(_:)")
        }
        guard let owner, let keeper = owner.keeper else {
            state = .loaded
            return
        }
        // The reference retains the owner, whose memory contains this box, while the session works on both.
        try withExtendedLifetime(owner) { try keeper.load(self, of: owner, onAccess: isAccess) }
    }

    /// The error that prevented loading a value that the user then edited in place: the stored value is missing from
    /// it.
    final var problemOfEdited: (any Error)? { state == .assigned ? problem : nil }

    fileprivate final func loadIfNeeded() {
        guard state.isAway else { return }
        do { try loadAgain(onAccess: true) } catch {}
    }

    /// Loads the value, and notifies observers if an earlier load failed, because they saw another value.
    fileprivate final func loadAgain(onAccess isAccess: Bool = false) throws {
        let hadProblem = problem != nil
        problem = nil
        do { try load(onAccess: isAccess) } catch {
            problem = error
            throw error
        }
        guard hadProblem, isObserved else { return }
        notify { $0.willSet($1, of: $2) }
        notify { $0.didSet($1, of: $2) }
    }

    /// Whether observers track its reads and writes.
    @inline(__always)
    fileprivate final var isObserved: Bool { observed != nil }

    @inline(never)
    fileprivate final func notify(_ call: (ObservedClass, Int, PersistentObject) -> Void) {
        guard let observed = observed?.object, let owner else { return }
        call(observed, Int(ordinal), owner)
    }
}

/// The box of a value.
final class ValueBox<Value>: LinkBox {
    /// The initial value while it is not loaded.
    var value: Value
    /// The value before it is loaded.
    let initial: Value

    init(_ value: Value) {
        self.value = value
        initial = value
    }

    /// The value as the user reads and writes it; the initial value if it cannot be loaded.
    var currentValue: Value {
        get {
            if state.isAway { loadIfNeeded() }
            if isObserved { notify { $0.willRead($1, of: $2) } }
            return value
        }
        _modify {
            if state.isAway { loadIfNeeded() }
            if isObserved { notify { $0.willSet($1, of: $2) } }
            willEdit()
            let wasBeingEdited = isBeingEdited
            isBeingEdited = true
            defer {
                isBeingEdited = wasBeingEdited
                if isObserved { notify { $0.didSet($1, of: $2) } }
            }
            yield &value
        }
        set {
            // A failed load is no longer relevant.
            problem = nil
            if isObserved { notify { $0.willSet($1, of: $2) } }
            willEdit()
            value = newValue
            if isObserved { notify { $0.didSet($1, of: $2) } }
        }
    }

    func loadedValue() throws -> Value {
        if isObserved { notify { $0.willRead($1, of: $2) } }
        if state.isAway { try loadAgain() }
        return value
    }

    /// Called before the user edits or replaces the value.
    private func willEdit() { if state.isAway { state = .assigned } }

    override func moveOut() -> AnyObject? {
        let taken = Holder(value)
        value = initial
        return taken
    }

    /// Holds the moved-out value until it is released.
    private final class Holder {
        let value: Value
        init(_ value: Value) { self.value = value }
    }
}

extension StoreError {
    /// The error for an operation that an untracked object does not support.
    static func untracked(_ object: PersistentObject, _ what: String) -> StoreError {
        StoreError(
            .misuse, "The object is untracked, \(what). Call find(id) to get an object that can be changed and saved",
            className: String(describing: type(of: object)), rowID: object.rowID)
    }
}
