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

    /// The address of the primary alone.
    public var primaryAddress: String { "postgres://po@/postgres?host=\(PostgresServer.folder(of: primary))" }

    /// Makes the replica stop at its state, or follow the primary again.
    public func setReplay(isPaused: Bool) throws {
        _ = try psql("SELECT pg_wal_replay_\(isPaused ? "pause" : "resume")()")
        // The request takes effect at the next record.
        let state = isPaused ? "paused" : "not paused"
        while try psql("SELECT pg_get_wal_replay_pause_state()") != state {
            _ = try psqlOnPrimary("SELECT pg_logical_emit_message(false, '', '')")
            // Nothing reports that the replica has paused or continued.
            usleep(10_000)
        }
    }

    /// Stops the replica, without notice.
    public func stopReplica() throws { try PostgresServer.control(replica, ["stop", "--mode=immediate"]) }

    /// Starts the replica again.
    public func startReplica() throws {
        let folder = PostgresServer.folder(of: replica)
        let settings = "-c fsync=off -c listen_addresses='' -c max_connections=300"
        let options = "\(settings) -c unix_socket_directories='\(folder)'"
        try PostgresServer.control(
            replica, ["start", "--log=\(folder)/server.log", "--options=\(options)"], waits: false)
        // Nothing reports that the server accepts connections again.
        while (try? psql("SELECT 1")) != "1" { usleep(50_000) }
    }

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

    /// Runs SQL on the primary, and returns the output in the format of the `sqlite3` tool.
    public func psqlOnPrimary(_ sql: String) throws -> String { try PostgresTool.answer(to: sql, at: primary) }

    /// Runs SQL on the replica, and returns the output in the format of the `sqlite3` tool.
    public func psql(_ sql: String) throws -> String { try PostgresTool.answer(to: sql, at: replica) }
}
