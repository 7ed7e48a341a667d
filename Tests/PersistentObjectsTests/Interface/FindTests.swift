import TestSupport
import Testing

@testable import PersistentObjects

/// Finding by id, all, first and count. Each row has one instance.
struct FindTests {
    final class Person: PersistentObject {
        override class var tableName: String { "person" }
        var name = ""
        var age = 0
    }

    final class Pet: PersistentObject {
        override class var tableName: String { "pet" }
        var name = ""
        var ownerID = 0 as Int64
    }

    /// Its index covers all columns that a query for all objects needs.
    final class Word: PersistentObject {
        override class var tableName: String { "word" }
        @Indexed var text = ""
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

    @Test func `an object in memory is found without SQL`() throws {
        try withTemporarySession { session, _ in
            let people = try Self.savePeople(3, session)
            let log = try statements(of: session) {
                let one = [
                    try Person.find(2), try Person.find(PersistentID<Person>(3)),
                    try session.object(for: PersistentID<Person>(1)),
                ]
                expect(one, [people[1], people[2], people[0]])
                try expect(Person.find([3, 1]), [people[2], people[0]])
                try expect(Person.findById(2), [people[1]])
            }
            #expect(log.isEmpty)
        }
    }

    @Test func `ids can have any integer type`() throws {
        try withTemporarySession { session, _ in
            let people = try Self.savePeople(3, session)
            let (int, small, large) = (people.count, UInt8(2), UInt64.max)
            #expect(try Person.find(int) === people[2] && Person.find(small) === people[1])
            #expect(try Person.find(large) == nil && Person.find([1, large]) == [people[0]])
            #expect(try Person.find([int, 1]) == [people[2], people[0]] && Person.find(1..<3).count == 2)
        }
    }

    @Test func `a string with a number is an id, and another string throws with a suggestion`() throws {
        try withTemporarySession { session, _ in
            let people = try Self.savePeople(3, session)
            let log = statements(of: session) {
                let odd = #expect(throws: StoreError.self) { try Person.find("007") }
                #expect(odd?.code == .noSuchProperty && odd?.message.hasSuffix("Write find(7)") == true)
                for keys in [["IS"], ["2", "IS"], [""], ["2 "], ["99999999999999999999"]] {
                    let other = #expect(throws: StoreError.self) { try Person.find(keys: keys) }
                    #expect(other?.code == .noSuchProperty && other?.message.contains("identity") == true)
                }
            }
            #expect(log.isEmpty)
            #expect(try Person.find("2") === people[1] && Person.find("7") == nil && Person.find("-1") == nil)
            #expect(try Person.find(keys: ["3", "9", "1"]) == [people[2], people[0]])
            try session.store.withSession { _ in
                #expect(try Person.find("3")?.id == 3)
                let found = try Person.find(keys: ["2", "1"])
                #expect(found.map(\.id) == [2, 1])
            }
        }
    }

