/// What a query finds, now and after each commit that changes it, for `for try await`.
///
/// ```swift
/// for try await people in Person.where { $0.age > 17 }.updates() { show(people.objects) }
/// ```
///
/// The objects belong to the session in which `updates()` was called, and to the
/// caller's isolation. The query is asked again after commits that may have
/// changed what it finds, by whichever session of the process, by SQL of your
/// own, by triggers and delete rules: new rows and those that go, and new values
/// of the columns that its condition and its order read. What it finds is given
/// where it is different, or where objects in it have changed. Commits that come
/// while you are busy become one update. Commits of other processes are noticed
/// when a session of this one reads or writes next.
///
/// It ends when the task is cancelled, or the session or the store is closed.
public struct QueryUpdates<T: Persistent>: AsyncSequence {
    /// What the query finds.
    public typealias Element = QueryUpdate<T>
    /// What asking the query can throw.
    public typealias Failure = any Error

    let definition: QueryDefinition
    let session: Result<Session, any Error>

    /// Begins anew: the first update is what is found now.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(definition: definition, session: session) }

    /// Goes through the updates.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let definition: QueryDefinition
        private let session: Result<Session, any Error>
        private var follower: QueryFollower?
        private var isDone = false

        fileprivate init(definition: QueryDefinition, session: Result<Session, any Error>) {
            self.definition = definition
            self.session = session
        }

        /// The next update; nil when the task is cancelled or the session has ended. Its objects belong to the caller's
        /// isolation.
        ///
        /// - Throws: what `all()` throws; the sequence has ended then.
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
    /// What the query finds, now and after each commit that changes it. See ``QueryUpdates``.
    ///
    /// ```swift
    /// for try await people in Person.query.order(by: \.lastName).updates() { show(people.objects) }
    /// ```
    public func updates(isolation: isolated (any Actor)? = #isolation) -> QueryUpdates<T> {
        QueryUpdates(definition: definition, session: Result { try CurrentSession.session(for: definition.home) })
    }
}
