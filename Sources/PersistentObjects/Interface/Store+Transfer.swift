public import Foundation

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
        try export([ObjectMemory.objectClass(type)], to: url, as: format, progress: progress, report)
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
}
