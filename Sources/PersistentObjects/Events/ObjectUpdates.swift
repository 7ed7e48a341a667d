/// One object, now and after each commit that has changed it, for `for try await`.
///
/// See `Session.updates(of:)`.
public struct ObjectUpdates<T: Persistent>: AsyncSequence {
    /// The object, and what is different.
    public typealias Element = ObjectUpdate<T>
    /// What reading the object can throw.
    public typealias Failure = any Error

    let object: T
    let session: Session

    /// Begins anew: the first update is what the object is now.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(object: object, session: session) }

    /// Goes through the updates.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let object: T
        private let session: Session
        private var subscription: EventSubscription?
        private var isDone = false

        fileprivate init(object: T, session: Session) {
            self.object = object
            self.session = session
        }

        /// The next update; nil when the object is deleted, the task cancelled or the session has ended. The object
        /// belongs to the caller's isolation.
        ///
        /// - Throws: `StoreError` if the object cannot be read, and with the
        ///   codes `misuse` and `otherSession` if it has no row or is another
        ///   session's; the sequence has ended then.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(any Error) -> ObjectUpdate<T>? {
            guard !isDone else { return nil }
            do {
                guard let subscription else { return try first() }
                if let events = await subscription.nextAll(isolation: actor), !session.gate.hasEnded {
                    try session.readAgain(object.object)
                    isDone = object.isDeleted
                    let names = events.allSatisfy { $0.kind == .updated } ? events.compactMap(\.properties) : []
                    return ObjectUpdate(
                        object: object, isFirst: false,
                        properties: names.count == events.count ? names.flatMap { $0 } : isDone ? [] : nil)
                }
            } catch {
                isDone = true
                throw error
            }
            isDone = true
            return nil
        }

        private mutating func first() throws -> ObjectUpdate<T> {
            subscription = try session.subscription(to: object.object)
            try session.readAgain(object.object)
            isDone = object.isDeleted
            return ObjectUpdate(object: object, isFirst: true, properties: [])
        }
    }
}

/// An object that is up to date, and what is different from the time before.
public struct ObjectUpdate<T: Persistent> {
    /// The object; unsaved edits of it have stayed.
    public let object: T
    /// Whether it is the first one, which differs from nothing.
    public let isFirst: Bool
    /// The names of the properties that have changed; nil if they are not known, since SQL of your own, a trigger or
    /// another process has changed the row.
    public let properties: [String]?
    /// Whether the object is deleted; no update follows.
    public var isDeleted: Bool { object.isDeleted }
}

extension Session {
    /// An object of this session, now and after each commit that has changed its row or its collections, by whichever
    /// session of the process.
    ///
    /// It is brought up to date first; unsaved edits stay. Many commits become
    /// one update. It ends when the object is deleted, with an update that says
    /// so, when the task is cancelled, and when the session ends.
    ///
    /// ```swift
    /// for try await update in session.updates(of: joe) {
    ///     if update.isDeleted { close() } else { show(joe.lastName, update.properties) }
    /// }
    /// ```
    public func updates<T: Persistent>(of object: T, isolation: isolated (any Actor)? = #isolation) -> ObjectUpdates<T>
    {
        ObjectUpdates(object: object, session: self)
    }

    /// A subscription that ends with the session.
    fileprivate func subscription(to object: PersistentObject) throws -> EventSubscription {
        try enter {
            let space = try space(of: object)
            guard object.lifecycle == .saved else {
                throw StoreError(
                    .misuse, "The object has no row, so it cannot be observed. Save it first",
                    className: space.map.name)
            }
            try checkOwns(object)
            return EventSubscription(
                store, .object(root: space.map.root, id: object.rowID), hearsSilent: true, boundTo: self)
        }
    }

    /// Brings an object up to date whose row may have changed; one without a row becomes a deleted one.
    fileprivate func readAgain(_ object: PersistentObject) throws {
        try enterToSave {
            guard object.lifecycle == .saved else { return }
            memory.markStale(object)
            try Fetch(self).reread([object])
        }
    }
}

extension BackgroundSession {
    /// An object of this session, now and after each commit that has changed it. See `Session.updates(of:)`.
    public func updates<T: Persistent>(of object: T) -> ObjectUpdates<T> { box.session.updates(of: object) }
}
