import TestSupport
import Testing

@testable import PersistentObjects

/// References are read with their objects, in batches, and lead to the same instances everywhere.
struct ReferenceTests {
    class Company: PersistentObject {
        override class var tableName: String { "company" }
        var name = ""
        var owner: Person?
    }

    final class Bank: Company { var vault = 0 }

    final class Person: PersistentObject {
        override class var tableName: String { "person" }
        @Indexed var name = ""
        var employer: Company?
        var bank: Bank?
        var friend: Person?
    }

    /// A class whose `init()` sets a reference.
    final class Team: PersistentObject {
        override class var tableName: String { "team" }
        var name = ""
        var leader: Player? = Player()
    }

    final class Player: PersistentObject {
        override class var tableName: String { "player" }
        var name = "made by init"
    }

    static func person(_ name: String) -> Person {
        let person = Person()
        person.name = name
        return person
    }

    private static func selects(_ session: Session, _ body: () throws -> Void) rethrows -> [String] {
        try statements(of: session, body).filter { $0.hasPrefix("SELECT") }
    }

    @Test func `a reference is fetched with its object, as an instance of its row's class`() throws {
        try withTemporaryStore { store, file throws in
            try store.withSession { _ throws in
                let joe = Self.person("Joe")
                let bank = Bank()
                bank.name = "Acme"
                bank.vault = 7
                joe.employer = bank
                joe.bank = bank
                try joe.save()
            }
            try expect(file.sqlite("SELECT employer_id, bank_id, friend_id FROM person"), "1|1|")
            try store.withSession { session throws in
                let joe = try #require(try Person.find(1))
                let log = try statements(of: session) { () throws in
                    #expect(joe.employer === joe.bank && joe.bank?.vault == 7 && joe.employer?.name == "Acme")
                    #expect(joe.friend == nil && !joe.hasChanges && joe.employer?.hasChanges == false)
                    #expect(try Bank.find(1) === joe.bank && Company.find(1) === joe.bank)
                }
                #expect(log.isEmpty)
            }
        }
    }

    @Test func `fetches of references to self, to each other and in rings terminate`() throws {
        try withTemporaryStore { store, _ throws in
            try store.withSession { session throws in
                let people = (0..<6).map { Self.person("P\($0)") }
                people[0].friend = people[0]
                people[1].friend = people[2]
                people[2].friend = people[1]
                for index in 3..<6 { people[index].friend = people[index == 5 ? 3 : index + 1] }
                let company = Company()
                company.owner = people[0]
                people[0].employer = company
                try session.save(people)
                #expect(people.allSatisfy { !$0.hasChanges } && !company.hasChanges)
                for person in people { person.revert() }
                Self.unlink(people)
            }
            try store.withSession { _ throws in
                let people = try Person.all()
                #expect(people[0].friend === people[0])
                #expect(people[1].friend === people[2] && people[2].friend === people[1])
                #expect(people[3].friend?.friend?.friend === people[3])
                #expect(people[0].employer?.owner === people[0])
                #expect(people.allSatisfy { !$0.hasChanges })
                Self.unlink(people)
            }
        }
    }

    /// Breaks the cycles, because objects that refer to each other would outlive the test.
    private static func unlink(_ people: [Person]) {
        for person in people {
            person.friend = nil
            person.employer = nil
        }
    }

    @Test func `a thousand persons with fifty companies take two queries`() throws {
        try withTemporaryStore { store, _ throws in
            try store.withSession { session throws in
                let companies = (0..<50).map { _ in Company() }
                let people = (0..<1000).map { Self.person("P\($0)") }
                for (index, person) in people.enumerated() where index != 3 { person.employer = companies[index % 50] }
                try session.save(people)
            }
            try store.withSession { session throws in
                var people: [Person] = []
                let log = try Self.selects(session) { people = try Person.all() }
                expect(log.count, 2, "\(log)")
                #expect(people.count == 1000 && people[3].employer == nil)
                expect(Set(people.compactMap { $0.employer.map { ObjectIdentifier($0) } }).count, 50)
                #expect(people[7].employer === people[57].employer)
                try expect(Self.selects(session) { people = try Person.all() }.count, 1)
            }
            try store.withSession { session throws in
                let held = try Company.all()
                let log = try Self.selects(session) { _ = try Person.findBy.name("P7") }
                expect(log.count, 1, "its company is in memory")
                expect(held.count, 50)
            }
        }
    }

