public import Foundation
public import PersistentObjects

// Export and import of objects.
extension Store {
    /// Writes all objects of a class and its subclasses to a file.
    ///
    /// The file shows one state of the store, sorted by id. It includes deleted objects of classes with `softDeletes`,
    /// and objects that a `defaultScope` hides. Each line contains the object's `json`; a line of a subclass also has
    /// the class name in `$class`. The file replaces an existing one when it is complete, and gets the permissions of
    /// the store's file.
    ///
    /// ```swift
    /// try store.export(Person.self, to: url, as: .jsonLines) { progress in print(progress.fractionCompleted) }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - url: The file to write.
    ///   - format: The format of the file.
    ///   - values: The form of encrypted properties.
    ///   - progress: A progress to update, in objects; cancelling it ends the export. If nil, the export creates one.
    ///   - report: A closure that is called with the progress about every 1,000 objects, and at the end.
    /// - Returns: The number of objects in the file.
    /// - Throws: `CancellationError` if the progress or the task is cancelled, `TransferError`, `StoreError` if a row
    ///   cannot be read, or with `.plain` cannot be decrypted, and errors of the file system. The file is then unchanged.
    /// - Complexity: One SELECT for the class and one for each collection; memory for one row.
    @discardableResult
    public func export<T: Persistent>(
        _ type: T.Type, to url: URL, as format: TransferFormat = .jsonLines, values: ExportedValues = .sealed,
        progress: Progress? = nil, _ report: ((Progress) -> Void)? = nil
    ) throws -> Int {
        try export([type.objectClass], to: url, as: format, values: values, progress: progress, report)
    }

    /// Writes all objects of some classes to one file.
    ///
    /// Each line has its class in `$class`. See `export(_:to:as:values:progress:_:)` for one class.
    ///
    /// ```swift
    /// try store.export([Person.self, Company.self], to: url)
    /// ```
    ///
    /// - Throws: The errors of the export of one class; `TransferError` also if one of the classes is a subclass of
    ///   another, and for several classes as CSV.
    @discardableResult
    public func export(
        _ types: [PersistentObject.Type], to url: URL, as format: TransferFormat = .jsonLines,
        values: ExportedValues = .sealed, progress: Progress? = nil, _ report: ((Progress) -> Void)? = nil
    ) throws -> Int {
        try withSession { session in
            try session.export(types, to: url, format, values, TransferMeter(progress, report, step: 1000))
        }
    }

    /// Reads the objects in a JSON or JSON Lines file into the store, in one transaction.
    ///
    /// The file has the format of `export`, or is other JSON with the same names. A property that the file does not
    /// name gets its initial value; in an update it keeps its value. If the table has had rows before, the ids of the
    /// file are offset, and its references with them; see `ImportedIDs`. References to classes that are not imported
    /// mean rows of the store. References may point forward and form cycles. In a class with keys, an object whose key
    /// exists updates its row; such objects are identified by their keys, and the store assigns their ids. Dates are
    /// kept: `createdAt` and `updatedAt` are set only if the file lacks them.
    ///
    /// Rows are written as they are, without `validate` and hooks. Objects of other sessions are refreshed by their
    /// next query.
    ///
    /// ```swift
    /// let report = try store.import(Person.self, from: url) { progress in
    ///     print(progress.fractionCompleted)
    /// } onError: { error in
    ///     .skip                                               // report.skipped has it, with the line
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - url: The file to read.
    ///   - ids: The treatment of the ids in the file.
    ///   - progress: A progress to update, in bytes of the file; cancelling it ends the import. If nil, the import
    ///     creates one.
    ///   - report: A closure that is called with the progress about every 64 KB, and at the end.
    ///   - onError: A closure that decides about each object that cannot be read or written. Without it, the first such
    ///     object ends the import.
    /// - Returns: A report of what was imported and what was skipped.
    /// - Throws: `TransferError` with line, class, property and value for an invalid object, and for a reference to an
    ///   object that is neither in the file nor in the store, which cannot be skipped. `CancellationError` if the
    ///   progress or the task is cancelled; `StoreError`. Nothing is imported then.
    /// - Complexity: Memory for some hundred objects, and for the keys that are referred to before their objects
    ///   appear.
    @discardableResult
    public func `import`<T: Persistent>(
        _ type: T.Type, from url: URL, ids: ImportedIDs = .fitting, progress: Progress? = nil,
        _ report: ((Progress) -> Void)? = nil, onError: ((TransferError) -> ImportDecision)? = nil
    ) throws -> TransferReport {
        try `import`(
            [type.objectClass], from: url, ids: ids, progress: progress, report, onError: onError)
    }

    /// Reads the objects of some classes from one file, where each object has its class in `$class`.
    ///
    /// See `import(_:from:ids:progress:_:onError:)` for one class.
    ///
    /// ```swift
    /// try store.import([Person.self, Company.self], from: url)
    /// ```
    @discardableResult
    public func `import`(
        _ types: [PersistentObject.Type], from url: URL, ids: ImportedIDs = .fitting, progress: Progress? = nil,
        _ report: ((Progress) -> Void)? = nil, onError: ((TransferError) -> ImportDecision)? = nil
    ) throws -> TransferReport {
        try withSession { session in
            try session.importObjects(types, from: url, ids, TransferMeter(progress, report, step: 1 << 16), onError)
        }
    }
}
