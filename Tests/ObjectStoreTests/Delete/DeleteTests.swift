import TestSupport
import Testing

@testable import PersistentObjects

/// Deletions: rows are deleted, and objects keep their values and are marked as deleted.
struct DeleteTests {
    final class Person: PersistentObject {
        override class var tableName: String { "person" }
        var name = ""
        var age = 0
    }

    final class Pet: PersistentObject {
        override class var tableName: String { "pet" }
        var name = ""
    }

    private static func savePeople(_ count: Int, _ session: Session) throws -> [Person] {
        let people = (0..<count).map { number in
            let person = Person()
            person.name = "P\(number)"
            person.age = number % 4
            return person
        }
        try session.save(people)
        return people
    }

    @Test func `a deleted object keeps its values and id, and is no longer found`() throws {
        try withTemporarySession { session, file in
            let people = try Self.savePeople(2, session)
            people[0].age = 33
            let log = try statements(of: session) { try people[0].delete() }
            expect(log, ["BEGIN IMMEDIATE", #"DELETE FROM "person" WHERE "id" = ?"#, "COMMIT"])
            #expect(people[0].isDeleted && !people[0].isNew && people[0].id == 1)
            #expect(people[0].name == "P0" && people[0].age == 33)
            #expect(!people[0].hasChanges && people[0].changes.isEmpty)
            #expect(try Person.find(1) == nil && Person.all() == [people[1]] && Person.findByName("P0").isEmpty)
            try expect(file.sqlite("SELECT group_concat(id) FROM person"), "2")
            people[0].revert()
            expect(people[0].age, 33)
        }
    }

    @Test func `deleting an object twice is allowed, and deleting a new object is misuse`() throws {
        try withTemporarySession { session, _ in
            let people = try Self.savePeople(2, session)
            try people[0].delete()
            let log = try statements(of: session) { try people[0].delete() }
            #expect(log.isEmpty)
            try session.delete([people[1], people[0], people[1]])
            #expect(people.allSatisfy { $0.isDeleted })
            for delete in [{ try Person().delete() }, { try session.delete([people[0], Person()]) }] {
                let error = #expect(throws: StoreError.self) { try delete() }
                #expect(error?.code == .misuse && error?.className == "Person")
            }
            try session.delete([])
        }
    }

    @Test func `a session saves and deletes a single object`() throws {
        try withTemporarySession { session, _ in
            let (one, other) = (Person(), Person())
            try session.save(one)
            try session.save(other)
            try session.delete(one as PersistentObject)
            #expect(one.isDeleted && !other.isNew && !other.isDeleted)
            try expect(Person.count(), 1)
        }
    }

    @Test func `a list that contains a new object deletes nothing`() throws {
        try withTemporarySession { session, file in
            let people = try Self.savePeople(2, session)
            #expect(throws: StoreError.self) { try session.delete(people + [Person()]) }
            #expect(people.allSatisfy { !$0.isDeleted })
            try expect(file.sqlite("SELECT count(*) FROM person"), "2")
        }
    }

    @Test(arguments: [1, 63, 64, 65, 130])
    func `a list of any length and of several classes is deleted in one transaction`(count: Int) throws {
        try withTemporarySession { session, file in
            let people = try Self.savePeople(count + 1, session)
            let pet = Pet()
            try pet.save()
            var random = SeededGenerator(seed: 7)
            let log = try statements(of: session) {
                try session.delete(people.dropLast().shuffled(using: &random) + [pet])
            }
            expect(log.filter { $0 == "COMMIT" }.count, 1)
            #expect(people.map(\.isDeleted) == Array(repeating: true, count: count) + [false] && pet.isDeleted)
            try expect(file.sqlite("SELECT id FROM person"), "\(count + 1)")
            try expect(file.sqlite("SELECT count(*) FROM pet"), "0")
            #expect(try session.space(of: Person.self).identity.brokenInvariant() == nil)
        }
    }

    @Test func `ids are never reused`() throws {
        try withTemporarySession { session, _ in
            try session.delete(try Self.savePeople(5, session))
            let next = try Self.savePeople(1, session)[0]
            expect(next.id, 6)
            try Person.deleteAll()
            try expect(Self.savePeople(30, session).first?.id, 7)
        }
        let file = try TemporaryStore()
        try file.open().withSession { session in try session.delete(try Self.savePeople(3, session)) }
        let next = try file.open().withSession { session in try Self.savePeople(1, session)[0].id }
        expect(next, 4)
    }

    @Test func `a copy of a deleted object can be saved`() throws {
        try withTemporarySession { session, file in
            let person = try Self.savePeople(1, session)[0]
            try person.delete()
            let copy = person.copy()
            #expect(copy.isNew && !copy.isDeleted && copy.id == nil && copy.name == "P0")
            try copy.save()
            #expect(copy.id == 2 && person.id == 1)
            try expect(file.sqlite("SELECT * FROM person"), "2|P0|0")
        }
    }

    @Test func `deleteAll deletes all rows of the class, in memory or not, and returns their number`() throws {
        try withTemporarySession { session, file in
            try expect(Person.deleteAll(), 0)
            let people = try Self.savePeople(3, session)
            _ = try file.sqlite("INSERT INTO person (name, age) VALUES ('theirs', 1)")
            let pet = Pet()
            try pet.save()
            try expect(Person.deleteAll(), 4)
            #expect(people.allSatisfy { $0.isDeleted && !$0.name.isEmpty } && !pet.isDeleted)
            #expect(try Person.count() == 0 && Pet.count() == 1)
            #expect(throws: StoreError.self) { try people[0].save() }
            try expect(session.space(of: Person.self).identity.count, 0)
        }
    }

    @Test func `delete finders delete rows, and their objects in memory become deleted`() throws {
        try withTemporarySession { session, file in
            let people = try Self.savePeople(12, session)
            #expect(try Person.deleteBy.age(1) == 3)
            #expect(people.map(\.isDeleted) == people.map { $0.age == 1 })
            let count: Int = try Person.deleteByAge(2)
            #expect(count == 3)
            let gone: [Person] = try Person.deleteByAgeOrName(3, "P0")
            #expect(gone.map(\.id) == [1, 4, 8, 12] && gone.allSatisfy { $0.isDeleted })
            #expect(gone[0] === people[0])
            try Person.deleteByName("nobody")
            try Person.deleteBy.name("nobody")
            try Person.deleteById(5)
            #expect(people.filter { !$0.isDeleted }.map(\.id) == [9])
            #expect(try file.sqlite("SELECT id FROM person") == "9")
            #expect(try session.space(of: Person.self).identity.brokenInvariant() == nil)
        }
    }

    @Test func `a delete finder deletes rows that are not in memory and loads no objects to return a count`() throws {
        try withTemporarySession { session, file in
            _ = try Self.savePeople(8, session)
            try session.store.withSession { inner in
                _ = try Person.count()
                var count = 0
                let log = try statements(of: inner) { count = try Person.deleteBy.age(1) }
                expect(count, 2)
                #expect(log.contains(#"SELECT "person"."id" FROM "person" WHERE "person"."age" = ?1"#))
                expect(log.filter { $0 == "COMMIT" }.count, 1)
            }
            try expect(file.sqlite("SELECT count(*) FROM person"), "6")
        }
    }

    @Test func `a deletion that the database refuses changes nothing`() throws {
        try withTemporarySession { session, file in
            let people = try Self.savePeople(70, session)
            _ = try file.sqlite(
                "CREATE TRIGGER no BEFORE DELETE ON person WHEN old.id = 70 BEGIN SELECT RAISE(ABORT, 'kept'); END")
            for delete in [
                { try session.delete(people) }, { _ = try Person.deleteAll() }, { _ = try Person.deleteBy.age(1) },
                { try people[69].delete() }, { try Person.deleteByName("P69") },
            ] {
                let error = #expect(throws: StoreError.self) { try delete() }
                #expect(error?.code == .constraint && error?.className == "Person")
            }
            #expect(people.allSatisfy { !$0.isDeleted })
            #expect(try file.sqlite("SELECT count(*) FROM person") == "70")
        }
    }

    @Test func `a deleted object outlives its session`() throws {
        let file = try TemporaryStore()
        let person = try file.open().withSession { session in
            let person = try Self.savePeople(1, session)[0]
            try person.delete()
            return (person.isDeleted, person.name)
        }
        #expect(person.0 && person.1 == "P0")
    }

    /// Runs of neighbors are deleted by id range: rows inside the range that are not to be deleted must stay.
    @Test(arguments: SeededGenerator.seeds(12))
    func `of many neighbors, exactly the deleted objects' rows are removed`(seed: UInt64) throws {
        try withTemporarySession { session, file in
            var random = SeededGenerator(seed: seed)
            let people = try Self.savePeople(Int.random(in: 64..<500, using: &random), session)
            // From no gap to a gap at every second object, in random order.
            let gap = [2000, 150, 40, 2][Int(seed % 4)]
            let (gone, kept) = people.reduce(into: ([Person](), [Person]())) { parts, person in
                if Int.random(in: 0..<gap, using: &random) == 0 {
                    parts.1.append(person)
                } else {
                    parts.0.append(person)
                }
            }
            try session.delete(gone.shuffled(using: &random))
            #expect(gone.allSatisfy(\.isDeleted) && !kept.contains(where: \.isDeleted))
            let left = try file.sqlite("SELECT id FROM person ORDER BY id")
            expect(left, kept.map { "\($0.id ?? 0)" }.joined(separator: "\n"))
        }
    }

    @Test func `many objects are deleted with few statements`() throws {
        try withTemporarySession { session, _ in
            let people = try Self.savePeople(2 * 1200, session)
            func deletions(of people: [Person]) throws -> [String] {
                try statements(of: session) { try session.delete(people) }.filter { $0.hasPrefix("DELETE") }
            }
            let neighbors = try deletions(of: Array(people[..<131]))
            expect(neighbors.count, 1)
            #expect(neighbors[0].contains("BETWEEN"))
            // Every second object.
            let others = try deletions(of: people[131...].indices.filter { $0 % 2 == 0 }.map { people[$0] })
            expect(others.count, 2)
            #expect(!others.contains { $0.contains("BETWEEN") })
        }
    }

    @Test(arguments: [1, 2])
    func `a refused deletion of many objects names the row`(step: Int) throws {
        try withTemporarySession { session, file in
            let people = try Self.savePeople(200, session)
            _ = try file.sqlite(
                "CREATE TRIGGER no BEFORE DELETE ON person WHEN old.id = 99 BEGIN SELECT RAISE(ABORT, 'kept'); END")
            let part = stride(from: 0, to: 200, by: step).map { people[$0] }
            let error = #expect(throws: StoreError.self) { try session.delete(part) }
            expect(error?.rowID, 99)
            try expect(file.sqlite("SELECT count(*) FROM person"), "200")
        }
    }
}
