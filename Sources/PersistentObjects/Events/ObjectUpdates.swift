/// One object, now and after each commit that changes it, for `for try await`.
///
/// See `Session.updates(of:)`.
public struct ObjectUpdates<T: Persistent>: AsyncSequence {
    /// The object and its changes.
    public typealias Element = ObjectUpdate<T>
    /// The error that reading the object can throw.
    public typealias Failure = any Error

    let object: T
    let session: Session

    /// Returns an iterator that starts with the object's current state.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(object: object, session: session) }

    /// An iterator over the updates.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let object: T
        private let session: Session
        private var subscription: EventSubscription?
        private var isDone = false

        fileprivate init(object: T, session: Session) {
            self.object = object
            self.session = session
        }

        /// Returns the next update, or nil when the sequence ends.
        ///
        /// It ends when the object is deleted, the task is cancelled, or the session has ended. The object belongs to
        /// the caller's isolation.
        ///
        /// - Throws: `StoreError` if the object cannot be read, and with the codes `misuse` and `otherSession` if it
        ///   has no row or belongs to another session; the sequence has ended then.
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

/// A refreshed object, and its changes since the previous update.
public struct ObjectUpdate<T: Persistent> {
    /// The object; its unsaved edits were kept.
    public let object: T
    /// Whether it is the first update, which has no changes.
    public let isFirst: Bool
    /// The names of the changed properties; nil if they are unknown.
    ///
    /// They are unknown if raw SQL, a trigger or another process changed the row.
    public let properties: [String]?
    /// Whether the object is deleted; no further update follows.
    public var isDeleted: Bool { object.isDeleted }
}

extension Session {
    /// Returns the updates of an object: its current state, and its state after each change.
    ///
    /// An update follows each commit, by any session of the process, that changes the object's row or its collections.
    /// The object is refreshed first; unsaved edits are kept. Several commits can be combined into one update. The
    /// sequence ends when the object is deleted, after an update whose `isDeleted` is true, when the task is cancelled,
    /// and when the session ends.
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
            try parts.checkOwns(object)
            return EventSubscription(
                store, .object(root: space.map.root, id: object.rowID), includesSilent: true, boundTo: self)
        }
    }

    /// Refreshes an object whose row may have changed. An object without a row is marked as deleted.
    fileprivate func readAgain(_ object: PersistentObject) throws {
        try enterToSave {
            guard object.lifecycle == .saved else { return }
            memory.markStale(object)
            try Fetch(self).reread([object])
        }
    }
}

extension BackgroundSession {
    /// Returns the updates of an object of this session. See `Session.updates(of:)`.
    public func updates<T: Persistent>(of object: T) -> ObjectUpdates<T> { box.session.updates(of: object) }
}
