import TestSupport
import Testing

@testable import PersistentObjects

/// References that this session or another session changes.
struct ReferenceEditTests {
    final class Company: PersistentObject {
        override class var tableName: String { "company" }
        var name = ""
    }

    final class Person: PersistentObject {
        override class var tableName: String { "person" }
        var name = ""
        var employer: Company?
        @Column("boss") var chief: Person?
        @Unique var desk: Company?
        var site: Company?

        override class var columns: [String: String] { ["site": "place"] }
    }

    private static func save(_ session: Session) throws -> (Person, [Company]) {
        let companies = ["Acme", "Bolt", "Coil"].map { name in
            let company = Company()
            company.name = name
            return company
        }
        let person = Person()
        person.name = "Joe"
        person.employer = companies[0]
        try session.save(companies + [person])
        return (person, companies)
    }

    @Test func `changing a reference updates only its column, also to nil`() throws {
        try withTemporarySession { session, file throws in
            let (joe, companies) = try Self.save(session)
            #expect(!joe.hasChanges)
            joe.employer = companies[1]
            #expect(joe.changes.map(\.description) == ["employer: Company #1 -> Company #2"])
            let log = try statements(of: session) { try joe.save() }
            #expect(
                log.filter { $0.hasPrefix("UPDATE") } == ["UPDATE \"person\" SET \"employer_id\" = ? WHERE \"id\" = ?"])
            #expect(try file.sqlite("SELECT employer_id FROM person") == "2" && !joe.hasChanges)
            joe.employer = nil
            #expect(joe.changes.map(\.description) == ["employer: Company #2 -> nil"])
            try joe.save()
            #expect(try file.sqlite("SELECT employer_id IS NULL FROM person") == "1")
            joe.employer = companies[1]
            joe.employer = nil
            #expect(!joe.hasChanges)
            #expect(try statements(of: session) { try joe.save() }.isEmpty)
        }
    }

    @Test func `references use declared column names`() throws {
        try withTemporaryStore { store, file throws in
            try store.withSession { session throws in
                let (joe, companies) = try Self.save(session)
                joe.chief = Person()
                joe.site = companies[2]
                try joe.save()
                try expect(file.sqlite("SELECT boss, place FROM person WHERE name = 'Joe'"), "2|3")
            }
            try store.withSession { _ throws in
                let joe = try #require(try Person.find(1))
                #expect(joe.chief?.id == 2 && joe.site?.name == "Coil")
            }
        }
    }

    @Test func `two objects cannot have the same unique reference`() throws {
        try withTemporarySession { session, _ throws in
            let (joe, companies) = try Self.save(session)
            joe.desk = companies[0]
            try joe.save()
            let ann = Person()
            ann.desk = companies[0]
            let error = #expect(throws: StoreError.self) { try ann.save() }
            #expect(error?.code == .notUnique && error?.className == "Person" && error?.property == "desk")
            #expect(ann.isNew && ann.desk === companies[0])
            ann.desk = companies[1]
            try session.save([ann, Person(), Person()])
            // The references are swapped.
            (joe.desk, ann.desk) = (ann.desk, joe.desk)
            try session.save([joe, ann])
            session.memory.heldTargets = []
            try joe.reload()
            #expect(joe.desk === companies[1] && !ann.hasChanges)
        }
    }

    @Test func `references can be read and set by name, described and copied`() throws {
        try withTemporarySession { session, _ throws in
            let (joe, companies) = try Self.save(session)
            #expect(joe["employer"] as? Company === companies[0])
            #expect(joe["desk"] == nil && joe.dictionary["desk"] != nil)
            #expect((joe.dictionary["employer"] ?? nil) as? Company === companies[0])
            #expect(
                joe.description == "Person #1 { name: \"Joe\", employer: Company #1, chief: nil, desk: nil, site: nil }"
            )
            try joe.set("employer", to: companies[2])
            try joe.set("desk", to: nil)
            #expect(joe.employer === companies[2])
            let error = #expect(throws: StoreError.self) { try joe.set("employer", to: joe) }
            #expect(error?.code == .noSuchProperty && joe.employer === companies[2])
            #expect(throws: StoreError.self) { try joe.set("employer", to: "Acme") }
            let copy = joe.copy()
            #expect(copy.isNew && copy.employer === companies[2])
            let made = try Person(["name": "Eve", "employer": companies[1], "chief": joe, "desk": nil])
            #expect(made.employer === companies[1] && made.chief === joe)
            #expect(made.description.hasPrefix("Person (new) { name: \"Eve\", employer: Company #2, chief: Person #1"))
            joe.chief = joe
            #expect(joe.description.contains("chief: Person #1,"), "what refers to itself is named, not followed")
            joe.chief = nil
            made.chief = nil
            try session.save([copy, made])
            #expect(try Person.count() == 3)
        }
    }

    @Test func `another session's change of a reference is read if it was not edited here`() throws {
        try withTemporarySession { session, _ throws in
            let (joe, companies) = try Self.save(session)
            let ann = Person()
            ann.name = "Ann"
            ann.employer = companies[0]
            let tom = Person()
            tom.employer = companies[0]
            try session.save([ann, tom])
            ann.employer = companies[2]
            try session.store.withSession { other throws in
                let people = try Person.all()
                for person in people { person.employer = try Company.find(2) }
                people[2].employer = nil
                try other.save(people)
            }
            #expect(joe.employer === companies[0])
            _ = try Person.all()
            #expect(joe.employer === companies[1] && !joe.hasChanges && tom.employer == nil && !tom.hasChanges)
            #expect(ann.employer === companies[2])
            expect(ann.changes.map(\.description), ["employer: Company #1 -> Company #3"])
            try session.store.withSession { other throws in
                let ann = try #require(try Person.find(2))
                ann.employer = try Company.find(3)
                try ann.save()
            }
            _ = try Person.all()
            #expect(!ann.hasChanges, "the row has what the user set")
        }
    }

    @Test func `a refresh loads new targets that are not in memory with one query`() throws {
        try withTemporaryStore { store, _ throws in
            try store.withSession { session throws in
                _ = try Self.save(session)
                try session.save([Person(), Person()])
            }
            try store.withSession { session throws in
                let people = try Person.all()
                try store.withSession { other throws in
                    let theirs = try Person.all()
                    for person in theirs { person.employer = try Company.find(3) }
                    try other.save(theirs)
                }
                let log = try statements(of: session) { _ = try Person.all() }
                #expect(log.count { $0.hasPrefix("SELECT") } == 2)
                #expect(people.allSatisfy { $0.employer?.name == "Coil" && !$0.hasChanges })
            }
        }
    }

    @Test func `reload drops edits of a reference and reads the row`() throws {
        try withTemporarySession { session, file throws in
            let (joe, companies) = try Self.save(session)
            joe.employer = companies[2]
            _ = try file.sqlite("UPDATE person SET employer_id = 2")
            try joe.reload()
            #expect(joe.employer === companies[1] && !joe.hasChanges)
            joe.employer = companies[0]
            try joe.reload()
            #expect(joe.employer === companies[1] && !joe.hasChanges)
            joe.employer = nil
            try joe.reload()
            #expect(joe.employer === companies[1] && !joe.hasChanges)
            _ = try file.sqlite("UPDATE person SET employer_id = NULL")
            joe.employer = companies[0]
            try joe.reload()
            #expect(joe.employer == nil && !joe.hasChanges)
        }
    }

    @Test func `revert restores a reference, also to an object that was released`() throws {
        try withTemporarySession { session, _ throws in
            let (joe, companies) = try Self.save(session)
            joe.employer = companies[1]
            joe.name = "edited"
            joe.revert(\.employer)
            #expect(joe.employer === companies[0] && joe.changes.map(\.name) == ["name"])
            joe.employer = nil
            joe.revert()
            #expect(joe.employer === companies[0] && joe.name == "Joe" && !joe.hasChanges)
        }
        try withTemporaryStore { store, _ throws in
            try store.withSession { session throws in _ = try Self.save(session) }
            try store.withSession { _ throws in
                let joe = try #require(try Person.find(1))
                weak let employer = joe.employer
                joe.employer = nil
                #expect(employer == nil, "joe alone held it")
                joe.revert()
                #expect(joe.employer?.name == "Acme" && !joe.hasChanges)
                joe.employer = Company()
                joe.revert(\.employer)
                #expect(joe.employer?.name == "Acme" && !joe.hasChanges)
            }
        }
    }
}
