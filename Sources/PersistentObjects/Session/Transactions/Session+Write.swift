internal import StoreEngine

// Each call that writes does it in a transaction: its own, or a savepoint of the user's.
extension Session {
    /// Runs `body` in a transaction that may write; where it throws the database is as before.
    ///
    /// Where the disk is full `body` is run once more, after what the log has was moved to the file: the log's room is
    /// free then. Without that even a deletion would need room.
    ///
    /// Where it has met another transaction, beside which it cannot be, it is run again, in the end beside none.
    ///
    /// - Parameters:
    ///   - together: Whether an engine with round trips may put off what `body` writes. Where that fails, `body` is run
    ///     again.
    ///   - alone: Whether nobody else may write meanwhile, on an engine too that allows it.
    package func write<R>(together: Bool = false, alone: Bool = false, _ body: () throws -> R) throws -> R {
        guard !isWriting else { throw Session.savesWhileSaving }
        if tellingRounds.areTooMany { throw TellingRounds.error }
        try checkIsNotReading()
        guard level == nil else { return try writeInside(body, together) }
        // Tables that are made are nobody's data.
        if !alone { try checkOnlyStoreInTransaction() }
        try takeTurn()
        isWriting = true
        defer {
            isWriting = false
            leaveTurn()
        }
        var meetings = 0
        return try repeating(together) { pace, attempt in
            do { return try writeOnce(body, pace, alone: alone || meetings > 2) } catch let error as StoreError {
                if error.repetition == .again { meetings += 1 }
                guard error.code == .diskFull, attempt == 1, connection.makeRoom() else { throw error }
                return try writeOnce(body, .stepwise, alone: alone)
            }
        }
    }

    /// How often a write is begun again at most. From the fourth time on it is alone among those who use the library.
    private static let attemptLimit = 20

    /// Runs `write` as often as what was put off in it fails, the last time nothing is, or as it meets others.
    private func repeating<R>(_ together: Bool, _ write: (Pace, _ attempt: Int) throws -> R) throws -> R {
        var pace = together ? Pace.together : .stepwise
        var attempt = 1
        while true {
            do { return try write(pace, attempt) } catch let error as StoreError {
                switch error.repetition {
                case .again where level == nil && attempt < Session.attemptLimit: noteAllStale()
                case .afterReading where attempt < 4: noteAllStale()
                case .afterReading, .oneByOne: pace = .stepwise
                case .again, nil: throw error
                }
                attempt += 1
            }
        }
    }

    private func writeOnce<R>(_ body: () throws -> R, _ pace: Pace, alone: Bool) throws -> R {
        try beginWriting(pace, alone: alone)
        do {
            try undoHistory?.didBegin()
            try noteEntries()
            noteDataVersion(isNewest: !writesBesideOthers)
            let result = try body()
            try limit?.check("before the commit")
            try commit()
            noteTriggers()
            return result
        } catch {
            connection.rollback()
            throw error
        }
    }

    private func writeInside<R>(_ body: () throws -> R, _ together: Bool) throws -> R {
        try level?.willWrite()
        isWriting = true
        defer { isWriting = false }
        return try repeating(together) { pace, _ in try writeMarked(body, pace) }
    }

    private func writeMarked<R>(_ body: () throws -> R, _ pace: Pace) throws -> R {
        try connection.setSavepoint(pace)
        do {
            // Where the transaction's own beginning was put off, what others wrote before it has to be known now.
            if pace == .stepwise {
                try connection.confirmBeginning()
                noteDataVersion()
            }
            let result = try body()
            try connection.releaseSavepoint()
            level?.confirmSave()
            noteTriggers()
            return result
        } catch {
            connection.rollBackToSavepoint()
            // A full disk, for one, ends the whole transaction.
            if !connection.isInTransaction { level?.fail(connection.endOfTransaction ?? error) }
            throw error
        }
    }

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
            throw limit.error("while the session waited for its turn to write, behind another one")
        case .timedOut:
            let timeout = store.busyTimeout
            throw StoreError(.busy, "another session of this process was writing for \(timeout) ms; save again")
        case .heldHere(let owner):
            let work = (owner as? Session)?.workUnderWay ?? "another session"
            throw StoreError(
                .misuse,
                "the write would wait for itself: it is made inside \(work), and nobody else can write before that "
                    + "has ended; write in that session, or when it has ended")
        }
    }

    /// Gives up the turn to write.
    func leaveTurn() { if writesBesideOthers { store.writers.leaveBeside(self) } else { store.writers.leave() } }

    var writesBesideOthers: Bool { connection.capabilities.contains(.concurrentWriters) }

    /// What it is writing, in words.
    private var workUnderWay: String {
        if isInReading { return "a reading of another session, for whose end writers wait" }
        guard let level else { return "a save or deletion of another session" }
        let objects = level.images.prefix(3).map { image in
            image.object.id.map { "\(type(of: image.object)) #\($0)" } ?? "a new \(type(of: image.object))"
        }
        let tables = level.preparations.map(\.name)
        let done =
            (objects.isEmpty ? [] : ["has saved \(objects.joined(separator: ", "))"])
            + (tables.isEmpty ? [] : ["makes the tables of \(tables.joined(separator: ", "))"])
        return "a transaction of another session" + (done.isEmpty ? "" : " (it \(done.joined(separator: " and ")))")
    }
}
