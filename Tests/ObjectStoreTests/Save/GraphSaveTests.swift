import TestSupport
import Testing

@testable import PersistentObjects

/// Saving an object saves all new and changed objects that it reaches.
struct GraphSaveTests {
    final class Country: PersistentObject {
        override class var tableName: String { "country" }
        var name = ""
    }

    final class Company: PersistentObject {
        override class var tableName: String { "company" }
        var name = ""
        var country: Country?
        var people: [Person] = []
    }

    final class Person: PersistentObject {
        override class var tableName: String { "person" }
        var name = ""
        var employer: Company?
        var friend: Person?
        @Lazy var mentor: Person?
        @Inverse(\Person.mentor) var pupils: [Person]
    }

    static func person(_ name: String, _ employer: Company? = nil) -> Person {
        let person = Person()
        person.name = name
        person.employer = employer
        return person
    }

    private static func writes(_ session: Session, _ body: () throws -> Void) rethrows -> [String] {
        try statements(of: session, body).filter {
            // The first use of a class writes the schema's metadata, which is not counted.
            ($0.hasPrefix("INSERT") || $0.hasPrefix("UPDATE") || $0.hasPrefix("DELETE")) && !$0.contains("\"po_")
        }
    }

    @Test func `two unsaved objects that refer to each other are saved in one call`() throws {
        try withTemporarySession { session, file throws in
            _ = try Person.count()
            let (ann, bob) = (Self.person("Ann"), Self.person("Bob"))
            ann.friend = bob
            bob.friend = ann
            let log = try statements(of: session) { try ann.save() }
            #expect(log.count { $0.hasPrefix("INSERT") } == 2 && log.count { $0.hasPrefix("UPDATE") } == 0)
            #expect(log.count { $0.hasPrefix("BEGIN") } == 1 && log.count { $0.hasPrefix("COMMIT") } == 1)
            #expect(try file.sqlite("SELECT id, name, friend_id FROM person") == "1|Ann|2\n2|Bob|1")
            #expect(!ann.hasChanges && !bob.hasChanges && !bob.isNew)
            #expect(try statements(of: session) { try session.save([ann, bob]) }.isEmpty)
            ann.friend = nil
        }
    }

    @Test func `objects of classes that refer to each other are saved in one call`() throws {
        try withTemporarySession { session, file throws in
            let company = Company()
            let people = (0..<3).map { Self.person("P\($0)", company) }
            company.people = people
            #expect(try Self.writes(session) { try people[1].save() }.count == 3 + 1 + 3)
            #expect(try file.sqlite("SELECT group_concat(employer_id) FROM person") == "1,1,1")
            #expect(try file.sqlite("SELECT count(*) FROM company_people") == "3")
            #expect(!company.hasChanges && people.allSatisfy { !$0.hasChanges && $0.employer === company })
            company.people = []
        }
    }

    @Test func `referenced classes are written first, each row once`() throws {
        try withTemporarySession { session, file throws in
            let country = Country()
            let companies = (0..<2).map { _ in Company() }
            for company in companies { company.country = country }
            let people = (0..<6).map { Self.person("P\($0)", companies[$0 % 2]) }
            for person in people { person.friend = people[5] }
            let log = try Self.writes(session) { try session.save(people + people) }
            let tables = log.compactMap { $0.split(separator: "\"").dropFirst().first.map(String.init) }
            expect(tables, ["country"] + Array(repeating: "company", count: 2) + Array(repeating: "person", count: 6))
            let counts = "SELECT (SELECT count(*) FROM country), (SELECT count(*) FROM company), count(*) FROM person"
            try expect(file.sqlite(counts), "1|2|6")
            people[5].friend = nil
        }
    }

    @Test(arguments: [(23, 23), (24, 3), (100, 12 + 4), (640, 10), (1000, 15 + 5)])
    func `new rows of a class are inserted in batches`(count: Int, inserts: Int) throws {
        try withTemporarySession { session, file throws in
            let company = Company()
            let people = (0..<count).map { Self.person("P\($0)", company) }
            let log = try Self.writes(session) { try session.save(people) }
            #expect(log.count == 1 + inserts)
            #expect(try file.sqlite("SELECT count(*), min(employer_id) FROM person") == "\(count)|1")
            #expect(people.enumerated().allSatisfy { $0.element.id == Int64($0.offset + 1) }, "in their order")
        }
    }

