import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Lists as arguments of `IN` in criteria and raw SQL.
struct ListSpliceTests {
    enum Status: String, CaseIterable { case active, retired, gone }

    final class Person: PersistentObject {
        override class var tableName: String { "person" }
        var name = ""
        var age: Int?
        var born = Date(timeIntervalSinceReferenceDate: 0)
        var uuid = UUID()
        var status = Status.active
        var price = Decimal(0)
        @Column("weight") var mass = 0.0
        var employer: Company?
    }

    final class Company: PersistentObject {
        override class var tableName: String { "company" }
        override class var identity: Identity { .string }
        var name = ""
    }

    /// Saves six people, P0 without an age and P1 to P5 aged 10 to 50. Every second person works at Acme.
    private func withPeople(_ body: (Session, [Person]) throws -> Void) throws {
        try withTemporarySession { session, _ in
            let acme = try Company(key: "acme")
            acme.name = "Acme"
            let people = (0..<6).map { number in
                let person = Person()
                (person.name, person.age) = ("P\(number)", number == 0 ? nil : number * 10)
                person.born = Date(timeIntervalSinceReferenceDate: Double(number) / 3)
                person.status = Status.allCases[number % 3]
                (person.price, person.mass) = (Decimal(number) / 4, Double(number) * 0.1)
                person.employer = number % 2 == 0 ? acme : nil
                return person
            }
            try session.save([acme] + people)
            try withExtendedLifetime(people) { try body(session, people) }
            expect(session.busyStatementCount, 0)
        }
    }

    /// The numbers of the people.
    private func numbers(_ people: [Person]) -> [Int] { people.compactMap { Int($0.name.dropFirst()) } }

    @Test(
        arguments: [
            "age IN (?)", "age IN ?", "age in(?)", "(age) IN /* these */ ( ? )", "age\nIN\n?1", "person.age IN (?1)",
        ] + (TestEngine.isPostgres ? [] : ["\"age\" IN (:ages)", "[age] IN @ages", "NOT age NOT IN ($ages)"]))
    func `a list argument works in each spelling of IN`(text: String) throws {
        try withPeople { _, people throws in
            expect(numbers(try Person.findByCriteria("WHERE \(text) ORDER BY id", [10, 30, 7])), [1, 3])
            try expect(Person.countByCriteria("WHERE \(text)", [50]), 1)
            #expect(try Person.findByCriteria("WHERE \(text)", [Int]()).isEmpty)
            try expect(Person.countByCriteria("WHERE \(text)", Set([10, 20])), 2)
            try expect(Person.countByCriteria("WHERE \(text)", [10, 20, 30, 40][1...2]), 2)
        }
    }

