internal import Foundation
internal import StoreEngine

// Connections that are lost, also during a commit, which the server may or may not have completed.
extension PostgresConnection {
    func awaitConnection() {
        let end = ContinuousClock.now + .milliseconds(options.busyTimeout)
        while (try? session.reconnect()) == nil {
            // Nothing reports that the server accepts connections again, so it is tried twenty times a second.
            Thread.sleep(forTimeInterval: 0.05)
            if Task.isCancelled || limits.limit?.isOver == true || ContinuousClock.now >= end { return }
        }
    }

    /// Queries the outcome of the commit through another connection; returns if it was committed.
    ///
    /// - Throws: `connectionLost` if it was not committed, `commitUnknown` if the outcome is unknown.
    func settleCommit(after lost: StoreError) throws(StoreError) {
        session.delivery = PostgresDelivery()
        defer { session.end = lost }
        let answer = session.pipe.lastWords.last { $0.columnCount == 2 && $0.name(1) == "po_own" }
        let number = answer?.text(0, 1) ?? session.number
        // If the result has no transaction id, nothing was written.
        if answer != nil, number == nil { throw lost }
        var unknown = StoreError(
            .commitUnknown,
            "The connection to the server was lost during a commit. Whether the commit succeeded is unknown. "
                + "Check whether the rows exist before you save again")
        unknown.sql = "COMMIT"
        guard let number else { throw unknown }
        let start = session.serverStart
        let end = ContinuousClock.now + .milliseconds(max(options.busyTimeout, 1000))
        repeat {
            let status = try? status(ofTransaction: number)
            // A restarted server, or a replica in its place, may have lost recent commits and assigned the same ids
            // again, so the outcome can be another transaction's.
            let isOther = session.serverStart != start || lost.serverState == PostgresConnection.crash
            switch status {
            case "committed": if isOther { throw unknown } else { return }
            case "aborted": throw lost
            case "in progress" where isOther, "unborn" where isOther: throw lost
            // The server is still processing it, has not noticed the lost connection yet, or cannot be queried. It does
            // not report when that ends, so it is queried fifty times a second.
            case "in progress", nil: Thread.sleep(forTimeInterval: 0.02)
            default: throw unknown
            }
        } while ContinuousClock.now < end
        throw unknown
    }

    /// The server's code when it ends all connections because one server process has damaged shared memory.
    private static let crash = "57P02"

    private func status(ofTransaction number: String) throws(StoreError) -> String {
        (session.isInTransaction, session.end) = (false, nil)
        defer { session.isInTransaction = true }
        try session.reconnect()
        do throws(StoreError) {
            let answer = try session.runTexts(["SELECT pg_xact_status('\(number)'::xid8)"])
            return answer.first?.text(0, 0) ?? "forgotten"
        } catch {
            // No transaction has had such an id.
            guard error.serverState == "22023" else { throw error }
            return "unborn"
        }
    }
}
