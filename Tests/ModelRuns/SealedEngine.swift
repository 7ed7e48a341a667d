internal import Foundation
package import StoreEngine

/// SQLite with encrypted files, for `PO_SEALED=1`. Stores in memory are not encrypted.
package struct SealedEngine: Engine {
    package init() {}

    /// Whether the environment specifies it.
    package static let isWanted = ProcessInfo.processInfo.environment["PO_SEALED"] == "1"

    package var name: String { SQLiteEngine().name }
    package var capabilities: Capabilities { SQLiteEngine().capabilities }

    package func connect(
        _ location: StoreLocation, options: ConnectionOptions, expecting expected: FileIdentity?
    ) throws(StoreError) -> any Connection {
        try SQLiteEngine().connect(
            location, options: SealedEngine.options(options, at: location), expecting: expected)
    }

    package func convert(_ location: StoreLocation, options: ConnectionOptions, to form: FileForm) throws {
        try SQLiteEngine().convert(location, options: SealedEngine.options(options, at: location), to: form)
    }

    /// The options of an encrypted file.
    package static func options(_ options: ConnectionOptions, at location: StoreLocation) -> ConnectionOptions {
        guard options.file.form == .plain, case .file = location else { return options }
        var options = options
        options.file.form = form
        return options
    }
}

#if Encryption
    internal import Sealing

    extension SealedEngine {
        /// The form of the files, with the key that `Tests/SealedTool` also has.
        package static let form: FileForm = {
            let key = (0..<32).map { UInt8($0 * 7 + 1) }
            // The current key exists, so that the call does not throw.
            return (try? KeyStore.closure(current: 1) { $0 == 1 ? key : nil }).map { .encrypted($0) } ?? .plain
        }()

        /// Chooses the engine for all stores that are opened later.
        package static func choose() { StandardEngine.choose(SealedEngine()) }
    }
#else
    extension SealedEngine {
        /// Without the trait, `choose` ends the process.
        package static let form = FileForm.plain

        package static func choose() { fatalError("build with --traits Encryption") }
    }
#endif
