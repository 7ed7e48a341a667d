import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// `lazily()` reads the ids at once, and objects in batches on access.
struct LazyResultsTests {
    final class Row: PersistentObject {
        override class var tableName: String { "row" }
        var number = 0
    }

    private func fill(_ session: Session, _ count: Int) throws {
        try session.save(
            (0..<count).map { index in
                let row = Row()
                row.number = index
                return row
            })
    }

    @Test func `lazy results contain the same objects as all`() throws {
        try withTemporarySession { session, _ throws in
            try fill(session, 130)
            let query = Row.where { $0.number > 4 }.order(by: \.number, .descending)
            let (rows, all) = (try query.lazily(), try query.all())
            #expect(rows.count == 125 && !rows.isEmpty && rows.ids == all.compactMap(\.id))
            for place in [0, 124, 50, 49, 99, 100, 3] { #expect(try rows[place] === all[place]) }
            #expect(try Row.where { $0.number > 999 }.lazily().isEmpty)
        }
    }

    @Test func `accessing an object loads its neighbors with one query`() throws {
        try withTemporarySession { session, _ throws in
            try fill(session, 500)
            func queries(_ body: () throws -> Void) throws -> Int { try statements(of: session, body).count }
            var rows = try Row.query.lazily()
            try expect(queries { rows = try Row.query.lazily() }, 1)
            func touch(_ places: some Sequence<Int>) throws -> Int {
                var numbers: [Int] = []
                let count = try queries { for place in places { numbers.append(try rows[place].number) } }
                expect(numbers, Array(places))
                return count
            }
            try expect(touch(0..<50), 1)
            try expect(touch(40..<60), 1)
            try expect(touch((0..<500).reversed()), 10)
        }
    }

    @Test func `lazy results can be iterated, and a deleted object ends the iteration with an error`() throws {
        try withTemporarySession { session, file throws in
            try fill(session, 120)
            let rows = try Row.query.lazily()
            #expect(try rows.indices == 0..<120 && rows.first?.number == 0 && rows.last?.number == 119)
            try expect(rows.map(\.number), Array(0..<120))
            #expect(try Row.where { $0.number > 999 }.lazily().last == nil)
            _ = try file.sqlite("DELETE FROM \"row\" WHERE number = 3")
            var seen: [Int] = []
            let error = #expect(throws: StoreError.self) {
                try Row.query.lazily().forEach { row in
                    seen.append(row.number)
                    if row.number == 2 { _ = try file.sqlite("DELETE FROM \"row\" WHERE number = 90") }
                }
            }
            #expect(error?.code == .rowGone && seen.last == 89)
        }
    }

    @Test func `accessing a deleted object throws rowGone`() throws {
        try withTemporarySession { session, file throws in
            try fill(session, 120)
            let rows = try Row.query.lazily()
            let first = try rows[0]
            try first.delete()
            _ = try file.sqlite("DELETE FROM \"row\" WHERE number = 100")
            for place in [0, 100] {
                let error = #expect(throws: StoreError.self) { try rows[place] }
                #expect(error?.code == .rowGone && error?.rowID == Int64(place + 1))
            }
            #expect(try rows[101].number == 101)
            #expect(rows.count == 120)
        }
    }

    @Test func `an index out of bounds throws instead of trapping`() throws {
        try withTemporarySession { session, _ throws in
            try fill(session, 2)
            let rows = try Row.query.lazily()
            for place in [-1, 2, .max, .min] {
                let error = #expect(throws: StoreError.self) { try rows[place] }
                #expect(error?.code == .misuse)
            }
        }
    }

    @Test func `objects that another session changed are refreshed`() throws {
        try withTemporarySession { session, _ throws in
            try fill(session, 3)
            let rows = try Row.query.lazily()
            #expect(try rows[1].number == 1)
            try session.store.withSession { _ in _ = try Row.query.update { $0.number += 10 } }
            // The session notices the change at its next query.
            #expect(try Row.count() == 3 && Row.where { $0.number == 12 }.all().count == 1)
            #expect(try rows[1].number == 11)
        }
    }

    @Test func `accessing lazy results after the session ended throws`() throws {
        try withTemporaryStore { store, _ in
            let rows = try store.withSession { session in
                try fill(session, 2)
                return try Row.query.lazily()
            }
            let error = #expect(throws: StoreError.self) { try rows[0] }
            #expect(error?.code == .sessionEnded)
        }
    }
}
