/// The events of a class, an object or a store, for `for await`.
///
/// ```swift
/// for await event in Person.events { print(event) }
/// ```
///
/// The sequence begins when you create it, not when you wait for the first event, and ends when the store is closed or
/// the task is cancelled. Each subscriber creates its own sequence: two subscribers that iterate over the same one
/// share its events.
///
/// There is one event for each object and transaction, delivered after the commit, in the order of the commits of all
/// sessions of the process; a rollback sends no events. Up to 10,000 events are kept for a subscriber that does not
/// read them. Beyond that, the events of each object are combined. If more than 5,000 combined events remain, they
/// become a single event of the kind `unknown`.
public struct ChangeEvents<Object: Persistent>: AsyncSequence, Sendable {
    /// The effect of a commit on one object.
    public typealias Element = ChangeEvent<Object>
    /// The sequence never fails.
    public typealias Failure = Never

    /// Nil if there are no events to receive.
    let subscription: EventSubscription?

    init(_ subscription: EventSubscription?) { self.subscription = subscription }

    /// Returns an iterator over the events that were not read yet.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(subscription: subscription) }

    /// An iterator over events.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let subscription: EventSubscription?

        /// Returns the next event; nil when the store is closed or the task is cancelled.
        public mutating func next() async -> ChangeEvent<Object>? { await next(isolation: nil) }

        /// Returns the next event; nil when the store is closed or the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> ChangeEvent<Object>? {
            await subscription?.next(isolation: actor).map { ChangeEvent($0) }
        }
    }
}

extension Persistent {
    /// The events of this class and its subclasses, from now on. See ``ChangeEvents``.
    ///
    /// ```swift
    /// for await event in Person.events { print(event.kind, event.id?.value ?? 0) }
    /// ```
    ///
    /// The events come from the store that a `find` in the same place would query.
    public static var events: ChangeEvents<Self> {
        let type = ObjectMemory.objectClass(self)
        return ChangeEvents(EventSubscription(CurrentSession.store(for: type), .type(type)))
    }

    /// The events of this object, from now on. See ``ChangeEvents``.
    ///
    /// ```swift
    /// for await event in joe.events where event.kind == .deleted { close() }
    /// ```
    ///
    /// If the object has no row, or its session has ended, the sequence ends at once.
    public var events: ChangeEvents<Self> {
        let object = object
        guard object.lifecycle == .saved, let identity = object.identityMap, let session = identity.session
        else { return ChangeEvents(nil) }
        return ChangeEvents(
            EventSubscription(session.store, .object(root: identity.classMap.root, id: object.rowID)))
    }
}

extension Store {
    /// The events of objects of any class in this store, from now on. See ``ChangeEvents``.
    ///
    /// ```swift
    /// for await event in store.events { print(event) }
    /// ```
    public var events: ChangeEvents<PersistentObject> { ChangeEvents(EventSubscription(self, .all)) }
}
