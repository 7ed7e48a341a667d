internal import StoreEngine

/// The replica of a connection's server, with a separate connection, which is opened for the first query.
///
/// Each query is sent together with a check of the replica's state. If the replica cannot answer, for whatever reason,
/// the server that can be written answers instead.
final class PostgresReplica {
    private let primary: PostgresSession
    private let progress: PostgresProgress
    /// Opens a connection to the replica.
    private let connect: () throws(StoreError) -> PostgresPipe
    /// Makes a connection work for the schema of the current store.
    private let enterSchema: (PostgresPipe) throws(StoreError) -> Void
    private(set) var session: PostgresSession?
    /// The session with an open transaction that reads; nil if there is none.
    private(set) var reading: PostgresSession?
    /// Whether the server's session has settings that the replica's session does not have.
    var isForbidden = false
    /// Until when the replica is not queried, because its state was too old.
    private var pauseEnd: ContinuousClock.Instant?

    /// How long the replica is not queried after its state was too old.
    private static let pause = Duration.milliseconds(5)

    init(
        of primary: PostgresSession, _ progress: PostgresProgress,
        connect: @escaping () throws(StoreError) -> PostgresPipe,
        enterSchema: @escaping (PostgresPipe) throws(StoreError) -> Void
    ) {
        self.primary = primary
        self.progress = progress
        self.connect = connect
        self.enterSchema = enterSchema
    }

    // MARK: The choice

    /// The session that answers a query; nil if the query must go to the primary.
    ///
    /// - Parameter isRouted: Whether it may go to the replica outside transactions.
    func session(isRouted: Bool) -> PostgresSession? {
        if let reading { return reading }
        return isRouted && mayAnswer ? open() : nil
    }

    private var mayAnswer: Bool {
        guard !isForbidden, !primary.isInTransaction, progress.prepareQuery(), !progress.moments.isPaused else {
            return false
        }
        return pauseEnd.map { $0 <= .now } ?? true
    }

    /// Queries the replica again, although its state was too old for an earlier session.
    func endPause() { pauseEnd = nil }

    /// Whether the primary can answer instead, after the replica has failed.
    ///
    /// - Throws: `StoreError` if the primary cannot be reached, either.
    func yields(after error: StoreError) throws(StoreError) -> Bool {
        if progress.isBehind { pauseEnd = .now + PostgresReplica.pause }
        // The time is over for the primary, too.
        let isEnd = error.code == .cancelled || error.code == .timedOut
        guard let reading else { return !isEnd }
        guard !isEnd, reading.isBeginning else {
            // The primary has another state than the one that was read so far. Another attempt reads from the primary.
            progress.becomeUnknown()
            return false
        }
        end(reading)
        try primary.reconnect()
        beginReading(on: primary)
        return true
    }

    // MARK: Connections

    private func open() -> PostgresSession? {
        do throws(StoreError) {
            if let session, session.pipe.isAlive {
                try enterSchema(session.pipe)
                return session
            }
            if let session { try session.reconnect() } else { session = try makeSession() }
        } catch {
            session?.pipe.isBroken = true
            progress.moments.startPause()
            return nil
        }
        guard progress.hasReadReplica else { return session }
        // It may be another replica, or one that has restarted, whose state is earlier than the last one.
        progress.becomeUnknown()
        return nil
    }

    private func makeSession() throws(StoreError) -> PostgresSession {
        let made = PostgresSession(try connect(), replicaOf: primary)
        made.reopen = connect
        made.tracer = primary.tracer
        return made
    }

    /// Opens the connection for the first time, if the replica is available.
    ///
    /// - Throws: `StoreError` with the code `misuse` if it is a replica of another server.
    func confirm() throws(StoreError) {
        do throws(StoreError) {
            session = try makeSession()
            progress.moments.confirm()
        } catch {
            if error.code == .misuse { throw error }
            progress.moments.startPause()
        }
    }

    // MARK: Transactions

    /// Opens a transaction that reads; false if it must be opened on the primary.
    func beginReading() -> Bool {
        guard mayAnswer, let session = open() else { return false }
        beginReading(on: session)
        reading = session
        return true
    }

    private func beginReading(on session: PostgresSession) {
        session.delivery.begin(session.beginningToRead)
        session.snapshots.deferBeginning()
        session.isBeginning = true
        session.isInTransaction = true
    }

    /// Called after the transaction that reads has ended.
    func didEndReading() { reading = nil }

    /// Ends the transaction that reads, of which nothing was read.
    private func end(_ session: PostgresSession) {
        reading = nil
        if session.end?.code != .connectionLost, session.delivery.isEmpty, session.delivery.openingCount == 0 {
            session.pipe.leave("ROLLBACK")
        }
        session.delivery = PostgresDelivery()
        (session.isInTransaction, session.isBeginning, session.end) = (false, false, nil)
    }
}
