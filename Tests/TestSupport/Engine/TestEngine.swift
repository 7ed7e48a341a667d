internal import Foundation
internal import ModelRuns
package import StoreEngine
public import Testing

/// The engine of this run of the tests.
public enum TestEngine {
    /// Whether stores are schemas of a PostgreSQL server, because of `PO_TEST_ENGINE=postgres`.
    public static let isPostgres = ProcessInfo.processInfo.environment["PO_TEST_ENGINE"] == "postgres"
    /// Whether the files of stores are encrypted, because of `PO_SEALED=1`.
    public static var isSealed: Bool { SealedEngine.isWanted }

    /// Options for a connection that a test opens without a store.
    package static func options(_ options: ConnectionOptions, at location: StoreLocation) -> ConnectionOptions {
        isSealed ? SealedEngine.options(options, at: location) : options
    }
}

/// Chooses the engine for `PO_SEALED=1`. It is called before the first test.
@_cdecl("po_choose_sealed_engine")
public func chooseSealedEngine() { SealedEngine.choose() }

/// A server with a certificate for the name `db.example.test`, at 127.0.0.1.
public enum SecureServer {
    /// The address of the server by a name, with further settings.
    public static func address(name: String = "db.example.test", _ settings: String = "") -> String {
        "postgres://po@\(name):\(PostgresServer.secure.port)/postgres?hostaddr=127.0.0.1&\(settings)"
    }

    /// The setting that names the authority of its certificate.
    public static var authority: String { "sslrootcert=\(PostgresServer.secure.authority)" }
}

extension Trait where Self == ConditionTrait {
    /// Enables a test only for stores in SQLite files; `reason` is the reason.
    ///
    /// ```swift
    /// @Test("a file that is cut short is refused", .onSQLite("the store's file is damaged"))
    /// ```
    public static func onSQLite(_ reason: Comment, sourceLocation: SourceLocation = #_sourceLocation) -> Self {
        .enabled(if: !TestEngine.isPostgres, reason, sourceLocation: sourceLocation)
    }

    /// Enables a test only for files that are not encrypted; `reason` is the reason.
    ///
    /// ```swift
    /// @Test("a changed byte of a string is returned", .onPlainFiles("encryption notices changed bytes"))
    /// ```
    public static func onPlainFiles(_ reason: Comment, sourceLocation: SourceLocation = #_sourceLocation) -> Self {
        .enabled(if: !TestEngine.isSealed, reason, sourceLocation: sourceLocation)
    }

    /// Enables a test only for stores on a PostgreSQL server; `reason` is the reason.
    public static func onPostgres(_ reason: Comment, sourceLocation: SourceLocation = #_sourceLocation) -> Self {
        .enabled(if: TestEngine.isPostgres, reason, sourceLocation: sourceLocation)
    }
}
