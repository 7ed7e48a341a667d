// Integrity: checks whether a file matches its classes: the engine's checks, the library's rules, and every value. It
// uses class maps, codecs and tables, and must not create objects or write.

internal import StoreEngine

extension Store {
    /// Checks the integrity of the whole file, down to each value, and changes nothing.
    ///
    /// ```swift
    /// try store.prepare(Person.self, Company.self)
    /// let report = try store.checkIntegrity()
    /// for problem in report.problems { print(problem) }
    /// // Person.age #7: expected INTEGER, but the column holds TEXT
    /// ```
    ///
    /// The check covers the structure of the file and its indexes (SQLite's `integrity_check`) and all foreign keys.
    /// For each class that the store has used or prepared it covers tables and columns, every value of every row,
    /// including lazy properties and collections, references and the classes of the rows they refer to, elements
    /// without owners, unknown classes, keys, the id sequence, and the search index. Damage does not stop the check: it
    /// becomes a problem of the report.
    ///
    /// The check reads one state of the file while other sessions continue. For the search indexes it waits at its end
    /// for the write lock, because SQLite checks them with a write statement; the transaction is rolled back. The check
    /// creates no objects, but it decodes values, so `init(from:)` and similar code of your types is called.
    ///
    /// A server checks its own structure and enforces the foreign keys, so a store on a server checks the rows: their
    /// classes, values, encrypted values, references and collections.
    ///
    /// - Parameters:
    ///   - limit: The number of problems after which the check stops.
    ///   - progress: Called between the steps, and after some thousand rows; an error that it throws ends the check.
    /// - Complexity: Reads the whole file, with one row, or one set or dictionary, in memory.
    /// - Throws: The errors of `progress`; `CancellationError` if the task was cancelled; `StoreError` if nothing can
    ///   be checked, with codes such as `busy`, `inputOutput` or `sessionEnded`, but never for problems in the file.
    public func checkIntegrity(
        limit: Int = 100, progress: (IntegrityProgress) throws -> Void = { _ in }
    ) throws -> IntegrityReport {
        try maintaining { session in
            let upkeep = session.connection.capabilities.contains(.upkeep) ? try session.connection.upkeep() : nil
            return try withoutActuallyEscaping(progress) { progress in
                try IntegrityCheck(session, upkeep, limit: limit, progress).run()
            }
        }
    }
}
