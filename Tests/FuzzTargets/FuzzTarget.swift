// FuzzTargets: the entrances of the library through which bytes of strangers come, each as a function of bytes.
// libFuzzer calls them (Tests/Fuzz), and `CorpusTests` with what it has found.

public import Foundation

/// An entrance that is fuzzed.
public enum FuzzTarget: String, CaseIterable, Sendable {
    /// Names of finders, dynamic ones and those of options, with arguments of all types.
    case finders
    /// The text of criteria and of raw conditions.
    case criteria
    /// Whole database files.
    case files
    /// What single columns have: texts, blobs of `Codable` values, elements of collections.
    case values
    /// Archives and property lists in files of SQLitePersistentObject.
    case archives
    /// Snapshots that are set and merged, and ids as JSON.
    case snapshots
    /// Files of JSON that are imported.
    case transfer
    /// Operations on objects, beside a model.
    case operations

    /// The inputs that are kept in the repository.
    ///
    /// - Throws: where the folder cannot be read.
    public func corpus() throws -> [URL] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fuzz/Corpus/\(rawValue)")
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .sorted { $0.path < $1.path }
    }
}

/// What must not happen has happened.
public struct FuzzFinding: Error, CustomStringConvertible {
    /// What it is.
    public let description: String

    init(_ description: String) { self.description = description }
}

/// A target with the store that it works on.
public struct FuzzRunner: Sendable {
    private let body: @Sendable ([UInt8]) throws -> Void

    /// Gets a target ready.
    ///
    /// - Throws: where its store cannot be made.
    public init(_ target: FuzzTarget) throws {
        body =
            switch target {
            case .finders: try FinderTarget().run
            case .criteria: try CriteriaTarget().run
            case .files: try FileTarget().run
            case .values: try ValueTarget().run
            case .archives: try ArchiveTarget().run
            case .snapshots: try SnapshotTarget().run
            case .transfer: try TransferTarget().run
            case .operations: OperationTarget.run
            }
    }

    /// Gives it some bytes; whatever they are, this returns.
    ///
    /// - Throws: `FuzzFinding` where something happens that must not.
    public func run(_ bytes: [UInt8]) throws { try body(bytes) }
}
