import TestSupport
import Testing

@testable import PersistentObjects

/// Undo of unique values that rows have exchanged, also in a circle at whose end a row has its first value again.
struct UndoExchangeTests {
    final class Seat: PersistentObject {
        override class var tableName: String { "seat" }
        override class var indexes: [Index] { [Index(\Seat.row, \Seat.side, unique: true)] }
        @Unique var name = ""
        @Unique var number = 0
        var row = 0
        var side = ""
        var note = ""
    }

    /// The unique values that rows exchange.
    enum Values: CaseIterable {
        case text, integer, composite, all

        func exchange(_ one: Seat, _ other: Seat) {
            if self == .text || self == .all { (one.name, other.name) = (other.name, one.name) }
            if self == .integer || self == .all { (one.number, other.number) = (other.number, one.number) }
            if self == .composite || self == .all {
                (one.row, one.side, other.row, other.side) = (other.row, other.side, one.row, one.side)
            }
        }
    }

    private struct Room {
        let session: Session
        let file: TemporaryStore
        let seats: [Seat]

        func rows() throws -> [String] {
            let all = try session.rows("SELECT id, name, number, \"row\", side, note FROM seat ORDER BY id")
            return all.map { "\($0.values)" }
        }

        /// A B C → B A C → B C A → C B A, so that the second row has its first value at the end.
        func circle(_ values: Values) throws {
            for (one, other) in [(0, 1), (1, 2), (0, 1)] {
                values.exchange(seats[one], seats[other])
                try session.save([seats[one], seats[other]])
            }
        }

        /// Requires that undo and redo restore the rows and the objects, twice.
        func requireRoundTrips(from before: [String], sourceLocation: SourceLocation = #_sourceLocation) throws {
            let after = try rows()
            #expect(after != before, sourceLocation: sourceLocation)
            for _ in 1...2 {
                #expect(try session.undo(), sourceLocation: sourceLocation)
                try expect(rows(), before, sourceLocation: sourceLocation)
                try requireCurrentObjects(sourceLocation)
                #expect(try session.redo(), sourceLocation: sourceLocation)
                try expect(rows(), after, sourceLocation: sourceLocation)
                try requireCurrentObjects(sourceLocation)
            }
        }

        private func requireCurrentObjects(_ sourceLocation: SourceLocation) throws {
            let names: [String] = try session.rows("SELECT name FROM seat ORDER BY id").map { try $0.value("name") }
            expect(seats.map(\.name), names, sourceLocation: sourceLocation)
        }
    }

    /// Runs the body with three seats, in a session that records undo.
    private func withRoom(_ body: (Room) throws -> Void) throws {
        try withTemporarySession { session, file in
            let seats = ["a", "b", "c"].enumerated().map { place, name in
                let seat = Seat()
                (seat.name, seat.number, seat.row, seat.side) = (name, place, place / 2, place == 1 ? "right" : "left")
                return seat
            }
            try session.save(seats)
            session.recordsUndo = true
            try body(Room(session: session, file: file, seats: seats))
            #expect(session.classes.allIdentities.compactMap { $0.brokenInvariant() } == [])
        }
    }

    @Test(arguments: Values.allCases) func `a circle in one transaction is undone and redone`(values: Values) throws {
        try withRoom { room in
            let before = try room.rows()
            try room.session.transaction { try room.circle(values) }
            try room.requireRoundTrips(from: before)
        }
    }

    @Test(arguments: Values.allCases) func `a circle of several commits is undone and redone`(values: Values) throws {
        try withRoom { room in
            let before = try room.rows()
            try room.session.undoGroup {
                try room.circle(values)
                // Each of the commits is a circle, too.
                for _ in 1...2 { try room.session.transaction { try room.circle(values) } }
            }
            try room.requireRoundTrips(from: before)
            try room.session.undo()
            try room.circle(values)
            for _ in 1...3 { try room.session.undo() }
            try expect(room.rows(), before)
            for _ in 1...3 { try room.session.redo() }
        }
    }

    @Test(arguments: Values.allCases) func `a row whose unique value is the same at the end may differ otherwise`(
        values: Values
    ) throws {
        try withRoom { room in
            let before = try room.rows()
            try room.session.transaction {
                room.seats[1].note = "x"
                try room.circle(values)
                try room.session.execute("UPDATE seat SET note = note || 'y' WHERE id = 3")
            }
            try room.requireRoundTrips(from: before)
        }
    }

