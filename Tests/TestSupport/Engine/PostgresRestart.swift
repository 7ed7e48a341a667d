internal import Foundation

/// A separate server that a test restarts.
public final class RestartablePostgres: Sendable {
    private let server: String

    /// Starts the server.
    public init() throws { server = try PostgresServer.start() }

    deinit {
        // If this fails, the server ends with this process.
        try? PostgresServer.control(server, ["stop", "--mode=immediate"])
    }

    /// The address of the server.
    public var address: String { "postgres://po@/postgres?host=\(PostgresServer.folder(of: server))" }

    /// Restarts the server; it ends all connections and accepts new ones afterwards.
    public func restart() throws {
        let folder = PostgresServer.folder(of: server)
        try PostgresServer.control(server, ["stop", "--mode=fast"])
        let options = "-c listen_addresses='' -c max_connections=300 -c unix_socket_directories='\(folder)'"
        try PostgresServer.control(
            server, ["start", "--log=\(folder)/server.log", "--options=\(options)"], waits: false)
        // Nothing reports that the server accepts connections again.
        while (try? psql("SELECT 1")) != "1" { usleep(50_000) }
    }

    /// Runs SQL on the server, and returns the output in the format of the `sqlite3` tool.
    public func psql(_ sql: String) throws -> String { try PostgresTool.answer(to: sql, at: server) }
}
