public import Foundation
public import PersistentObjects

// What other libraries have stored.
extension Store {
    /// Converts a file of SQLitePersistentObject, the library of 2008, into this store, in one transaction.
    ///
    /// The file is only read. Classes and properties are found by their names,
    /// in which the case of letters and underscores do not count; what is named
    /// otherwise, `mapping` says. Rows get ids that follow those of the store,
    /// and references, also those in lists, lead to the same objects as before.
    /// Values are converted where that is exact: numbers and dates that are
    /// texts, `YES` and `NO`, archives of texts, numbers, dates, bytes and lists
    /// of them. A missing value is nil, or the initial value where the property
    /// is no optional.
    ///
    /// ```swift
    /// let report = try store.importSQLitePersistentObject(from: path, Person.self, Company.self) { problem in
    ///     print(problem)          // table person, row 7: Person.born: Expected a date, …
    /// }
    /// print(report)
    /// ```
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - types: The classes whose objects are made.
    ///   - mapping: What in the file is named otherwise than in the classes.
    ///   - progress: Is kept up to date, in rows; cancelling it ends the import.
    ///   - report: Is told, as it comes, of each row that is skipped and each
    ///     value that is left out; the answer has all of them.
    /// - Returns: what was converted, skipped and left out, columns without a
    ///   property, and properties without a column.
    /// - Throws: `StoreError` if the file cannot be read; `TransferError` if it
    ///   has no table for a class; `CancellationError`. Nothing is imported then.
    /// - Complexity: memory for some hundred rows.
    @discardableResult
    public func importSQLitePersistentObject(
        from path: String, _ types: PersistentObject.Type..., mapping: ForeignMapping = .init(),
        progress: Progress? = nil, _ report: ((TransferError) -> Void)? = nil
    ) throws -> TransferReport {
        try withSession { session in
            let meter = TransferMeter(progress, nil, step: 1000)
            return try session.importForeign(path, types, meter, report) { file, spaces in
                try LegacyFile(file, spaces, mapping)
            }
        }
    }

    /// Converts a SQLite file of Core Data's into this store, in one transaction.
    ///
    /// The file is only read, together with its log if that is beside it.
    /// Entities are found by the names of classes, attributes and relationships
    /// by those of properties; what is named otherwise, `mapping` says. Subentities
    /// become objects of the subclasses with their names. References and lists
    /// between many and many lead to the same objects as before, lists with an
    /// order keep it. Bytes that stand in files beside the store are read from
    /// there; archives as by `importSQLitePersistentObject`. A list that the
    /// file has as references of its elements is an `@Inverse` here, which is
    /// filled by these; for one that is an array, `mapping` names their column.
    ///
    /// ```swift
    /// let report = try store.importCoreData(from: "Model.sqlite", Person.self, Company.self, Tag.self)
    /// for problem in report.skipped + report.leftOut { print(problem) }
    /// ```
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - types: The classes whose objects are made.
    ///   - mapping: What in the file is named otherwise than in the classes.
    ///   - progress: Is kept up to date, in rows; cancelling it ends the import.
    ///   - report: Is told, as it comes, of each row that is skipped and each
    ///     value that is left out; the answer has all of them.
    /// - Returns: what was converted, skipped and left out, columns without a
    ///   property, and properties without a column.
    /// - Throws: `StoreError` if the file cannot be read; `TransferError` if it
    ///   is none of Core Data's, or has no entity for a class;
    ///   `CancellationError`. Nothing is imported then.
    /// - Complexity: memory for some hundred rows.
    @discardableResult
    public func importCoreData(
        from path: String, _ types: PersistentObject.Type..., mapping: ForeignMapping = .init(),
        progress: Progress? = nil, _ report: ((TransferError) -> Void)? = nil
    ) throws -> TransferReport {
        try withSession { session in
            let meter = TransferMeter(progress, nil, step: 1000)
            return try session.importForeign(path, types, meter, report) { file, spaces in
                try CoreDataFile(file, spaces, mapping, session)
            }
        }
    }
}