    @Test func `values pass through rows that are moved, inserted or deleted`() throws {
        let swap = [
            "UPDATE seat SET name = 'x' WHERE id = %1", "UPDATE seat SET name = %b WHERE id = %2",
            "UPDATE seat SET name = %a WHERE id = %1",
        ]
        func exchange(_ one: Int, _ a: String, _ other: Int, _ b: String) -> [String] {
            swap.map { sql in
                sql.replacing("%1", with: "\(one)").replacing("%2", with: "\(other)")
                    .replacing("%a", with: "'\(a)'").replacing("%b", with: "'\(b)'")
            }
        }
        let insertion = "INSERT INTO seat (id, name, number, \"row\", side, note) VALUES (9, 'd', 9, 9, '', '')"
        let circle = exchange(1, "b", 2, "a") + exchange(2, "c", 3, "a") + exchange(1, "c", 2, "b")
        let works = [
            // The middle row is moved to another key, and back.
            Array(circle[..<3]) + ["UPDATE seat SET id = 8 WHERE id = 2"] + exchange(8, "c", 3, "a")
                + ["UPDATE seat SET id = 2 WHERE id = 8"] + circle[6...],
            // Two rows exchange their keys.
            Array(circle[..<6]) + [
                "UPDATE seat SET id = 8 WHERE id = 2", "UPDATE seat SET id = 2 WHERE id = 3",
                "UPDATE seat SET id = 3 WHERE id = 8",
            ],
            // A row that exists only during the transaction takes part.
            [insertion] + exchange(9, "a", 1, "d") + exchange(9, "b", 2, "a") + exchange(1, "b", 9, "d")
                + ["DELETE FROM seat WHERE id = 9", "UPDATE seat SET note = 'x' WHERE id = 3"] + circle,
            // The middle row is deleted and inserted again.
            circle + [
                "DELETE FROM seat WHERE id = 2",
                "INSERT INTO seat (id, name, number, \"row\", side, note) VALUES (2, 'b', 1, 0, 'right', '')",
            ],
        ]
        for work in works {
            try withRoom { room in
                let before = try room.rows()
                try room.session.transaction { for sql in work { try room.session.execute(sql) } }
                let after = try room.rows()
                #expect(after != before)
                for _ in 1...2 {
                    #expect(try room.session.undo())
                    try expect(room.rows(), before)
                    #expect(try room.session.redo())
                    try expect(room.rows(), after)
                }
            }
        }
    }

    // MARK: Conflicts

    @Test func `a circle whose first value another program has taken is not undone, and nothing changes`() throws {
        try withRoom { room in
            try room.session.transaction {
                try room.circle(.text)
                room.seats[2].name = "d"
                try room.seats[2].save()
            }
            _ = try room.file.sqlite(
                "INSERT INTO seat (name, number, \"row\", side, note) VALUES ('a', 77, 77, '', '')")
            let before = try room.rows()
            let error = #expect(throws: StoreError.self) { () throws in try room.session.undo() }
            #expect(
                error?.code == .staleObject
                    && error?.message.hasPrefix("Another row now has its unique value") == true)
            try expect(room.rows(), before)
            expect(room.seats.map(\.name), ["c", "b", "d"])
            _ = try room.file.sqlite("DELETE FROM seat WHERE number = 77")
            #expect(try room.session.undo())
            expect(room.seats.map(\.name), ["a", "b", "c"])
        }
    }

    @Test func `other columns of a row in a circle that another program has changed stay`() throws {
        try withRoom { room in
            try room.session.transaction { try room.circle(.text) }
            _ = try room.file.sqlite("UPDATE seat SET note = 'theirs', number = 77 WHERE id = 2")
            #expect(try room.session.undo())
            expect(room.seats.map(\.name), ["a", "b", "c"])
            try expect(room.file.sqlite("SELECT note, number FROM seat WHERE id = 2"), "theirs|77")
            #expect(try room.session.redo())
            expect(room.seats.map(\.name), ["c", "b", "a"])
            try expect(room.file.sqlite("SELECT note, number FROM seat WHERE id = 2"), "theirs|77")
        }
    }
}
