internal import Foundation
@_spi(Locks) internal import StoreEngine

/// A separate database of the tests' server, which is dropped with the object.
///
/// Roles belong to the whole server. `role(_:)` names a role of this database, which is dropped with it.
public final class PostgresDatabase: Sendable {
    private static let count = Locked(0)
    private let name: String
    private let host: Substring
    private let roles = Locked<[String]>([])

    public init() throws {
        let number = PostgresDatabase.count.withLock { count in
            count += 1
            return count
        }
        name = "d\(ProcessInfo.processInfo.processIdentifier)_\(number)"
        host = PostgresServer.folder(of: PostgresServer.address)
        _ = try PostgresTool.answer(to: "CREATE DATABASE \(name)")
    }

    deinit {
        let drops = ["DROP DATABASE \(name) WITH (FORCE)"] + roles.withLock { $0.map { "DROP ROLE \($0)" } }
        // If this fails, the database ends with the server.
        for drop in drops { _ = try? PostgresTool.answer(to: drop) }
    }

    /// The address of the database for a role.
    public func address(_ role: String = "po", _ settings: String = "") -> String {
        "postgres://\(role)@/\(name)?host=\(host)\(settings.isEmpty ? "" : "&\(settings)")"
    }

    /// Creates a role that can connect, and returns its name.
    public func role(_ name: String, _ options: String = "") throws -> String {
        let role = "\(self.name)_\(name)"
        _ = try psql("CREATE ROLE \(role) LOGIN \(options)")
        roles.withLock { $0.append(role) }
        return role
    }

    /// Accepts connections, or ends all of them and refuses new ones, as during a restart of the server.
    public func setConnections(areAllowed: Bool) throws {
        let end = "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '\(name)'"
        // A connection that was starting can be missing from the list.
        _ = try PostgresTool.answer(to: "ALTER DATABASE \(name) ALLOW_CONNECTIONS \(areAllowed); \(end); \(end)")
    }

    /// Runs SQL in the database, and returns the output in the format of the `sqlite3` tool.
    public func psql(_ sql: String, as role: String = "po") throws -> String {
        try PostgresTool.answer(to: sql, at: address(role))
    }
}
