import TestSupport
import Testing

@testable import PersistentObjects

/// Dangling references, and objects that cannot be referred to.
struct BrokenReferenceTests {
    final class Company: PersistentObject {
        override class var tableName: String { "company" }
        var name = ""
        var parent: Company?
    }

    final class Person: PersistentObject {
        override class var tableName: String { "person" }
        @Indexed var name = ""
        var employer: Company?
        var friends: [Person] = []
    }

    /// Saves two persons, each with a company.
    private static func save(_ store: Store) throws {
        try store.withSession { session throws in
            let people = (0..<2).map { index in
                let person = Person()
                person.name = "P\(index)"
                person.employer = Company()
                person.employer?.name = "C\(index)"
                return person
            }
            try session.save(people)
        }
    }

    @Test func `a missing target row is an error with class, property and row, and other rows stay readable`() throws {
        try withTemporaryStore { store, file throws in
            try Self.save(store)
            // The SQLite shell does not enforce foreign keys.
            _ = try file.sqlite("DELETE FROM company WHERE id = 1")
            try store.withSession { session throws in
                let error = #expect(throws: StoreError.self) { try Person.all() }
                #expect(error?.code == .brokenReference && error?.className == "Person")
                #expect(error?.property == "employer" && error?.rowID == 1)
                #expect(error?.description.contains("Company #1, which does not exist") == true)
                let people = try session.space(of: Person.self).identity
                #expect(people.liveObjects().isEmpty, "nothing half-loaded is left")
                #expect(throws: StoreError.self) { try Person.find(1) }
                #expect(try Person.findBy.name("P1").first?.employer?.name == "C1")
                #expect(people.brokenInvariant() == nil)
                #expect(try Person.count() == 2)
                _ = try file.sqlite("UPDATE person SET employer_id = NULL WHERE id = 1")
                #expect(try Person.all().map { $0.employer?.name } == [nil, "C1"])
            }
            _ = try file.sqlite("DELETE FROM person")
        }
    }

    @Test func `a dangling reference of a deeper object discards only the objects read with it`() throws {
        try withTemporaryStore { store, file throws in
            try Self.save(store)
            _ = try file.sqlite(
                "UPDATE company SET parent_id = 2 WHERE id = 1; UPDATE company SET parent_id = 99 WHERE id = 2")
            try store.withSession { session throws in
                let error = #expect(throws: StoreError.self) { try Person.find(1) }
                #expect(error?.className == "Company" && error?.property == "parent" && error?.rowID == 2)
                #expect(try session.space(of: Person.self).identity.liveObjects().isEmpty)
                #expect(try session.space(of: Company.self).identity.liveObjects().isEmpty)
            }
            _ = try file.sqlite("UPDATE company SET parent_id = NULL")
        }
    }

    @Test func `a refresh that finds a dangling reference leaves the objects unchanged`() throws {
        try withTemporaryStore { store, file throws in
            try Self.save(store)
            try store.withSession { session throws in
                let people = try Person.all()
                let companies = people.map(\.employer)
                people[1].name = "edited"
                _ = try file.sqlite("UPDATE person SET employer_id = 99 WHERE id = 1")
                let error = #expect(throws: StoreError.self) { try Person.all() }
                #expect(error?.code == .brokenReference && error?.rowID == 1)
                #expect(people.map(\.employer) == companies && !people[0].hasChanges)
                #expect(people[1].changes.map(\.name) == ["name"])
                #expect(throws: StoreError.self, "it is not forgotten") { try Person.all() }
                #expect(throws: StoreError.self) { try people[0].reload() }
                #expect(!people[0].hasChanges && people[0].employer === companies[0])
                _ = try file.sqlite("UPDATE person SET employer_id = 2 WHERE id = 1")
                _ = try Person.all()
                #expect(people[0].employer === companies[1] && !people[0].hasChanges)
            }
        }
    }

