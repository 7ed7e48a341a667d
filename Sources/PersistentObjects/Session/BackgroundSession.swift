public import StoreEngine

/// The session of `store.perform`, isolated to one of the store's queues.
///
/// Inside `perform` it is used without `await`. It blocks that queue instead of one of Swift's few shared threads.
public actor BackgroundSession {
    private let executor: StoreExecutor
    let box: SessionBox

    init(_ session: SessionBox, on executor: StoreExecutor) {
        box = session
        self.executor = executor
    }

    /// The queue's executor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Evicts an object from the session. See `Session.evict(_:)`.
    public func evict(_ object: some Persistent) { box.session.evict(object) }

    fileprivate func run<R: Sendable>(
        _ body: @Sendable (isolated BackgroundSession) async throws -> R
    ) async throws -> R {
        defer { box.session.end(isHere: true) }
        return try await CurrentSession.with(box.session, isolation: self) { try await body(self) }
    }
}

/// Opens sessions on the queue that uses them, because opening may have to wait for the disk.
private actor SessionOpener {
    private let executor: StoreExecutor

    init(on executor: StoreExecutor) { self.executor = executor }

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func perform<R: Sendable>(
        on store: Store, after token: WriteToken?, _ limit: TimeLimit?,
        _ body: @Sendable (isolated BackgroundSession) async throws -> R
    ) async throws -> R {
        let session = try Session(store, on: nil, after: token)
        session.gate.setLimit(limit)
        return try await BackgroundSession(SessionBox(session), on: executor).run(body)
    }
}

extension Store {
    /// Calls `body` with a new session on one of the store's queues, off the caller's thread.
    ///
    /// Objects cannot leave it, which the compiler checks; return values or `PersistentID`s.
    ///
    /// ```swift
    /// let names = try await store.perform { session in try Person.all().map(\.lastName) }
    /// ```
    ///
    /// The configuration's `concurrency` is the number of calls that run at once; further calls wait in the order in
    /// which they were made, without a thread. A nested call does not wait: if no slot is free, it uses the outer
    /// call's slot.
    ///
    /// - Parameters:
    ///   - token: The last write of another session, which the new session's queries see even if they go to a replica.
    ///   - timeout: A limit for the total time of its work with the session, including the wait for a slot; see
    ///     `Session.withTimeout(_:_:)`. Nil, the default, for no limit.
    ///   - body: The work.
    /// - Throws: The errors of `body`; `CancellationError` if the task is cancelled while it waits, or while a
    ///   statement runs, which is interrupted; `StoreError` with the code `timedOut` after the limit.
    public func perform<R: Sendable>(
        after token: WriteToken? = nil, timeout: Duration? = nil,
        _ body: @Sendable (isolated BackgroundSession) async throws -> R
    ) async throws -> R {
        let limit = timeout.map { TimeLimit($0) }
        return try await holdingPlace(limit) { executor in
            try await SessionOpener(on: executor).perform(on: self, after: token, limit, body)
        }
    }

    /// Calls `body` with a slot of `perform`, as soon as one is free and all earlier callers have theirs.
    ///
    /// A nested call does not wait: if no slot is free, it uses the outer call's slot.
    func holdingPlace<R>(
        _ limit: TimeLimit?, isolation: isolated (any Actor)? = #isolation,
        _ body: (StoreExecutor) async throws -> R
    ) async throws -> R {
        let outer = HeldPlace.current
        let around = outer?.innermost(of: performs)
        let free = performs.takeFree(of: concurrency)
        let (executor, isOwn) =
            if let free { (free, true) } else if let around { (around.executor, false) } else {
                (try await performs.take(of: concurrency, limit), true)
            }
        defer { if isOwn { performs.give(back: executor, of: concurrency) } }
        let held = HeldPlace(executor, of: performs, in: outer)
        defer { held.end() }
        return try await HeldPlace.$current.withValue(
            held, operation: { try await body(executor) }, isolation: isolation)
    }
}

extension BackgroundSession {
    /// The author of the session's changes. See `Session.author`.
    public var author: String? {
        get { box.session.author }
        set { box.session.author = newValue }
    }

    /// The position of the session's last commit. See `Session.lastWrite`.
    public var lastWrite: WriteToken? { box.session.lastWrite }
}
