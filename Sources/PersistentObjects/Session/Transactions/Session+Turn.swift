internal import StoreEngine

// The turn to write: in a file one session of the process at a time has it.
extension Session {
    /// Waits for the turn to write among the sessions of this process, where one at a time can.
    func takeTurn() throws {
        let me = WriterQueue.Holder(thread: RunningThread.id, owner: self)
        let answer =
            writesBesideOthers
            ? store.writers.enterBeside(as: me) : store.writers.enter(timeout: store.busyTimeout, limit, as: me)
        switch answer {
        case .entered: return
        // What is left of the time is for other processes.
        case .enteredLate(let end): connection.limits.waitEnd = end
        case .cancelled: throw StoreError.cancelled()
        case .limited(let limit):
            throw limit.error("while the session waited for another session to finish writing")
        case .timedOut:
            let timeout = store.busyTimeout
            throw StoreError(
                .busy, "Another session of this process was writing for \(timeout) ms. Nothing was written. Save again")
        case .heldHere(let owner):
            let work = (owner as? Session)?.workUnderWay ?? "a call of another session"
            throw StoreError(
                .misuse,
                "This write would deadlock, because it is nested in \(work), which must end before another "
                    + "session can write. Write in that session, or after it has ended")
        }
    }

    /// Gives up the turn to write.
    func leaveTurn() { if writesBesideOthers { store.writers.leaveBeside(self) } else { store.writers.leave() } }

    var writesBesideOthers: Bool { connection.capabilities.contains(.concurrentWriters) }

    /// What it is writing, in words.
    private var workUnderWay: String {
        if isInReading { return "a reading { } of another session" }
        guard let level else { return "a save or deletion of another session" }
        let objects = level.images.prefix(3).map { image in
            image.object.id.map { "\(type(of: image.object)) #\($0)" } ?? "a new \(type(of: image.object))"
        }
        let tables = level.preparations.map(\.name)
        let done =
            (objects.isEmpty ? [] : ["has saved \(objects.joined(separator: ", "))"])
            + (tables.isEmpty ? [] : ["creates the tables of \(tables.joined(separator: ", "))"])
        return "a transaction of another session" + (done.isEmpty ? "" : " (it \(done.joined(separator: " and ")))")
    }
}