    @Test(.onSQLite("PostgreSQL compares no bytes with numbers"))
    func `lists can contain all values that a column can hold`()
        throws
    {
        try withPeople { session, people throws in
            let two = Array(people[2...3])
            let calls: [(String, Any?, [Int])] = [
                ("name", ["P1", "P4"], [1, 4]), ("name", ["P1"[...], "x"], [1]), ("status", [Status.retired], [1, 4]),
                ("status", ["gone", "active"], [0, 2, 3, 5]), ("born", two.map(\.born), [2, 3]),
                ("uuid", two.map(\.uuid), [2, 3]), ("price", two.map(\.price), [2, 3]),
                ("price", [0.25, 1] as [Decimal], [1, 4]), ("weight", people.prefix(4).map(\.mass), [0, 1, 2, 3]),
                ("weight", [0.1 as Float, 0], [0]), ("id", two, [2, 3]), ("id", two.map(\.persistentID), [2, 3]),
                ("id", [two[0], two[1].persistentID as Any] as [Any], [2, 3]), ("age", [10.0, 20.5], [1]),
                ("age", [10, nil] as [Int?], [1]), ("age", [UInt16(10), 50], [1, 5]), ("age", [10, 50] as [UInt8], []),
                ("name", ["P1\0", "P2"], [2]),
                ("employer_id", [people[0].employer], [0, 2, 4]),
                ("employer_id", [PersistentID<Company>(0, key: "acme")], [0, 2, 4]),
                ("employer.name", ["Acme", "x"], [0, 2, 4]), ("age", [DatabaseValue.integer(20)], [2]),
            ]
            for (column, list, wanted) in calls {
                let text = "\(column) IN (?)"
                let found = try Person.findByCriteria("WHERE \(text) ORDER BY person.id", list)
                #expect(numbers(found) == wanted, "\(column) \(list as Any)")
                guard !column.contains(".") else { continue }
                let rows = try session.rows("SELECT id - 1 FROM person WHERE \(text) ORDER BY id", list)
                // SQL compares the strings of a Decimal column.
                #expect(
                    rows.map { $0[0] } == wanted.map { .integer(Int64($0)) } || column == "price",
                    "\(column) \(list as Any)")
            }
        }
    }

    @Test(.onSQLite("PostgreSQL's arguments have no names")) func `lists and single values can be combined`() throws {
        try withPeople { session, _ throws in
            expect(
                numbers(
                    try Person.findByCriteria(
                        "WHERE name NOT IN (?) AND age < ? AND status IN ? ORDER BY id", ["P1"], 45,
                        [Status.retired, .gone])), [2, 4])
            try expect(Person.countByCriteria("WHERE age IN (?2) AND age > ?1", 15, [10, 20, 30]), 2)
            try expect(Person.countByCriteria("WHERE age IN (:a) OR id IN (:a)", [10, 1]), 2)
            try expect(
                session.rows("SELECT age IN (?1) AS a, ?1 AS b FROM person WHERE id = 2", [10])[0].values,
                [.integer(1), .text("[10]")])
            try expect(
                session.rows("SELECT ? AS a, x.value FROM json_each(?) AS x WHERE x.value IN (?)", [1], [2, 3], [3])
                    .map(\.values), [[.text("[1]"), .integer(3)]])
            try expect(session.execute("UPDATE person SET age = 1 WHERE age IN (?)", [10, 20]), 2)
            try expect(session.execute("DELETE FROM person WHERE age NOT IN ?", [1, 30]), 2)
        }
    }

    @Test func `a value that is not a list, and a list outside IN, are bound as before`() throws {
        try withPeople { session, _ throws in
            try expect(Person.countByCriteria("WHERE age IN (?)", 10), 1)
            try expect(Person.countByCriteria("WHERE age IN (?)", nil), 0)
            try expect(Person.countByCriteria("WHERE age IN (?, ?)", 10, 20), 2)
            try expect(session.rows("SELECT 'IN (?)', ? /* IN (?) */", [1])[0].values, [.text("IN (?)"), .text("[1]")])
            let error = #expect(throws: StoreError.self) { try Person.countByCriteria("WHERE age IN ?", 10) }
            expect(error?.code, .invalidSQL)
            #expect(throws: StoreError.self) { try Person.countByCriteria("WHERE age IN (?)", [Person()]) }
            #expect(throws: StoreError.self) { try Person.countByCriteria("WHERE age IN (?)", [[1]]) }
            #expect(throws: StoreError.self) { try Person.countByCriteria("WHERE age IN (?)", [Double.nan]) }
            #expect(throws: StoreError.self) { try Person.countByCriteria("WHERE age IN (?)", [1], [2]) }
            #expect(throws: StoreError.self) { try Person.countByCriteria("WHERE age IN (?99999999999999999999)", [1]) }
        }
    }

    @Test(.onSQLite("PostgreSQL has no texts with a NUL in them")) func `strings in a list never become SQL`() throws {
        try withPeople { session, people throws in
            let hostile = ["') OR 1 --", "\"]') --", "t", "n", "i1", "\\u0041", "P1"]
            expect(numbers(try Person.findByCriteria("WHERE name IN (?)", hostile)), [1])
            try expect(session.rows("SELECT name FROM person WHERE name IN (?)", hostile + ["\0"]).count, 1)
            try expect(Person.count(), people.count)
        }
    }

    @Test func `100,000 values take one statement`() throws {
        try withPeople { session, _ throws in
            let log = try statements(of: session) { () throws in
                for count in [1, 10, 100_000] {
                    try expect(Person.countByCriteria("WHERE id IN (?)", Array(2...count + 1)), min(count, 5))
                    try expect(
                        Person.countByCriteria("WHERE name NOT IN (?)", (1...count).map { "P\($0)" }), max(1, 6 - count)
                    )
                }
            }
            expect(Set(log.filter { $0.contains(" IN (") }).count, 2)
        }
    }
}
