public import PersistentObjects

extension Store {
    /// Copies all objects of some classes and their subclasses to another store.
    ///
    /// Each of the stores is a file or on a server.
    ///
    /// ```swift
    /// try file.copy([Person.self, Order.self], to: server) { progress in
    ///     print(progress.fractionCompleted)
    /// }
    /// ```
    ///
    /// Rows are copied as they are: ids, keys, deleted objects of classes with `softDeletes`, dates of writing, and the
    /// history. New objects get ids after the highest copied id. The copy has one state of the store, whatever other sessions write
    /// meanwhile. At the end, references are checked, and all rows of both stores are compared.
    ///
    /// Rows are written in parts of 10,000. If the copy is interrupted, call it again: it continues after the last part.
    /// A continued copy reads the store's state at the time of the last call. If copied rows have changed since the first
    /// call, the comparison at the end throws an error that names the first of them.
    ///
    /// No other program may use the target until the copy is complete. Indexes that are not unique are created at the end.
    ///
    /// - Parameters:
    ///   - types: The classes. Each class that the store contains must be listed, or be a subclass of a listed class.
    ///   - target: The store to copy to. It contains no objects of the classes, or a part of the same copy.
    ///   - left: The names of classes that are not copied.
    ///   - progress: Called after each part; an error that it throws ends the call, and is rethrown.
    /// - Returns: The number of objects.
    /// - Throws: `CopyError` with all reasons that the classes or their values cannot be copied, before the first row is
    ///   written; `CopyError` if the stores differ at the end; the errors of `progress`; `CancellationError` if the task
    ///   is cancelled; `StoreError`.
    /// - Complexity: Reads the store up to three times and the target once; memory for one part, at most 8 MB and one
    ///   object, and for 4 MB of each file.
    @discardableResult
    public func copy(
        _ types: [PersistentObject.Type], to target: Store, leaving left: Set<String> = [],
        _ progress: (TransferProgress) throws -> Void = { _ in }
    ) throws -> Int {
        try withoutActuallyEscaping(progress) { progress in
            try withSession { source in
                try target.withSession { target in
                    try StoreCopy(source, target, leaving: left, progress).run(types)
                }
            }
        }
    }
}

/// The progress of a copy of a store.
public struct TransferProgress: Sendable, Hashable {
    /// The class whose rows were copied or compared last.
    public let className: String
    /// The number of rows that are copied, with the rows of collections.
    public let copied: Int64
    /// The number of rows that are compared after they were copied.
    public let compared: Int64
    /// The number of rows to copy.
    public let total: Int64

    /// The fraction of the work that is done, from 0 to 1.
    public var fractionCompleted: Double { total > 0 ? min(1, Double(copied + compared) / Double(2 * total)) : 1 }
}
