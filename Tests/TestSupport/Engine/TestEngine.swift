internal import Foundation
public import Testing

/// The engine that this run of the tests has chosen.
public enum TestEngine {
    /// Whether stores are schemas of a PostgreSQL server, as `PO_TEST_ENGINE=postgres` says.
    public static let isPostgres = ProcessInfo.processInfo.environment["PO_TEST_ENGINE"] == "postgres"
}

/// A server with a certificate for the name `db.example.test`, reached at 127.0.0.1.
public enum SecureServer {
    /// Its address by a name, with more settings.
    public static func address(name: String = "db.example.test", _ settings: String = "") -> String {
        "postgres://po@\(name):\(PostgresServer.secure.port)/postgres?hostaddr=127.0.0.1&\(settings)"
    }

    /// The authority that has signed its certificate, as a setting.
    public static var authority: String { "sslrootcert=\(PostgresServer.secure.authority)" }
}

extension Trait where Self == ConditionTrait {
    /// For what only stores in files of SQLite's can say; `reason` is why.
    ///
    /// ```swift
    /// @Test("a file that is cut short is refused", .onSQLite("the store's file is damaged"))
    /// ```
    public static func onSQLite(_ reason: Comment, sourceLocation: SourceLocation = #_sourceLocation) -> Self {
        .enabled(if: !TestEngine.isPostgres, reason, sourceLocation: sourceLocation)
    }

    /// For what only stores on a PostgreSQL server can say; `reason` is why.
    public static func onPostgres(_ reason: Comment, sourceLocation: SourceLocation = #_sourceLocation) -> Self {
        .enabled(if: TestEngine.isPostgres, reason, sourceLocation: sourceLocation)
    }
}
