internal import Foundation
public import PersistentObjects
internal import StoreEngine

extension Store {
    /// Copies all classes of the store to a new store file.
    ///
    /// It is the backup of a store on a server, where `backup(to:)` cannot copy pages of a file. It also works for files.
    ///
    /// ```swift
    /// let server = try Store("postgres://app@db.example.org/shop")
    /// try server.backupClasses(to: "shop.sqlite") { progress in
    ///     print(progress.fractionCompleted)
    /// }
    /// ```
    ///
    /// The store records its classes, and this call finds them in the program by their names. The file contains what
    /// `copy(_:to:leaving:_:)` copies, in one state of the store: rows as they are, and the history. It is compared with the
    /// store, and then appears at its path in one step, as one file without a log. If the call throws, or the program ends,
    /// an existing file at the path is unchanged. Only a program that ends leaves a partial file
    /// (`shop.sqlite.copy-…`), which can be deleted. A backup cannot be continued; call it again.
    ///
    /// - Parameters:
    ///   - path: The path of the file; its folder must exist.
    ///   - left: The names of classes that are not copied.
    ///   - replacing: Whether an existing database is replaced, under the rules of `backup(to:)`.
    ///   - configuration: The configuration of the file, such as its encryption and its permissions.
    ///   - progress: Called after each part; an error that it throws ends the call, and is rethrown.
    /// - Returns: The number of objects.
    /// - Throws: `CopyError` if the program does not have a class that the store records, or a class cannot be copied;
    ///   `StoreError` with the codes `misuse` if the path is taken, and `busy` if the existing file is in use; the errors of
    ///   `copy(_:to:leaving:_:)`.
    /// - Complexity: That of `copy(_:to:leaving:_:)`. Until the file is complete, it takes twice its space.
    @discardableResult
    public func backupClasses(
        to path: String, leaving left: Set<String> = [], replacing: Bool = false,
        configuration: Configuration = Configuration(), _ progress: (TransferProgress) throws -> Void = { _ in }
    ) throws -> Int {
        // The rules for the path are checked again when the file is complete.
        guard replacing || !FileManager.default.fileExists(atPath: path) else {
            throw StoreError(
                .misuse, "\(path) already exists. Choose another path, or pass replacing: true to replace it")
        }
        let types = try recordedClasses(leaving: left)
        let partial = "\(path).copy-\(String(UInt64.random(in: .min ... .max), radix: 36))"
        defer {
            for end in ["", "-journal", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: partial + end) }
        }
        var settings = configuration
        // Only the complete file is synchronized, because a crash makes a partial file useless.
        (settings.journal, settings.durability, settings.isReadOnly) = (.rollback, .relaxed, false)
        let file = try Store(partial, configuration: settings)
        defer { file.close() }
        let count = try copy(types, to: file, leaving: left, progress)
        try file.backup(to: path, replacing: replacing)
        return count
    }

    /// The topmost classes of all tables that the store records.
    private func recordedClasses(leaving left: Set<String>) throws -> [PersistentObject.Type] {
        let names = try withSession { session in
            try session.enter { try CopyPlan.recorded(session).map(\.name) }
        }
        var types: [PersistentObject.Type] = []
        var problems: [TransferError] = []
        for name in names where !left.contains(name) {
            guard let type = programClass(named: name) else {
                problems.append(
                    TransferError(
                        "The store contains this class, and the program has no class or several classes with this name. "
                            + "Add the class, or prepare it if it was renamed, or pass leaving: [\"\(name)\"]",
                        className: name))
                continue
            }
            let root = try ClassMap.map(of: type).root
            if !types.contains(where: { $0 == root }) { types.append(root) }
        }
        guard problems.isEmpty else { throw CopyError(problems) }
        guard !types.isEmpty else {
            throw CopyError([TransferError("The store contains no class. Nothing was copied")])
        }
        return types
    }
}
