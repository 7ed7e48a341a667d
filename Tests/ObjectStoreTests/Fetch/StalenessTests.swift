import TestSupport
import Testing

@testable import PersistentObjects

/// Rows changed by other sessions or programs: the next query refreshes the objects and keeps their edits.
struct StalenessTests {
    struct Tags: Codable { var all: [String] = [] }

    final class Person: PersistentObject {
        override class var tableName: String { "person" }
        @Indexed var name = ""
        var age: Int?
        var tags = Tags()
        @Transient var reads = 0
    }

    final class Other: PersistentObject {
        override class var tableName: String { "other" }
        var name = ""
    }

    private static func savePeople(_ count: Int, _ session: Session) throws -> [Person] {
        let people = (0..<count).map { number in
            let person = Person()
            person.name = "P\(number)"
            person.age = number
            return person
        }
        try session.save(people)
        return people
    }

    /// The writer that changes rows.
    enum Writer: CaseIterable { case session, process, rawSQL }

    private static func write(_ writer: Writer, _ sql: String, _ session: Session, _ file: TemporaryStore) throws {
        switch writer {
        case .process: _ = try file.sqlite(sql)
        case .session: try session.store.withSession { try $0.connection.execute(SQL(RawSQL(sql))) }
        case .rawSQL:
            let other = try Store(file.path)
            try other.withSession { try $0.connection.execute(SQL(RawSQL(sql))) }
        }
    }

