/// The objects that a query finds, one after another, for `for try await`.
///
/// ```swift
/// for try await person in Person.query.stream() { try await upload(person.lastName) }
/// ```
///
/// The objects belong to the caller's isolation, like those of `all()`, and to the session in which `stream()` was
/// called. Other tasks can run between blocks of a hundred objects, which is also the number of objects that the stream
/// keeps.
///
/// The set of objects is determined when the first one is requested; objects deleted after that are left out.
public struct ObjectStream<T: Persistent>: AsyncSequence {
    let definition: QueryDefinition
    let session: Result<Session, any Error>

    /// Returns an iterator over the objects.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(definition: definition, session: session) }

    /// An iterator over the objects of a stream.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let definition: QueryDefinition
        let session: Result<Session, any Error>
        private var found: FoundObjects?
        /// The number of rows read.
        private var position = 0
        /// The objects read last, in reverse order, so that the next object is the last element.
        private var block: [T] = []
        private var isDone = false

        init(definition: QueryDefinition, session: Result<Session, any Error>) {
            self.definition = definition
            self.session = session
        }

        /// Returns the next object, or nil after the last one. It belongs to the caller's isolation.
        ///
        /// - Throws: `StoreError`, or `CancellationError` if the task was cancelled; the stream has ended then.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(any Error) -> T? {
            guard !isDone else { return nil }
            do {
                try Task.checkCancellation()
                while true {
                    while let object = block.popLast() {
                        if !object.isDeleted { return object }
                    }
                    guard try await readBlock(isolation: actor) else { break }
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
            found = nil
            block = []
        }

        /// False after the last object.
        private mutating func readBlock(isolation actor: isolated (any Actor)?) async throws -> Bool {
            let rows: FoundObjects
            if let found {
                rows = found
                await Task.yield()
                try Task.checkCancellation()
            } else {
                rows = try QueryCall(definition, "stream()").found(in: session.get())
                found = rows
            }
            guard position < rows.ids.count else { return false }
            let end = Swift.min(position + QueryBlock.size, rows.ids.count)
            block = try Array(rows.present(position..<end).reversed()).cast(to: T.self)
            position = end
            return true
        }
    }
}

extension Query {
    /// Returns a stream of the objects that the query finds, with a few in memory at a time.
    ///
    /// ```swift
    /// for try await person in Person.where { $0.age > 30 }.stream() { … }
    /// ```
    ///
    /// Nothing is read before the first object is requested. If the task is cancelled, the stream ends with
    /// `CancellationError`.
    public func stream(isolation: isolated (any Actor)? = #isolation) -> ObjectStream<T> {
        ObjectStream(
            definition: definition, session: Result { try CurrentSession.session(for: definition.home) })
    }
}
