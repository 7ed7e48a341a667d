@_spi(Locks) internal import StoreEngine

/// A value computed by queries, now and after each commit that changes it, for `for try await`.
///
/// ```swift
/// for try await count in Person.where { $0.age > 17 }.updates({ try $0.count() }) { show(count) }
/// ```
///
/// The closure is called in the session in which `updates` was called, on the caller's isolation: once at the start,
/// and after commits that wrote data that its statements read, which means inserted or deleted rows, and the columns
/// that the statements use. A value that equals the previous one is not delivered. Commits made while you handle a
/// value are combined.
///
/// Objects that the closure gets from elsewhere are not watched; if it fetches objects with references or collections,
/// it is called after each commit. It must not write.
///
/// The sequence ends when the task is cancelled, or the session or the store is closed.
public struct ValueUpdates<Value: Equatable>: AsyncSequence {
    /// The value.
    public typealias Element = Value
    /// The error that the closure can throw.
    public typealias Failure = any Error

    let session: Result<Session, any Error>
    /// Is called before the first value is computed, for work that is not part of it.
    let prepare: (Session) throws -> Void
    let answer: () throws -> Value

    /// Returns an iterator that starts with the current value.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(session: session, prepare: prepare, answer: answer)
    }

    /// An iterator over the values.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let session: Result<Session, any Error>
        private let prepare: (Session) throws -> Void
        private let answer: () throws -> Value
        private var watch: ReadsWatch?
        private var reads = KnownReads()
        private var last: Value?
        private var isDone = false

        fileprivate init(
            session: Result<Session, any Error>, prepare: @escaping (Session) throws -> Void,
            answer: @escaping () throws -> Value
        ) {
            self.session = session
            self.prepare = prepare
            self.answer = answer
        }

        /// Returns the next value that differs from the previous one, or nil when the sequence ends.
        ///
        /// It ends when the task is cancelled or the session has ended.
        ///
        /// - Throws: The errors of the closure; the sequence has ended then.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(any Error) -> Value? {
            guard !isDone else { return nil }
            do {
                let session = try session.get()
                guard let watch else {
                    try prepare(session)
                    let watch = ReadsWatch(session)
                    self.watch = watch
                    return try evaluate(session, watch)
                }
                while await watch.next(isolation: actor) {
                    guard !session.gate.hasEnded else { break }
                    let before = last
                    let value = try evaluate(session, watch)
                    if value != before { return value }
                }
            } catch {
                finish()
                throw error
            }
            finish()
            return nil
        }

        private mutating func evaluate(_ session: Session, _ watch: ReadsWatch) throws -> Value {
            // All commits count until the data that the statements read is known.
            watch.begin()
            let texts = StatementTexts()
            let listener = Session.StatementListener { texts.all.insert($0) }
            try session.add(listener)
            defer { session.remove(listener) }
            let value = try CurrentSession.with(session) { try answer() }
            try session.enter("updates", in: "query.") { try reads.add(texts.all, session) }
            watch.end(reads.reads)
            last = value
            return value
        }

        private mutating func finish() {
            isDone = true
            watch = nil
            last = nil
        }
    }
}

/// The statements that ran, without duplicates.
private final class StatementTexts {
    var all: Set<String> = []
}

/// The data read by all statements so far.
private struct KnownReads {
    private var texts: Set<String> = []
    private var known = QueryReads()

    /// A value computed without statements may depend on anything.
    var reads: QueryReads { known.isEmpty ? .all : known }

    mutating func add(_ new: Set<String>, _ session: Session) throws {
        for text in new where texts.insert(text).inserted && KnownReads.isSelect(text) {
            // It is the text of a statement that was just run.
            known.formUnion(try session.reads(ofFetched: SQL(RawSQL(text))))
        }
    }

    private static func isSelect(_ text: String) -> Bool {
        let start = text.drop { $0.isWhitespace || $0 == "(" }.prefix(6).lowercased()
        return start == "select" || start.hasPrefix("with")
    }
}

/// Waits for commits that write data on which the value depends. This data can differ for each value.
private final class ReadsWatch: Sendable {
    private final class Listener: CommitListener {
        let readsEvents = true
        let mailbox = Mailbox(false)
        let reads = Locked(QueryReads.all)

        func receive(_ summary: CommitSummary) {
            if reads.withLock({ $0.isTouched(by: summary) }) { mailbox.put { $0 = true } }
        }

        func finish() { mailbox.finish() }
    }

    private let hub: EventHub
    private let listener = Listener()

    init(_ session: Session) {
        hub = session.store.hub
        session.store.subscribe(listener, boundTo: session)
    }

    deinit { close() }

    func begin() { listener.reads.withLock { $0 = .all } }

    func end(_ reads: QueryReads) { listener.reads.withLock { $0 = reads } }

    private func close() {
        hub.remove(listener)
        listener.mailbox.close()
    }

    /// Waits for such a commit; returns false if the watch has ended or the task is cancelled.
    func next(isolation: isolated (any Actor)?) async -> Bool {
        await withTaskCancellationHandler(
            operation: { await listener.mailbox.next(isolation: isolation) { $0 ? Self.taken(&$0) : nil } ?? false },
            onCancel: { close() }, isolation: isolation)
    }

    private static func taken(_ isThere: inout Bool) -> Bool? {
        isThere = false
        return true
    }
}

extension Query {
    /// Returns a value computed from the query, now and after each commit that changes it.
    ///
    /// The closure can call any terminal methods of the query.
    ///
    /// ```swift
    /// for try await count in Person.where { $0.age > 17 }.updates({ try $0.count() }) { show(count) }
    /// for try await names in Person.query.updates({ try $0.values(of: \.lastName) }) { show(names) }
    /// ```
    ///
    /// An object equals itself regardless of its values. For objects, use `updates()` without a closure, which reports
    /// the changes in them. See ``ValueUpdates``.
    public func updates<Value: Equatable>(
        isolation: isolated (any Actor)? = #isolation, _ answer: @escaping (Query) throws -> Value
    ) -> ValueUpdates<Value> {
        let type = definition.type
        return ValueUpdates(
            session: Result { try CurrentSession.session(for: type) },
            // So that tables are created before the statements are recorded.
            prepare: { session in
                try session.enter("updates", of: type, in: "query.") { _ = try session.space(of: type) }
            },
            answer: { try answer(self) })
    }
}

extension Session {
    /// Returns a value computed from queries in this session, now and after each commit that changes it.
    ///
    /// ```swift
    /// for try await share in session.updates({ try Double(Person.where { $0.isActive }.count()) / Double(Person.count()) }) {
    ///     show(share)
    /// }
    /// ```
    ///
    /// Inside the closure, `Person.find…` and similar calls use this session. See ``ValueUpdates``.
    public func updates<Value: Equatable>(
        isolation: isolated (any Actor)? = #isolation, _ answer: @escaping () throws -> Value
    ) -> ValueUpdates<Value> { ValueUpdates(session: .success(self), prepare: { _ in }, answer: answer) }
}

extension BackgroundSession {
    /// Returns a value computed from queries in this session, now and after each commit that changes it.
    ///
    /// See `Session.updates(_:)`.
    public func updates<Value: Equatable>(_ answer: @escaping () throws -> Value) -> ValueUpdates<Value> {
        box.session.updates(answer)
    }
}
