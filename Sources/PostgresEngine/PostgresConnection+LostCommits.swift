internal import Foundation
internal import StoreEngine

// A connection that is lost while a commit is under way: the server has it, or has not.
extension PostgresConnection {
    /// Asks another connection what has become of the commit; returns where it was made.
    ///
    /// - Throws: `connectionLost` where it was not, `commitUnknown` where nobody knows.
    func settleCommit(after lost: StoreError) throws(StoreError) {
        session.delivery = PostgresDelivery()
        defer { session.end = lost }
        let answer = session.pipe.lastWords.last { $0.columnCount == 2 && $0.name(1) == "po_own" }
        let number = answer?.text(0, 1) ?? session.number
        // Where there is an answer without a number, nothing was written.
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
            // A server that has begun anew, or a replica in its place, may have lost what it was not sure of, and gives the
            // same numbers once more: there it can be the transaction of somebody else that has such an end.
            let isOther = session.serverStart != start || lost.serverState == PostgresConnection.crash
            switch status {
            case "committed": if isOther { throw unknown } else { return }
            case "aborted": throw lost
            case "in progress" where isOther, "unborn" where isOther: throw lost
            // The server goes on with it, or does not know yet that nobody is there; or it cannot be asked. Nothing tells when
            // that ends, so it is asked fifty times a second.
            case "in progress", nil: Thread.sleep(forTimeInterval: 0.02)
            default: throw unknown
            }
        } while ContinuousClock.now < end
        throw unknown
    }

    /// What a server says that ends all its connections since one has damaged what they share.
    private static let crash = "57P02"

    private func status(ofTransaction number: String) throws(StoreError) -> String {
        (session.isInTransaction, session.end) = (false, nil)
        defer { session.isInTransaction = true }
        try session.reconnect()
        do throws(StoreError) {
            let answer = try session.runTexts(["SELECT pg_xact_status('\(number)'::xid8)"])
            return answer.first?.text(0, 0) ?? "forgotten"
        } catch {
            // No transaction has had such a number.
            guard error.serverState == "22023" else { throw error }
            return "unborn"
        }
    }
}
