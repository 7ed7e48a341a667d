public import Foundation
public import PersistentObjects

// Objects out of a store and into one.
extension Store {
    /// Writes all objects of a class, and of its subclasses, into a file.
    ///
    /// They are those of one moment, deleted ones of classes with `softDeletes`
    /// and what a `defaultScope` leaves out among them, in the order of their
    /// ids. A line has what `json` of the object has; one of a subclass has the
    /// class's name in `$class`. The file replaces another when it is complete,
    /// and has the permissions of the store's.
    ///
    /// ```swift
    /// try store.export(Person.self, to: url, as: .jsonLines) { progress in print(progress.fractionCompleted) }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - url: The file.
    ///   - format: What is written.
    ///   - progress: Is kept up to date, in objects; cancelling it ends the
    ///     export. One of its own where none is given.
    ///   - report: Is called with it about every 1,000 objects, and at the end.
    /// - Returns: how many objects there are in the file.
    /// - Throws: `CancellationError` if the progress or the task is cancelled,
    ///   `TransferError`, `StoreError` if a row cannot be read, and what the
    ///   file system says. The file is then as it was before.
    /// - Complexity: one SELECT for the class and one for each collection;
    ///   memory for one row.
    @discardableResult
    public func export<T: Persistent>(
        _ type: T.Type, to url: URL, as format: TransferFormat = .jsonLines, progress: Progress? = nil,
        _ report: ((Progress) -> Void)? = nil
    ) throws -> Int {
        try export([T.objectClass], to: url, as: format, progress: progress, report)
    }

    /// Writes all objects of some classes into one file; each says its class in `$class`. See `export(_:to:as:progress:_:)`
    /// of one class.
    ///
    /// ```swift
    /// try store.export([Person.self, Company.self], to: url)
    /// ```
    ///
    /// - Throws: as for one class; `TransferError` too where one of the classes
    ///   is a subclass of another, and for several classes as CSV.
    @discardableResult
    public func export(
        _ types: [PersistentObject.Type], to url: URL, as format: TransferFormat = .jsonLines,
        progress: Progress? = nil, _ report: ((Progress) -> Void)? = nil
    ) throws -> Int {
        try withSession { session in
            try session.export(types, to: url, format, TransferMeter(progress, report, step: 1000))
        }
    }

    /// Reads the objects in a JSON or JSON Lines file into the store, in one transaction: all, or where it throws none.
    ///
    /// The file has what `export` writes, or JSON of other origin with the same
    /// names. What an object does not name has its initial value, in an update
    /// the value that it has. Ids move up where the table had rows before, and
    /// references with them (see `ImportedIDs`); what the file refers to of
    /// classes that are not imported are rows of the store. References may lead
    /// forward and in rings. An object of a class with keys whose key is there
    /// updates the row; such objects are known by their keys, and get ids of the
    /// store's. Dates are kept: `createdAt` and `updatedAt` are set where the
    /// file has none.
    ///
    /// Rows are written as they are: `validate` and hooks are not called.
    /// Objects of other sessions follow at their next query.
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
    ///   - url: The file.
    ///   - ids: What becomes of the ids in the file.
    ///   - progress: Is kept up to date, in bytes of the file; cancelling it
    ///     ends the import. One of its own where none is given.
    ///   - report: Is called with it about every 64 KB, and at the end.
    ///   - onError: Is asked about each object that cannot be read or written.
    ///     Without it the first ends the import.
    /// - Returns: what was imported, and what was skipped.
    /// - Throws: `TransferError` with line, class, property and value for an
    ///   object that is wrong; for a reference to what is neither in the file
    ///   nor in the store, too, which cannot be skipped. `CancellationError` if
    ///   the progress or the task is cancelled; `StoreError`. Nothing is
    ///   imported then.
    /// - Complexity: memory for some hundred objects, and for the keys that are
    ///   referred to before their objects have come.
    @discardableResult
    public func `import`<T: Persistent>(
        _ type: T.Type, from url: URL, ids: ImportedIDs = .fitting, progress: Progress? = nil,
        _ report: ((Progress) -> Void)? = nil, onError: ((TransferError) -> ImportDecision)? = nil
    ) throws -> TransferReport {
        try `import`(
            [T.objectClass], from: url, ids: ids, progress: progress, report, onError: onError)
    }

    /// Reads the objects of some classes from one file, where each says its class in `$class`. See
    /// `import(_:from:ids:progress:_:onError:)` of one class.
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