    @Test(arguments: [1, 2, 17])
    func `the first two levels of references take one query each`(levels: Int) throws {
        try withTemporaryStore { store, _ throws in
            try store.withSession { session throws in
                // Separate lists: on each level, three rows are not in memory.
                var below: [Person] = []
                for level in 0...levels {
                    let people = (0..<3).map { Self.person("\(level).\($0)") }
                    for (person, friend) in zip(people, below.reversed()) { person.friend = friend }
                    below = people
                }
                try session.save(below)
            }
            try store.withSession { session throws in
                var people: [Person] = []
                let log = try Self.selects(session) {
                    people = try Person.findByCriteria("WHERE name LIKE ?", "\(levels).%")
                }
                #expect(log.count == min(levels, 2) + 1 && people.count == 3, "a query that reads on begins with WITH")
                var depth = 0
                var next = people.first?.friend
                while let person = next { (depth, next) = (depth + 1, person.friend) }
                expect(depth, levels)
            }
        }
    }

    @Test func `a reference set by init() is replaced by the row's value`() throws {
        let lost = Store.Configuration(lostEdits: .report { _ in Issue.record("an edit was lost") })
        try withTemporaryStore(lost) { store, file throws in
            try store.withSession { session throws in
                let teams = (0..<3).map { _ in Team() }
                teams[0].leader = nil
                teams[1].leader?.name = "Ann"
                teams[2].leader = teams[1].leader
                try session.save(teams)
            }
            #expect(try file.sqlite("SELECT id, name FROM player") == "1|Ann")
            try store.withSession { session throws in
                let teams = try Team.all()
                #expect(teams[0].leader == nil && teams[1].leader?.name == "Ann")
                #expect(teams[1].leader === teams[2].leader && teams.allSatisfy { !$0.hasChanges })
                try session.saveChanges()
                #expect(try Player.count() == 1)
            }
        }
    }

    @Test func `a fetch of all objects by ids creates missing objects with their references`() throws {
        try withTemporarySession { session, _ throws in
            let company = Company()
            var people = (0..<100).map { Self.person("P\($0)") }
            for person in people { person.employer = company }
            try session.save(people)
            _ = try Person.all()
            people.removeSubrange(40..<45)
            var all: [Person] = []
            let log = try Self.selects(session) { all = try Person.all() }
            #expect(log.count == 2 && log[0].hasPrefix("SELECT \"person\".\"id\" FROM"), "\(log)")
            #expect(all.count == 100 && all.allSatisfy { $0.employer === company && !$0.hasChanges })
            #expect(Array(all[..<40] + all[45...]) == people)
        }
    }

    @Test func `each way to find an object loads its references`() throws {
        try withTemporaryStore { store, _ throws in
            try store.withSession { _ throws in
                let ann = Self.person("Ann")
                ann.friend = Self.person("Bob")
                try ann.save()
            }
            let ways: [() throws -> Person?] = [
                { try Person.findByName("Ann").first }, { try Person.findFirstByName("Ann") },
                { try Person.findBy.name("Ann").first }, { try Person.findFirstBy.name("Ann") },
                { try Person.findOnlyBy.name("Ann") }, { try Person.findFirstByCriteria("WHERE name = ?", "Ann") },
                { try Person.find([1, 2]).first { $0.name == "Ann" } }, { try Person.all().first { $0.name == "Ann" } },
                { try Person.find(PersistentID(1)).flatMap { $0.name == "Ann" ? $0 : try Person.find(2) } },
            ]
            for (index, find) in ways.enumerated() {
                try store.withSession { _ throws in
                    try expect(find()?.friend?.name, "Bob", "way \(index)")
                }
            }
        }
    }

    @Test func `typed finders accept the object of a reference`() throws {
        try withTemporarySession { session, _ throws in
            let (ann, bob, eve) = (Self.person("Ann"), Self.person("Bob"), Self.person("Eve"))
            ann.friend = bob
            try session.save([ann, eve])
            try expect(Person.findBy.friend(bob), [ann])
            try expect(Person.findByFriend(bob), [ann])
            expect(Set(try Person.findBy.friend(nil)), [bob, eve])
        }
    }
}
