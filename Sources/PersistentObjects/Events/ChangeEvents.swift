/// The events of a class, an object or a store, for `for await`.
///
/// ```swift
/// for await event in Person.events { print(event) }
/// ```
///
/// It begins when you ask for it, not when you wait for the first event, and
/// ends when the store is closed or the task cancelled. Each subscriber asks
/// for its own: two that iterate over the same one share its events.
///
/// There is one event for each object and transaction, after the commit, in
/// the order of the commits, whichever session of the process has committed;
/// and none for what was rolled back. Up to 10,000 events are kept for a subscriber
/// who does not read them. Beyond that they become one for each object; where
/// these are more than 5,000, one of the kind `unknown`.
public struct ChangeEvents<Object: Persistent>: AsyncSequence, Sendable {
    /// What a commit has done to one object.
    public typealias Element = ChangeEvent<Object>
    /// It never fails.
    public typealias Failure = Never

    /// Nil where there is nothing to hear of.
    let subscription: EventSubscription?

    init(_ subscription: EventSubscription?) { self.subscription = subscription }

    /// Goes through the events that nobody has read yet.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(subscription: subscription) }

    /// Goes through events.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let subscription: EventSubscription?

        /// The next event; nil when the store is closed or the task cancelled.
        public mutating func next() async -> ChangeEvent<Object>? { await next(isolation: nil) }

        /// The next event; nil when the store is closed or the task cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> ChangeEvent<Object>? {
            await subscription?.next(isolation: actor).map { ChangeEvent($0) }
        }
    }
}

extension Persistent {
    /// What commits do to objects of this class and its subclasses, from now on. See ``ChangeEvents``.
    ///
    /// ```swift
    /// for await event in Person.events { print(event.kind, event.id?.value ?? 0) }
    /// ```
    ///
    /// The events are those of the store that a `find` here would ask.
    public static var events: ChangeEvents<Self> {
        let type = ObjectMemory.objectClass(self)
        return ChangeEvents(EventSubscription(CurrentSession.store(for: type), .type(type)))
    }

    /// What commits do to this object, from now on. See ``ChangeEvents``.
    ///
    /// ```swift
    /// for await event in joe.events where event.kind == .deleted { close() }
    /// ```
    ///
    /// An object that has no row, or whose session has ended, has no events: the
    /// sequence ends at once.
    public var events: ChangeEvents<Self> {
        let object = object
        guard object.lifecycle == .saved, let identity = object.identityMap, let session = identity.session
        else { return ChangeEvents(nil) }
        return ChangeEvents(
            EventSubscription(session.store, .object(root: identity.classMap.root, id: object.rowID)))
    }
}

extension Store {
    /// What commits do to objects of any class in this store, from now on. See ``ChangeEvents``.
    ///
    /// ```swift
    /// for await event in store.events { print(event) }
    /// ```
    public var events: ChangeEvents<PersistentObject> { ChangeEvents(EventSubscription(self, .all)) }
}
