public import Foundation
public import PersistentObjects

// Import of files of other libraries.
extension Store {
    /// Converts a file of SQLitePersistentObject, the library of 2008, into this store.
    ///
    /// The conversion is one transaction and only reads the file. Classes and properties are matched by name, ignoring
    /// case and underscores; `mapping` lists other names. Rows get ids above those of the store, and references, also
    /// those in lists, lead to the same objects as before. Values are converted if that is exact: numbers and dates
    /// stored as strings, `YES` and `NO`, archives of strings, numbers, dates, bytes and lists of these. A missing
    /// value becomes nil, or the initial value if the property is not optional.
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
    ///   - types: The classes to import.
    ///   - mapping: Names in the file that differ from those of the classes.
    ///   - progress: A progress to update, in rows; cancelling it ends the import.
    ///   - report: A closure that receives each skipped row and each omitted value as it occurs; the result has all of
    ///     them.
    /// - Returns: A report of what was converted, skipped and omitted, of columns without a property, and of properties
    ///   without a column.
    /// - Throws: `StoreError` if the file cannot be read; `TransferError` if it has no table for a class;
    ///   `CancellationError`. Nothing is imported then.
    /// - Complexity: Memory for some hundred rows.
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

    /// Converts an SQLite file of Core Data into this store.
    ///
    /// The conversion is one transaction and only reads the file, with its log if the log is in the same folder.
    /// Entities are matched with classes by name, attributes and relationships with properties; `mapping` lists other
    /// names. Subentities become objects of the subclasses with their names. References and many-to-many lists lead to
    /// the same objects as before, and ordered lists keep their order. External binary data is read from its files,
    /// archives as by `importSQLitePersistentObject`. A to-many relationship that the file stores as references of its
    /// elements is an `@Inverse` here, which these references fill; for one that is an array here, `mapping` names
    /// their column.
    ///
    /// ```swift
    /// let report = try store.importCoreData(from: "Model.sqlite", Person.self, Company.self, Tag.self)
    /// for problem in report.skipped + report.leftOut { print(problem) }
    /// ```
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - types: The classes to import.
    ///   - mapping: Names in the file that differ from those of the classes.
    ///   - progress: A progress to update, in rows; cancelling it ends the import.
    ///   - report: A closure that receives each skipped row and each omitted value as it occurs; the result has all of
    ///     them.
    /// - Returns: A report of what was converted, skipped and omitted, of columns without a property, and of properties
    ///   without a column.
    /// - Throws: `StoreError` if the file cannot be read; `TransferError` if it is not a Core Data file, or has no
    ///   entity for a class; `CancellationError`. Nothing is imported then.
    /// - Complexity: Memory for some hundred rows.
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
