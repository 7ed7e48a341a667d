@_spi(Locks) import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// A save whose rows swap unique values writes twice; other programs can write between the two attempts.
struct SecondAttemptTests {
    final class Seat: PersistentObject {
        override class var tableName: String { "seat" }
        @Unique var number = 0
        var note = ""
        var guest = ""
    }

    /// Saves two seats whose numbers are swapped and of which the first has a new note. Between the two attempts of
    /// the save, another program runs `sql`.
    private func exchange(
        whileOthersRun sql: String, _ body: (Session, [Seat], TemporaryStore) throws -> Void
    ) throws {
        let file = try TemporaryStore()
        let isDue = Locked(false)
        let hasRun = Locked(false)
        let engine = LoggingEngine { call in
            // A write lock is held until the rollback is done, so the second BEGIN is the point between the attempts.
            guard call == "begin", isDue.withLock({ $0 }) else { return }
            let isSecond = hasRun.withLock { isSecond in
                defer { isSecond = true }
                return isSecond
            }
            if isSecond, isDue.withLock({ $0 }) {
                isDue.withLock { $0 = false }
                #expect(throws: Never.self) { try file.sqlite(sql) }
            }
        }
        let store = try Store(file.path, engine: engine)
        defer { store.close() }
        try store.withSession { session in
            let seats = [Seat(), Seat()]
            (seats[0].number, seats[1].number) = (1, 2)
            try session.save(seats)
            (seats[0].number, seats[1].number) = (2, 1)
            seats[0].note = "mine"
            isDue.withLock { $0 = true }
            try body(session, seats, file)
            #expect(isDue.withLock { !$0 })
        }
    }

    @Test func `a change by another program between the attempts is a conflict`() throws {
        try exchange(whileOthersRun: "UPDATE seat SET note = 'theirs' WHERE id = 1") { (session, seats, file) throws in
            let error = #expect(throws: StoreError.self) { try session.save(seats) }
            #expect(error?.code == .staleObject && error?.property == "note" && error?.rowID == 1)
            try expect(file.sqlite("SELECT note, number FROM seat ORDER BY id"), "theirs|1\n|2")
            #expect(seats[0].note == "mine" && seats.map(\.number) == [2, 1])
        }
    }

    @Test func `changes of other properties are merged`() throws {
        try exchange(whileOthersRun: "UPDATE seat SET guest = 'Ann' WHERE id = 1") { (session, seats, file) throws in
            try session.save(seats)
            try expect(file.sqlite("SELECT note, guest, number FROM seat ORDER BY id"), "mine|Ann|2\n||1")
            #expect(seats[0].guest == "Ann" && !seats[0].hasChanges)
        }
    }

    @Test func `a row deleted by another program is an error, and nothing is written`() throws {
        try exchange(whileOthersRun: "DELETE FROM seat WHERE id = 2") { (session, seats, file) throws in
            let error = #expect(throws: StoreError.self) { try session.save(seats) }
            #expect(error?.code == .rowGone && error?.rowID == 2)
            try expect(file.sqlite("SELECT note, number FROM seat"), "|1")
        }
    }
}