    @Test func `an unchanged graph costs no SQL, however many objects it has`() throws {
        try withTemporarySession { session, _ throws in
            let company = Company()
            company.country = Country()
            company.people = (0..<50).map { Self.person("P\($0)", company) }
            try company.save()
            let log = try statements(of: session) {
                try company.save()
                try company.people[7].save()
                try session.save(company.people)
                try session.saveChanges()
            }
            #expect(log.isEmpty)
            company.people[31].name = "changed"
            try expect(
                Self.writes(session) { try company.save() }, ["UPDATE \"person\" SET \"name\" = ? WHERE \"id\" = ?"])
            company.people = []
        }
    }

    @Test func `a changed object behind unchanged objects is reached`() throws {
        try withTemporaryStore { store, file throws in
            try store.withSession { _ throws in
                let joe = Self.person("Joe", Company())
                joe.employer?.country = Country()
                joe.friend = Self.person("Ann")
                joe.mentor = Self.person("Tom")
                try joe.save()
            }
            try store.withSession { session throws in
                let joe = try #require(try Person.find(1))
                joe.employer?.country?.name = "Chile"
                #expect(!joe.hasChanges)
                let log = try statements(of: session) { try joe.save() }
                #expect(log.count { $0.hasPrefix("UPDATE") } == 1)
                #expect(!log.contains { $0.hasPrefix("SELECT") }, "what is not loaded is not loaded for a save")
                #expect(!joe.$mentor.isLoaded)
                #expect(try file.sqlite("SELECT name FROM country") == "Chile")
            }
        }
    }

    @Test func `new and changed objects behind lazy references, inverses and collections are saved`() throws {
        try withTemporarySession { session, file throws in
            let tom = Self.person("Tom")
            try tom.save()
            let joe = Self.person("Joe")
            joe.pupils = [Self.person("Eve")]
            joe.mentor = tom
            tom.name = "Thomas"
            let company = Company()
            company.people = [joe]
            try company.save()
            try expect(file.sqlite("SELECT name, mentor_id FROM person ORDER BY id"), "Thomas|\nJoe|1\nEve|2")
            #expect(tom.pupils == [joe] && !joe.hasChanges && !tom.hasChanges)
            joe.pupils = []
        }
    }

    @Test func `saveChanges saves the objects that changed objects reach`() throws {
        try withTemporarySession { session, file throws in
            let people = (0..<4).map { Self.person("P\($0)") }
            try session.save(people)
            people[0].name = "edited"
            people[1].employer = Company()
            people[1].employer?.country = Country()
            people[2].friend = Self.person("new")
            let log = try withExtendedLifetime(people) {
                try statements(of: session) { try session.saveChanges() }
            }
            #expect(log.count { $0.hasPrefix("COMMIT") } == 1)
            #expect(log.count { $0.hasPrefix("INSERT") } == 3 && log.count { $0.hasPrefix("UPDATE") } == 3)
            #expect(
                try file.sqlite("SELECT name, employer_id, friend_id FROM person")
                    == "edited||\nP1|1|\nP2||5\nP3||\nnew||")
            #expect(try statements(of: session) { try session.saveChanges() }.isEmpty)
        }
    }

    @Test func `an object that is reached several times is saved once, and all references have its id`() throws {
        try withTemporarySession { session, file throws in
            let boss = Self.person("Boss")
            let people = (0..<3).map { Self.person("P\($0)") }
            try session.save(people)
            for person in people { person.friend = boss }
            try session.save(people)
            #expect(try file.sqlite("SELECT friend_id FROM person WHERE friend_id NOT NULL") == "4\n4\n4")
            #expect(boss.id == 4 && people.allSatisfy { !$0.hasChanges })
        }
    }
}
