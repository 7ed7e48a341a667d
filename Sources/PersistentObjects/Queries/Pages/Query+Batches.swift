internal import StoreEngine

// Iterating over many objects with only a few in memory at a time.
extension Query {
    /// Calls `body` with all objects that the query finds, a batch at a time.
    ///
    /// ```swift
    /// try Person.query.forEachBatch(of: 500) { batch in
    ///     for person in batch { person.lastName = person.lastName.uppercased() }
    ///     try session.save(batch)
    /// }
    /// ```
    ///
    /// The set of objects and their order are determined at the start: each is passed once, whatever `body` changes.
    /// Objects deleted after that are left out; values are those stored when the object's batch is read.
    ///
    /// - Complexity: Memory for one batch of objects and all ids; one query for each batch.
    /// - Throws: The errors of `body`, which end the iteration; `StoreError`, with the code `misuse` for batches of
    ///   less than one object.
    public func forEachBatch(
        of size: Int, isolation: isolated (any Actor)? = #isolation, _ body: ([T]) throws -> Void
    ) throws {
        guard size > 0 else {
            throw StoreError(.misuse, "A batch must have a size of at least 1", className: "\(T.self)")
        }
        let found = try QueryCall(definition).found()
        for start in stride(from: 0, to: found.ids.count, by: size) {
            let end = start + Swift.min(size, found.ids.count - start)
            let batch = try found.present(start..<end).cast(to: T.self)
            if !batch.isEmpty { try body(batch) }
        }
    }

    /// Calls `body` with each object that the query finds.
    ///
    /// ```swift
    /// try Person.where { $0.photo != nil }.forEach { try export($0) }
    /// ```
    ///
    /// It works like `forEachBatch(of:)` with batches of 100; objects that `body` deleted are left out too.
    ///
    /// - Throws: The errors of `body`, which end the iteration; `StoreError`.
    public func forEach(isolation: isolated (any Actor)? = #isolation, _ body: (T) throws -> Void) throws {
        try forEachBatch(of: QueryBlock.size, isolation: isolation) { batch in
            for object in batch where !object.isDeleted { try body(object) }
        }
    }
}

enum QueryBlock {
    /// The default number of objects read at a time.
    static let size = 100
}
