// Integrity: whether a file holds what its classes say: the engine's own checks, the library's rules, and every value.
// It knows class maps, codecs and tables, must make no objects, and must never write.

internal import StoreEngine

extension Store {
    /// Looks for everything in the file that is not as it should be, and changes nothing.
    ///
    /// ```swift
    /// try store.prepare(Person.self, Company.self)
    /// let report = try store.checkIntegrity()
    /// for problem in report.problems { print(problem) }
    /// // Person.age #7: INTEGER is wanted, the column holds TEXT
    /// ```
    ///
    /// It looks at the structure of the file and its indexes (SQLite's
    /// `integrity_check`) and at all foreign keys; and for each class that the
    /// store has used or prepared: tables and columns, every value of every
    /// row, lazy ones and those of collections included, references and the
    /// classes that they lead to, elements without owners, unknown classes,
    /// keys, the sequence of ids, and the index of a search. Nothing stops it:
    /// damage that it meets is a problem of the report.
    ///
    /// It reads one state of the file while others go on. For the search
    /// indexes it asks, at its end, for its turn to write, since SQLite
    /// checks them by a statement of that kind; the transaction is rolled back.
    /// It makes no objects, but decodes values, so `init(from:)` and the like of your types are called.
    ///
    /// - Parameters:
    ///   - limit: How many problems are enough.
    ///   - progress: Is called between the steps, and after some thousand rows; what it throws ends the check.
    /// - Complexity: reads the whole file, in memory for one row, or for one set or dictionary.
    /// - Throws: what `progress` throws; `CancellationError` if the task was cancelled; `StoreError` where nothing can
    ///   be checked: `busy`, `inputOutput`, `sessionEnded` and others, but never for what is wrong in the file.
    public func checkIntegrity(
        limit: Int = 100, progress: (IntegrityProgress) throws -> Void = { _ in }
    ) throws -> IntegrityReport {
        try caring { session, upkeep in
            try withoutActuallyEscaping(progress) { progress in
                try IntegrityCheck(session, upkeep, limit: limit, progress).run()
            }
        }
    }
}
