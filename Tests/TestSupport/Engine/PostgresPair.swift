internal import Foundation
@_spi(Locks) internal import StoreEngine

/// Two servers: a primary, and a replica that follows it and can replace it.
public final class PostgresPair: Sendable {
    private let primary: String
    private let replica: String
    /// A replica that follows the other replica.
    private let second = Locked<String?>(nil)

    /// Starts both servers.
    public init() throws {
        primary = try PostgresServer.start("-c listen_addresses='' -c wal_level=replica -c max_wal_senders=4")
        replica = try PostgresServer.start(making: PostgresPair.copy(of: primary))
    }

    /// The script that makes a replica of a server.
    private static func copy(of server: String) -> String {
        """
        "$1pg_basebackup" --host=\(PostgresServer.folder(of: server)) --username=po --pgdata=data --no-sync \
        --write-recovery-conf --checkpoint=fast --wal-method=stream
        """
    }

    deinit {
        // If this fails, the servers end with this process.
        let second = second.withLock { $0 }
        for server in [primary, replica] + (second.map { [$0] } ?? []) {
            try? PostgresServer.control(server, ["stop", "--mode=immediate"])
        }
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

    /// Starts a second replica, which follows the replica also after that was promoted. Returns its address.
    public func startSecondReplica() throws -> String {
        // Without full_page_writes, only the primary can be copied.
        let folders = [primary, replica].map { PostgresServer.folder(of: $0) }
        let follow = "sed -i 's|\(folders[0])|\(folders[1])|' data/postgresql.auto.conf"
        let made = try PostgresServer.start(making: "\(PostgresPair.copy(of: primary)) && \(follow)")
        second.withLock { $0 = made }
        return "postgres://po@/postgres?host=\(PostgresServer.folder(of: made))"
    }

    /// Writes a checkpoint of the replica, and then one of its replica, which reports its current timeline from then on.
    public func writeCheckpoints() throws {
        _ = try psql("CHECKPOINT")
        guard let second = second.withLock({ $0 }) else { return }
        _ = try PostgresTool.answer(to: "CHECKPOINT", at: second)
    }

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
