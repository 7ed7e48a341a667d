internal import Foundation

/// Two servers: a primary, and a replica that follows it and can replace it.
public final class PostgresPair: Sendable {
    private let primary: String
    private let replica: String

    /// Starts both servers.
    public init() throws {
        primary = try PostgresServer.start("-c listen_addresses='' -c wal_level=replica -c max_wal_senders=4")
        let copy = """
            "$1pg_basebackup" --host=\(PostgresServer.folder(of: primary)) --username=po --pgdata=data --no-sync \
            --write-recovery-conf --checkpoint=fast --wal-method=stream
            """
        replica = try PostgresServer.start(making: copy)
    }

    deinit {
        // If this fails, the servers end with this process.
        for server in [primary, replica] { try? PostgresServer.control(server, ["stop", "--mode=immediate"]) }
    }

    /// The address of the server that can be written.
    public var address: String {
        let folders = [primary, replica].map { PostgresServer.folder(of: $0) }.joined(separator: ",")
        return "postgres://po@/postgres?host=\(folders)&target_session_attrs=read-write"
    }

    /// The address of the replica alone.
    public var replicaAddress: String { "postgres://po@/postgres?host=\(PostgresServer.folder(of: replica))" }

    /// Waits until the replica has all of the primary's data, and then ends the primary without notice.
    public func endPrimary() throws {
        let hasAll = "SELECT count(*) FROM pg_stat_replication WHERE replay_lsn = pg_current_wal_lsn()"
        for _ in 0..<2400 {
            if try PostgresTool.answer(to: hasAll, at: primary) == "1" { break }
            // The replica does not report its progress, so the primary is polled.
            usleep(50_000)
        }
        try PostgresServer.control(primary, ["stop", "--mode=immediate"])
    }

    /// Makes the replica the primary.
    public func promoteReplica() throws { try PostgresServer.control(replica, ["promote"]) }

    /// Runs SQL on the replica, and returns the output in the format of the `sqlite3` tool.
    public func psql(_ sql: String) throws -> String { try PostgresTool.answer(to: sql, at: replica) }
}