    @Test(arguments: Writer.allCases)
    func `the next query refreshes properties that were not edited`(writer: Writer) throws {
        try withTemporarySession { session, file in
            let people = try Self.savePeople(3, session)
            people[0].age = 77
            try Self.write(
                writer,
                "UPDATE person SET name = name || '!', age = age + 10, tags = CAST('{\"all\":[\"a\"]}' AS BLOB)",
                session, file)
            #expect(people[1].name == "P1", "nothing changes before a query")
            #expect(try Person.all() == people)
            #expect(people.map(\.name) == ["P0!", "P1!", "P2!"] && people.map(\.age) == [77, 11, 12])
            #expect(people.allSatisfy { $0.tags.all == ["a"] })
            #expect(
                people[0].changes.map(\.description) == ["age: 0 -> 77"], "the old value is what the edit began with")
            #expect(!people[1].hasChanges && !people[2].hasChanges)
            let error = #expect(throws: StoreError.self) { try people[0].save() }
            #expect(error?.code == .staleObject)
            try people[0].save(.onConflict(.mine))
            #expect(try file.sqlite("SELECT name, age FROM person WHERE id = 1") == "P0!|77")
        }
    }

    private static let queries: [(String, @Sendable () throws -> [Person])] = [
        ("all", { try Person.all() }), ("first", { try Person.first().map { [$0] } ?? [] }),
        ("dynamic", { try Person.findByNameOrName("P0", "new") }),
        ("dynamic first", { try Person.findFirst5ByAge(0) }), ("typed", { try Person.findBy.age(0) }),
        ("typed first", { try Person.findFirstBy.age(0).map { [$0] } ?? [] }),
        ("typed only", { [try Person.findOnlyBy.age(0)] }),
        ("criteria", { try Person.findByCriteria("WHERE id = ?", 1) }),
        ("list with a missing one", { try Person.all().prefix(1) + Person.find([2]) }),
    ]

    @Test(arguments: queries.indices)
    func `each kind of query refreshes objects`(index: Int) throws {
        try withTemporarySession { session, file in
            let person = try Self.savePeople(1, session)[0]
            _ = try Person.all()
            _ = try file.sqlite("UPDATE person SET name = 'new'")
            try expect(Self.queries[index].1(), [person])
            #expect(person.name == "new" && !person.hasChanges)
        }
    }

    @Test func `finding an object in memory by id runs no SQL and refreshes nothing`() throws {
        try withTemporarySession { session, file in
            let person = try Self.savePeople(1, session)[0]
            _ = try file.sqlite("UPDATE person SET name = 'new'")
            let log = try statements(of: session) { _ = (try Person.find(1), try Person.find([1])) }
            #expect(log.isEmpty && person.name == "P0")
            #expect(try Person.count() == 1 && person.name == "P0", "counting reads no rows")
            _ = try Person.all()
            expect(person.name, "new")
        }
    }

    @Test func `an object is refreshed by the first query that returns its row, however late`() throws {
        try withTemporarySession { session, file in
            let people = try Self.savePeople(4, session)
            _ = try file.sqlite("UPDATE person SET name = 'new ' || id")
            _ = try Person.findByAge(0)
            expect(people.map(\.name), ["new 1", "P1", "P2", "P3"])
            try people[1].delete()
            try Other().save()
            _ = try Person.findByAge(2)
            _ = try file.sqlite("UPDATE person SET age = age + 100 WHERE id = 1")
            _ = try Person.findByAge(3)
            #expect(people.map(\.name) == ["new 1", "P1", "new 3", "new 4"] && people[0].age == 0)
            _ = try Person.all()
            expect(people[0].age, 100)
        }
    }

    @Test func `the session's own commits refresh nothing`() throws {
        try withTemporarySession { session, _ in
            let people = try Self.savePeople(3, session)
            people[0].age = 49
            try people[0].save()
            let epoch = session.memory.epoch
            for round in 0..<5 {
                people[0].age = 50 + round
                try people[0].save()
                try Other().save()
                #expect(try Array(Person.all().prefix(3)) == people)
                try session.save(try Self.savePeople(2, session).map { $0.copy() })
                try Person.deleteBy.age(0)
                try Self.savePeople(1, session)[0].delete()
            }
            #expect(session.memory.epoch == epoch && people.allSatisfy { $0.freshness == epoch })
            try session.store.withSession { _ in try Other().save() }
            _ = try Person.findBy.id(1)
            #expect(
                session.memory.epoch == epoch + 1 && people[0].freshness == epoch + 1 && people[1].freshness == epoch)
        }
    }

    @Test func `a change by another program between two saves of this session is not missed`() throws {
        try withTemporarySession { session, file in
            let people = try Self.savePeople(2, session)
            _ = try file.sqlite("UPDATE person SET name = 'new'")
            people[0].age = 9
            try people[0].save()
            try Other().save()
            _ = try Person.all()
            #expect(people.map(\.name) == ["new", "new"] && people.map(\.age) == [9, 1])
        }
    }

    @Test(arguments: [3, 64, 65, 300])
    func `fetching all objects again sees each change by another program`(count: Int) throws {
        try withTemporarySession { session, file in
            var people = try Self.savePeople(count, session)
            for round in 0..<3 { try expect(Person.all(), people, "\(round)") }
            _ = try file.sqlite("UPDATE person SET name = 'new' WHERE id = 2")
            #expect(try Person.all() == people && people[1].name == "new")
            _ = try file.sqlite("DELETE FROM person WHERE id = 1; INSERT INTO person (name) VALUES ('theirs')")
            let all = try Person.all()
            #expect(all.count == count && all.last?.name == "theirs" && all.dropLast() == people[1...])
            #expect(people[0].name == "P0" && !people[0].isDeleted)
            try expect(Person.all(), all)
            people.removeLast()
            try expect(Person.all(), all)
            try session.store.withSession { _ in try Self.change(2, to: "session") }
            #expect(try Person.all() == all && all[0].name == "session")
            try all[0].delete()
            try expect(Person.all(), Array(all.dropFirst()))
            try Person.deleteAll()
            #expect(try Person.all().isEmpty)
        }
    }

    private static func change(_ id: Int64, to name: String) throws {
        let person = try #require(try Person.find(id))
        person.name = name
        try person.save()
    }

    @Test func `fetching all objects again recreates objects that were released`() throws {
        try withTemporarySession { session, _ in
            var people = try Self.savePeople(100, session)
            try expect(Person.all(), people)
            people.removeSubrange(40..<45)
            let all = try Person.all()
            #expect(all.count == 100 && all.map(\.name) == (0..<100).map { "P\($0)" })
            expect(Array(all[..<40] + all[45...]), people)
            people = []
        }
    }

    @Test func `an object whose row another session deleted stays in memory, is not saved and can be deleted`() throws {
        try withTemporarySession { session, file in
            let people = try Self.savePeople(2, session)
            try session.store.withSession { _ in _ = try Person.deleteBy.id(1) }
            #expect(try Person.all() == [people[1]])
            #expect(!people[0].isDeleted && people[0].name == "P0")
            #expect(try Person.find(1) === people[0], "the map does not know yet")
            people[0].name = "edited"
            #expect(throws: StoreError.self) { try people[0].save() }
            try people[0].delete()
            #expect(try Person.find(1) == nil)
            #expect(try file.sqlite("SELECT count(*) FROM person") == "1")
        }
    }

    @Test func `a property set to the value that the row now has is no longer edited`() throws {
        try withTemporarySession { session, file in
            let person = try Self.savePeople(1, session)[0]
            person.name = "same"
            person.tags.all = ["x"]
            _ = try file.sqlite("UPDATE person SET name = 'same', tags = CAST('{\"all\":[\"x\"]}' AS BLOB)")
            _ = try Person.all()
            #expect(!person.hasChanges && person.name == "same" && person.tags.all == ["x"])
        }
    }

    @Test func `a refresh of an undecodable row names class, property and row, and other rows stay readable`() throws {
        try withTemporarySession { session, file in
            let people = try Self.savePeople(2, session)
            _ = try file.sqlite(
                "UPDATE person SET tags = X'00' WHERE id = 1; UPDATE person SET name = 'new' WHERE id = 2")
            let error = #expect(throws: StoreError.self) { try Person.all() }
            #expect(error?.code == .typeMismatch && error?.className == "Person" && error?.property == "tags")
            #expect(error?.rowID == 1 && people[0].tags.all.isEmpty)
            try expect(Person.findBy.name("new"), [people[1]])
            expect(people[1].name, "new")
        }
    }

    @Test func `sessions of an in-memory store see each other's commits`() throws {
        let store = try Store.inMemory()
        try store.withSession { session in
            let person = try Self.savePeople(1, session)[0]
            try store.withSession { _ in try Self.change(1, to: "new") }
            _ = try Person.all()
            expect(person.name, "new")
        }
    }
}