    @Test func `an object not in memory is fetched once by its primary key`() throws {
        try withTemporarySession { session, _ in
            _ = try Self.savePeople(3, session)
            try session.store.withSession { inner in
                _ = try Person.count()
                var found: [Person?] = []
                let log = try statements(of: inner) { found = [try Person.find(2), try Person.find(2)] }
                expect(log, [#"SELECT "person"."id", "person"."name", "person"."age" FROM "person" WHERE "id" = ?"#])
                #expect(found[0] === found[1] && found[0]?.name == "P1" && found[0]?.hasChanges == false)
            }
        }
    }

    @Test func `an id without a row finds nil`() throws {
        try withTemporarySession { session, _ in
            #expect(try Person.find(1) == nil)
            _ = try Self.savePeople(1, session)
            for id in [0, 2, -1, .min, .max] as [Int64] {
                #expect(try Person.find(id) == nil)
                #expect(try Person.find([id]).isEmpty)
                #expect(try session.object(for: PersistentID<Person>(id)) == nil)
            }
            #expect(try Person.find([Int64]()).isEmpty)
        }
    }

    @Test func `objects are returned in the order of the ids, with duplicates and without missing rows`() throws {
        try withTemporarySession { session, _ in
            _ = try Self.savePeople(6, session)
            try session.store.withSession { inner in
                let two = try #require(try Person.find(2))
                var found: [Person] = []
                let log = try statements(of: inner) { found = try Person.find([5, 2, 99, 5, 1, 2, -3]) }
                expect(found.map(\.id), [5, 2, 5, 1, 2])
                #expect(found[1] === two && found[4] === two && found[0] === found[2])
                #expect(log.count == 1 && log[0].contains(TestEngine.isPostgres ? "= ANY (" : "json_each"))
                expect(Set(try Person.find(Set<Int64>([1, 6])).map(\.name)), ["P0", "P5"])
                try expect(Person.find(4...9).map(\.age), [3, 4, 5])
                try expect(Person.find([4, 3].lazy.map { Int64($0) }).map(\.age), [3, 2])
            }
        }
    }

    @Test func `100,000 ids are found`() throws {
        try withTemporarySession { session, file in
            _ = try Person.count()
            _ = try file.sqlite(
                """
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
                INSERT INTO person (id, name, age) SELECT i, 'P' || i, i FROM n;
                """)
            let some = try Person.find(Array(1...50))
            let log = try statements(of: session) {
                let found = try Person.find((1...100_000).reversed())
                #expect(found.count == 100_000 && found.first?.age == 100_000 && found.last === some[0])
                #expect(found.allSatisfy { $0.id == Int64($0.age) })
            }
            #expect(log.count == 1)
            #expect(
                try Person.find(stride(from: 100_002, to: 0, by: -50_000).map { Int64($0) }).map(\.age) == [50_002, 2])
            let count = try session.space(of: Person.self).identity.count
            withExtendedLifetime(some) { #expect(count == 50) }
        }
    }

    @Test func `all returns each row in id order, in memory or not`() throws {
        try withTemporarySession { session, _ in
            #expect(try Person.all().isEmpty && Person.first() == nil && Person.count() == 0)
            _ = try Self.savePeople(5, session)
            try session.store.withSession { _ in
                let three = try Person.find(3)
                let all = try Person.all()
                #expect(all.map(\.age) == [0, 1, 2, 3, 4] && all[2] === three)
                try expect(Person.all(), all)
                #expect(try Person.first() === all[0] && Person.count() == 5)
                try all[0].delete()
                #expect(try Person.first() === all[1] && Person.count() == 4)
            }
        }
    }

    @Test(arguments: [1, 5, 63, 64, 65, 200])
    func `all returns id order even if an index covers the query`(count: Int) throws {
        try withTemporarySession { session, _ in
            let words = (0..<count).map { number in
                let word = Word()
                word.text = "\((number * 7919) % count)"
                return word
            }
            try session.save(words)
            for round in 0..<3 {
                try expect(Word.all(), words, "round \(round)")
                #expect(try Word.first() === words[0])
                try session.store.withSession { _ in
                    let kept = try Word.all()
                    expect(kept.map(\.text), words.map(\.text), "round \(round)")
                    try expect(Word.all(), kept)
                }
            }
        }
    }

    @Test func `a released object leaves the identity map and is fetched again`() throws {
        try withTemporarySession { session, _ in
            let tracker = LifetimeTracker()
            final class Tracked: PersistentObject {
                override class var tableName: String { "tracked_rows" }
                @Transient var token: LifetimeTracker.Token?
                var name = ""
            }
            do {
                let object = Tracked()
                object.token = tracker.token()
                object.name = "first"
                try object.save()
                #expect(try Tracked.find(1)?.token != nil)
            }
            expect(tracker.liveCount, 0)
            let identity = try session.space(of: Tracked.self).identity
            expect(identity.count, 0)
            var again: Tracked?
            let log = try statements(of: session) { again = try Tracked.find(1) }
            #expect(log.count == 1 && again?.token == nil && again?.name == "first")
            #expect(identity.count == 1 && identity.brokenInvariant() == nil)
            again = nil
            expect(identity.count, 0)
        }
    }

    @Test func `edits are kept when a row is fetched again`() throws {
        try withTemporarySession { session, _ in
            let people = try Self.savePeople(2, session)
            people[0].name = "edited"
            #expect(try Person.all() == people && people[0].name == "edited" && people[0].hasChanges)
            #expect(try Person.findByAge(0).first === people[0])
            #expect(try Person.findByName("edited").isEmpty, "queries ask the database")
        }
    }

    @Test func `a row that a join returns twice is one instance`() throws {
        try withTemporarySession { session, _ in
            _ = try Self.savePeople(2, session)
            let pets = ([1, 1, 2, 1] as [Int64]).map { owner in
                let pet = Pet()
                pet.ownerID = owner
                return pet
            }
            try session.save(pets)
            try session.store.withSession { _ in
                _ = try Pet.count()
                let owners = try Person.findByCriteria("JOIN pet ON pet.owner_id = person.id ORDER BY pet.id")
                expect(owners.map(\.id), [1, 1, 2, 1])
                #expect(owners[0] === owners[1] && owners[0] === owners[3] && owners[0] !== owners[2])
                expect(owners[0].name, "P0", "columns of the joined table are not taken for the class's")
            }
        }
    }

    @Test func `objects of different sessions are different`() throws {
        try withTemporarySession { session, _ in
            let person = try Self.savePeople(1, session)[0]
            try session.store.withSession { inner in
                let other = try Person.find(1)
                #expect(other !== person && other != person && other?.persistentID == person.persistentID)
                #expect(try inner.object(for: PersistentID<Person>(1)) === other)
            }
            #expect(try Person.find(1) === person)
        }
    }

    @Test func `objects are equal and hash by instance`() throws {
        try withTemporarySession { session, _ in
            let people = try Self.savePeople(2, session)
            expect(Set([people[0], try Person.find(1), people[1]].compactMap { $0 }).count, 2)
            #expect(people[0] != people[0].copy())
        }
    }
}
