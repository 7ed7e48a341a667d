import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// Batches read as an id range and batches read id by id give the same results.
struct QueryBatchRowTests {
    final class Plain: PersistentObject {
        override class var tableName: String { "plain" }
        var number = 0
    }

    class Animal: PersistentObject {
        override class var tableName: String { "animal" }
        var number = 0
        var friend: Animal?
        var tags: [String] = []
    }

    final class Dog: Animal {
        var barks = 0
    }

    private func fill(_ count: Int, _ session: Session) throws {
        try session.save(
            (0..<count).map { index in
                let plain = Plain()
                plain.number = index
                return plain
            })
        var last: Animal?
        // Saved one at a time, because a save of many objects inserts class by class. The ids follow the numbers.
        try session.transaction {
            for index in 0..<count {
                let animal = index % 3 == 0 ? Dog() : Animal()
                (animal.number, animal.friend, animal.tags) = (index, last, ["t\(index)"])
                try animal.save()
                last = index % 5 == 0 ? nil : animal
            }
        }
    }

    /// The step determines the gaps between the rows: adjacent, every second, sparse; also in reverse order.
    @Test(arguments: [1, 2, 3, 7], [3, 10, 64]) func `batches contain exactly the objects found`(step: Int, size: Int)
        throws
    {
        try withTemporaryStore { store, _ throws in
            try store.withSession { try fill(200, $0) }
            let wanted = (0..<200).filter { $0 % step == 0 }
            func expectAll<T: Persistent>(
                _ query: Query<T>, _ number: KeyPath<T, Int>, _ numbers: [Int]
            ) throws {
                var seen: [Int] = []
                try query.forEachBatch(of: size) { seen += $0.map { $0[keyPath: number] } }
                expect(seen, numbers)
                try expect(query.lazily().map { $0[keyPath: number] }, numbers)
            }
            for isUntracked in [false, true] {
                try store.withSession { _ in
                    func query<T: Persistent>(_ query: Query<T>) -> Query<T> { isUntracked ? query.untracked() : query }
                    let plain = Plain.where { $0.number % step == 0 }
                    try expectAll(query(plain), \.number, wanted)
                    try expectAll(query(plain.order(by: \.number, .descending)), \.number, wanted.reversed())
                    try expectAll(query(Animal.where { $0.number % step == 0 }), \.number, wanted)
                    try expectAll(query(Dog.where { $0.number % step == 0 }), \.number, wanted.filter { $0 % 3 == 0 })
                }
            }
        }
    }

    @Test func `batches load references and collections`() throws {
        try withTemporaryStore { store, _ throws in
            try store.withSession { try fill(60, $0) }
            try store.withSession { session in
                var count = 0
                try Animal.where { $0.number > 9 }.forEachBatch(of: 20) { batch in
                    for animal in batch {
                        expect(animal.tags, ["t\(animal.number)"])
                        expect(animal.friend?.number, animal.number % 5 == 1 ? nil : animal.number - 1)
                        count += 1
                    }
                }
                #expect(count == 50 && session.busyStatementCount == 0)
            }
        }
    }

    @Test(.onSQLite("rows are deleted by SQLite's tool"))
    func `batches skip deleted rows, and lazy results throw for them`() throws {
        try withTemporarySession { session, file throws in
            try fill(20, session)
            try session.reset()
            let rows = try Plain.query.lazily()
            _ = try file.sqlite("DELETE FROM plain WHERE number IN (0, 7, 8, 19)")
            for place in rows.indices {
                if [0, 7, 8, 19].contains(place) {
                    let error = #expect(throws: StoreError.self) { try rows[place] }
                    #expect(error?.code == .rowGone)
                } else {
                    #expect(try rows[place].number == place)
                }
            }
            var seen: [Int] = []
            try Plain.query.forEachBatch(of: 6) { batch in
                seen += batch.map(\.number)
                try Plain.where { $0.number == 9 }.delete()
            }
            #expect(seen == [1, 2, 3, 4, 5, 6, 10, 11, 12, 13, 14, 15, 16, 17, 18])
        }
    }

    @Test func `batches contain the edited instances in memory`() throws {
        try withTemporarySession { session, _ throws in
            try fill(30, session)
            let all = try Plain.all()
            all[3].number = 1000
            var seen: [Plain] = []
            try Plain.query.forEachBatch(of: 7) { seen += $0 }
            #expect(zip(seen, all).allSatisfy { $0 === $1 } && seen.count == 30 && seen[3].number == 1000)
            #expect(seen[3].hasChanges)
        }
    }
}
