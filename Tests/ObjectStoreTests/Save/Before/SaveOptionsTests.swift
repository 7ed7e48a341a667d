import TestSupport
import Testing

@testable import PersistentObjects

/// Saves that skip referenced objects.
struct SaveOptionsTests {
    final class Person: PersistentObject {
        override class var tableName: String { "person" }
        var name = ""
        var employer: Company?
        @Inverse(\Pet.owner) var pets: [Pet]
    }

    class Company: PersistentObject {
        override class var tableName: String { "company" }
        var name = ""
    }

    final class Bank: Company {}

    final class Pet: PersistentObject {
        override class var tableName: String { "pet" }
        var name = ""
        var owner: Person?
    }

    private func misuse(_ body: () throws -> Void) -> String {
        let error = #expect(throws: StoreError.self) { () throws in try body() }
        expect(error?.code, .misuse)
        return error.map { "\($0)" } ?? ""
    }

    @Test func `a shallow save writes only the given objects`() throws {
        try withTemporarySession { session, file throws in
            let (joe, acme) = (Person(), Company())
            joe.employer = acme
            #expect(
                misuse { () throws in try joe.save(.shallow) }.contains(
                    "Person.employer: The object refers to a new Company"))
            try session.save([joe, acme], .shallow)
            (joe.name, acme.name) = ("Joe", "Acme")
            try joe.save(.shallow)
            try expect(file.sqlite("SELECT name FROM person"), "Joe")
            #expect(try file.sqlite("SELECT name FROM company") == "" && acme.hasChanges)
            try joe.save()
            try expect(file.sqlite("SELECT name FROM company"), "Acme")
        }
    }

    @Test func `classes can be ignored, with their subclasses`() throws {
        try withTemporarySession { session, file throws in
            let (joe, acme, bank) = (Person(), Company(), Bank())
            joe.employer = acme
            try session.save([joe, acme, bank])
            (joe.name, acme.name, bank.name) = ("Joe", "Acme", "Bank")
            try session.saveChanges(.ignoring(Company.self))
            try expect(file.sqlite("SELECT name FROM person"), "Joe")
            #expect(acme.hasChanges && bank.hasChanges)
            try session.save([acme, bank], [.withoutHooks, .ignoring(Bank.self)])
            #expect(!acme.hasChanges && bank.hasChanges)
            try bank.save(.ignoring(Bank.self, Person.self))
            #expect(bank.hasChanges)
            joe.employer = Bank()
            #expect(misuse { () throws in try joe.save(.ignoring(Company.self)) }.contains("a new Bank"))
            try bank.save()
        }
    }

    @Test func `a changed inverse is refused if the save skips the objects on its other side`() throws {
        try withTemporarySession { session, file throws in
            let (joe, pet) = (Person(), Pet())
            try session.save([joe, pet])
            joe.pets = [pet]
            #expect(
                misuse { () throws in try joe.save(.shallow) }.contains(
                    "Person.pets #1: Pet #1 must change with it"))
            #expect(misuse { () throws in try joe.save(.ignoring(Pet.self)) }.contains("pets"))
            try joe.save()
            try expect(file.sqlite("SELECT owner_id FROM pet"), "1")
            // An unchanged inverse is allowed.
            (joe.name, pet.name) = ("Joe", "Rex")
            try joe.save(.shallow)
            #expect(!joe.hasChanges && pet.hasChanges)
            joe.pets = []
            #expect(misuse { () throws in try joe.save(.shallow) }.contains("pets"))
            joe.pets = [pet, Pet()]
            #expect(misuse { () throws in try joe.save(.shallow) }.contains("a new Pet"))
            joe.revert()
            try pet.save()
        }
    }

    @Test func `skipped objects must belong to the session too`() throws {
        try withTemporaryStore { store, _ throws in
            try store.withSession { session throws in
                let acme = Company()
                try acme.save()
                let joe = Person()
                try store.withSession { _ throws in
                    joe.employer = acme
                    let error = #expect(throws: StoreError.self) { () throws in try joe.save(.shallow) }
                    #expect(error?.code == .otherSession)
                }
                joe.employer = try Company.query.untracked().first()
                #expect(!misuse { () throws in try joe.save(.ignoring(Company.self)) }.isEmpty)
                joe.employer = acme
                try session.save([joe], .shallow)
                #expect(joe.id == 1)
            }
        }
    }

    @Test func `combined options contain all of them`() {
        let options: SaveOptions = [.withoutHooks, .shallow, [.withoutTimestamps, .ignoring(Pet.self)]]
        #expect(options.flags == [.withoutHooks, .shallow, .withoutTimestamps] && options.ignored.count == 1)
        #expect(SaveOptions().reachesAll && SaveOptions.withoutHooks.reachesAll && !options.reachesAll)
    }
}