    @Test func `a refresh that fails leaves no link to discarded objects`() throws {
        try withTemporaryStore { store, file throws in
            try Self.save(store)
            try store.withSession { session throws in
                let people = try Person.all()
                let companies = people.map(\.employer)
                // Row 1 gets a target that is not in memory, row 2 a target that does not exist.
                _ = try file.sqlite(
                    """
                    INSERT INTO company (name) VALUES ('C2');
                    INSERT INTO person (name) VALUES ('P2');
                    INSERT INTO person_friends (owner_id, position, value_id) VALUES (1, 1, 3);
                    UPDATE person SET employer_id = 3 WHERE id = 1; UPDATE person SET employer_id = 99 WHERE id = 2
                    """)
                #expect(throws: StoreError.self) { try Person.all() }
                #expect(people.map(\.employer) == companies && people[0].friends == [])
                #expect(people.allSatisfy { !$0.hasChanges })
                #expect(try statements(of: session) { try session.saveChanges() }.isEmpty)
                _ = try file.sqlite("UPDATE person SET employer_id = NULL WHERE id = 2")
                let all = try Person.all()
                #expect(people[0].employer?.name == "C2" && people[0].friends == [all[2]] && people[1].employer == nil)
                #expect(all.allSatisfy { !$0.hasChanges } && all.prefix(2) == people[...])
            }
        }
    }

    @Test func `a reload that fails keeps the edits`() throws {
        try withTemporaryStore { store, file throws in
            try Self.save(store)
            try store.withSession { _ throws in
                let people = try Person.all()
                people[0].friends = [people[1]]
                people[0].employer = people[1].employer
                _ = try file.sqlite("INSERT INTO person_friends (owner_id, position, value_id) VALUES (1, 1, 99)")
                let error = #expect(throws: StoreError.self) { try people[0].reload() }
                #expect(error?.code == .brokenReference && error?.property == "friends")
                #expect(people[0].changes.map(\.name).sorted() == ["employer", "friends"])
                #expect(people[0].employer === people[1].employer)
                _ = try file.sqlite("DELETE FROM person_friends")
                try people[0].reload()
                #expect(!people[0].hasChanges && people[0].friends.isEmpty && people[0].employer?.name == "C0")
            }
        }
    }

    @Test func `a reference to a deleted object is refused with class and property`() throws {
        try withTemporarySession { session, file throws in
            let company = Company()
            try company.save()
            let person = Person()
            let holder = Person()
            holder.friends = [person]
            try company.delete()
            person.employer = company
            let error = #expect(throws: StoreError.self) { try holder.save() }
            #expect(error?.code == .objectIsDeleted && error?.className == "Person" && error?.property == "employer")
            expect(error?.description.contains("Company #1, which was deleted"), true)
            #expect(holder.isNew && person.isNew)
            try expect(file.sqlite("SELECT count(*) FROM person"), "0")
            person.employer = nil
            try holder.save()
            person.employer = company
            let again = #expect(throws: StoreError.self) { try person.save() }
            #expect(again?.rowID == person.id && again?.code == .objectIsDeleted)
        }
    }

    @Test func `a reference to a row deleted by another session is refused with class and property`() throws {
        try withTemporaryStore { store, file throws in
            try Self.save(store)
            try store.withSession { session throws in
                let people = try Person.all()
                let company = try #require(people[1].employer)
                try store.withSession { _ throws in try Company.find(2)?.delete() }
                people[0].employer = company
                people[1].name = "edited"
                let error = #expect(throws: StoreError.self) { try session.save(people) }
                #expect(error?.code == .brokenReference && error?.className == "Person")
                #expect(error?.property == "employer" && error?.rowID == 1)
                #expect(error?.description.contains("Company #2, which was deleted") == true)
                #expect(people[0].changes.map(\.name) == ["employer"] && people[1].changes.map(\.name) == ["name"])
                let new = Person()
                new.employer = company
                let other = #expect(throws: StoreError.self) { try new.save() }
                #expect(other?.code == .brokenReference && other?.property == "employer" && other?.rowID == nil)
                #expect(new.isNew && new.id == nil)
                people[0].employer = nil
                new.employer = nil
                try session.save(people + [new])
                #expect(try file.sqlite("SELECT name, employer_id FROM person") == "P0|\nedited|\n|")
            }
        }
    }

    @Test func `objects of another session are refused`() throws {
        try withTemporaryStore { store, file throws in
            try Self.save(store)
            try store.withSession { first throws in
                let company = try #require(try Company.find(2))
                try store.withSession { second throws in
                    let person = Person()
                    person.name = "new"
                    person.employer = company
                    let error = #expect(throws: StoreError.self) { try second.save([person]) }
                    #expect(error?.code == .otherSession && person.isNew)
                    let known = try #require(try Person.find(1))
                    known.employer = company
                    #expect(throws: StoreError.self) { try known.save() }
                    #expect(known.hasChanges)
                    known.revert()
                    #expect(known.employer !== company && known.employer?.name == "C0" && !known.hasChanges)
                }
            }
            #expect(try file.sqlite("SELECT count(*) FROM person") == "2")
        }
    }
}
