internal import Foundation
public import Testing

/// The engine of this run of the tests.
public enum TestEngine {
    /// Whether stores are schemas of a PostgreSQL server, because of `PO_TEST_ENGINE=postgres`.
    public static let isPostgres = ProcessInfo.processInfo.environment["PO_TEST_ENGINE"] == "postgres"
}

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

    /// Enables a test only for stores on a PostgreSQL server; `reason` is the reason.
    public static func onPostgres(_ reason: Comment, sourceLocation: SourceLocation = #_sourceLocation) -> Self {
        .enabled(if: TestEngine.isPostgres, reason, sourceLocation: sourceLocation)
    }
}
