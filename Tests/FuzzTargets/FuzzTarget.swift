// FuzzTargets: the entry points of the library that receive untrusted bytes, each as a function of bytes. libFuzzer
// calls them (Tests/Fuzz), and so does `CorpusTests` with the saved inputs.

public import Foundation

/// A fuzzed entry point.
public enum FuzzTarget: String, CaseIterable, Sendable {
    /// Names of dynamic finders and of options, with arguments of all types.
    case finders
    /// The text of criteria and of raw conditions.
    case criteria
    /// Whole database files.
    case files
    /// Values of single columns: strings, blobs of `Codable` values, elements of collections.
    case values
    /// Archives and property lists in files of SQLitePersistentObject.
    case archives
    /// Snapshots that are changed and merged, and ids as JSON.
    case snapshots
    /// Imported JSON files.
    case transfer
    /// Operations on objects, compared with a model.
    case operations
    #if Sync
        /// Batches and records that other devices wrote.
        case syncBatch = "sync-batch"
    #endif

    /// The inputs that are stored in the repository.
    ///
    /// - Throws: An error if the folder cannot be read.
    public func corpus() throws -> [URL] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fuzz/Corpus/\(rawValue)")
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .sorted { $0.path < $1.path }
    }
}

/// A defect that fuzzing has found.
public struct FuzzFinding: Error, CustomStringConvertible {
    /// The description of the defect.
    public let description: String

    init(_ description: String) { self.description = description }
}

/// A target with its store.
public struct FuzzRunner: Sendable {
    private let body: @Sendable ([UInt8]) throws -> Void

    /// Prepares a target.
    ///
    /// - Throws: An error if its store cannot be created.
    public init(_ target: FuzzTarget) throws {
        switch target {
        case .finders: body = try FinderTarget().run
        case .criteria: body = try CriteriaTarget().run
        case .files: body = try FileTarget().run
        case .values: body = try ValueTarget().run
        case .archives: body = try ArchiveTarget().run
        case .snapshots: body = try SnapshotTarget().run
        case .transfer: body = try TransferTarget().run
        case .operations: body = OperationTarget.run
        #if Sync
            case .syncBatch: body = SyncBatchTarget().run
        #endif
        }
    }

    /// Runs the target with some bytes. It must return for any bytes.
    ///
    /// - Throws: `FuzzFinding` if it finds a defect.
    public func run(_ bytes: [UInt8]) throws { try body(bytes) }
}
