/// The results of a query, now and after each commit that changes them, for `for try await`.
///
/// ```swift
/// for try await people in Person.where { $0.age > 17 }.updates() { show(people.objects) }
/// ```
///
/// The objects belong to the session in which `updates()` was called, and to the caller's isolation. The query runs
/// again after each commit that may have changed its result: a commit that inserted or deleted rows, or changed columns
/// that the condition or the sort order reads. The change may come from a session of this process, raw SQL, a trigger,
/// a delete rule, or another process. An update is delivered if the result differs, or if objects in it changed.
/// Commits made while you handle an update become one update. Commits of other processes are noticed while this process
/// is idle, too; the system reports writes to the file.
///
/// It holds the objects of the last update. It ends when the task is cancelled, or the session or the store is closed.
public struct QueryUpdates<T: Persistent>: AsyncSequence {
    /// The results of the query, with their changes.
    public typealias Element = QueryUpdate<T>
    /// The error that running the query can throw.
    public typealias Failure = any Error

    let definition: QueryDefinition
    let session: Result<Session, any Error>

    /// Returns an iterator that starts with the current results.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(definition: definition, session: session) }

    /// An iterator over the updates.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let definition: QueryDefinition
        private let session: Result<Session, any Error>
        private var follower: QueryFollower?
        private var isDone = false

        fileprivate init(definition: QueryDefinition, session: Result<Session, any Error>) {
            self.definition = definition
            self.session = session
        }

        /// Returns the next update, or nil when the task is cancelled or the session has ended.
        ///
        /// Its objects belong to the caller's isolation.
        ///
        /// - Throws: The errors of `all()`; the sequence has ended then.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(any Error) -> QueryUpdate<T>? {
            guard !isDone else { return nil }
            do {
                let session = try session.get()
                guard let watch = follower?.watch else {
                    follower = try QueryFollower(definition, session)
                    return try follower?.first()
                }
                while let news = await watch.next(isolation: actor) {
                    guard !session.gate.hasEnded else { break }
                    if let update: QueryUpdate<T> = try follower?.update(news) { return update }
                }
            } catch {
                finish()
                throw error
            }
            finish()
            return nil
        }

        private mutating func finish() {
            isDone = true
            follower = nil
        }
    }
}

extension Query {
    /// Returns the query's results, now and after each commit that changes them. See ``QueryUpdates``.
    ///
    /// ```swift
    /// for try await people in Person.query.order(by: \.lastName).updates() { show(people.objects) }
    /// ```
    public func updates(isolation: isolated (any Actor)? = #isolation) -> QueryUpdates<T> {
        QueryUpdates(definition: definition, session: Result { try CurrentSession.session(for: definition.home) })
    }
}
