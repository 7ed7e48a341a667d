import PersistentObjects
import TestSupport
import Testing

class Seat: PersistentObject {
    override class var tableName: String { "history_seat" }
    override class var keepsHistory: Bool { true }
    @Unique var number = 0
    @Unique var label: String? = nil
    var row = ""
    // An entry has room for 12 columns, so the last properties have their values elsewhere.
    var first = 0, second = 0, third = 0, fourth = 0, fifth = 0, sixth = 0, seventh = 0, eighth = 0, ninth = 0
    @Unique var code = ""
    var tags: [String] = []
}

final class BoxSeat: Seat {
    @Unique var box: Int? = nil
}

/// The history of rows that exchange unique values, which a save first replaces by temporary values.
@Suite(.onSQLite("a role needs no rights on the history of a server"))
struct HistoryExchangeTests {
    private func saved<T: Seat>(_ type: T.Type, _ count: Int, _ session: Session) throws -> [T] {
        let seats = (1...count).map { number in
            let seat = T()
            (seat.number, seat.label, seat.code) = (number, "l\(number)", "c\(number)")
            return seat
        }
        try session.save(seats)
        return seats
    }

    private func changes(_ seat: Seat) throws -> [[String]] {
        try seat.history.where { $0.change == .changed }.all().map { entry in
            entry.values.map { "\($0.column): \($0.old ?? .null) -> \($0.new ?? .null)" }.sorted()
        }
    }

    @Test func `an exchange is one entry for each row, without temporary values`() throws {
        try withTemporarySession { session, _ in
            let seats = try saved(Seat.self, 3, session)
            seats[2].row = "untouched"
            (seats[0].number, seats[1].number) = (2, 1)
            (seats[0].label, seats[1].label) = ("l2", "l1")
            (seats[0].code, seats[1].code) = ("c2", "c1")
            seats[0].row = "x"
            seats[0].tags = ["t"]
            try session.save(seats)
            let entries = try seats[0].history.where { $0.change == .changed }.all()
            expect(entries.count, 1)
            let entry = try #require(entries.first)
            try expect(entry.old(\Seat.number), 1)
            try expect(entry.new(\Seat.number), 2)
            try expect(entry.old(\Seat.label), "l1")
            try expect(entry.new(\Seat.label), "l2")
            try expect(entry.old(\Seat.code), "c1")
            try expect(entry.new(\Seat.code), "c2")
            try expect(entry.old(\Seat.row), "")
            try expect(entry.new(\Seat.row), "x")
            try expect(entry.new(\Seat.tags), ["t"])
            expect(entry.values.count, 4)
            expect(Set(entry.values.compactMap(\.new)).contains { "\($0)".contains("parked") }, false)
            let other = try #require(try seats[1].history.where { $0.change == .changed }.all().first)
            try expect(other.old(\Seat.number), 2)
            try expect(other.new(\Seat.number), 1)
            try expect(changes(seats[1]).count, 1)
            try expect(changes(seats[2]).count, 1)
        }
    }

    @Test func `rows of a subclass that pass a value on keep what the history has recorded before`() throws {
        try withTemporarySession { session, _ in
            let seats = try saved(BoxSeat.self, 4, session)
            for (seat, box) in zip(seats, 1...) { seat.box = box }
            try session.save(seats)
            for (seat, box) in zip(seats, [2, 3, 4, 1]) { seat.box = box }
            let before = try seats.map(changes)
            try session.transaction {
                session.author = "ann"
                try session.save(seats)
            }
            for (seat, old) in zip(seats, before) {
                let new = try changes(seat)
                expect(new.count, 2)
                expect(new.dropLast(), old[...])
                let entry = try #require(try seat.history.all().last)
                expect(entry.author, "ann")
                try expect(entry.new(\BoxSeat.box), seat.box)
                let id = try #require(seat.id)
                try expect(entry.old(\BoxSeat.box), Int(id))
            }
        }
    }

    @Test func `a value that is given up is recorded with the other changes of its row, or alone`() throws {
        try withTemporarySession { session, _ in
            for row in ["changed", ""] {
                let seats = try saved(Seat.self, 2, session)
                (seats[0].label, seats[1].label) = (nil, "l1")
                seats[0].row = row
                try session.save(seats)
                let entry = try seats[0].history.where { $0.change == .changed }.single()
                try expect(entry.old(\Seat.label), "l1")
                try expect(entry.new(\Seat.label), nil)
                try expect(entry.didChange(\Seat.label), true)
                try expect(entry.didChange(\Seat.row), !row.isEmpty)
                let other = try seats[1].history.where { $0.change == .changed }.single()
                try expect(other.old(\Seat.label), "l2")
                try expect(other.new(\Seat.label), "l1")
                try session.delete(seats)
            }
        }
    }

    @Test func `the values before an exchange are found by their time`() throws {
        try withTemporarySession { session, _ in
            let seats = try saved(Seat.self, 2, session)
            let created = try #require(try seats[0].history.first())
            (seats[0].number, seats[1].number) = (2, 1)
            try session.save(seats)
            let changed = try #require(try seats[0].history.all().last)
            try expect(changed.old(\Seat.number), created.new(\Seat.number))
            let numbers = try Seat.history.all().compactMap { try $0.new(\Seat.number) }
            expect(numbers.sorted(), [1, 1, 2, 2])
        }
    }
}
