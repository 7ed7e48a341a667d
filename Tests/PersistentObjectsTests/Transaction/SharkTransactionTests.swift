import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Restates SharkORM's transaction tests: persistence in a transaction, isolation, failures, and the state
/// afterwards.
struct SharkTransactionTests {
    final class Department: PersistentObject {
        override class var tableName: String { "department" }
        var name = ""
    }

    final class Person: PersistentObject {
        override class var tableName: String { "person" }
        override class var identity: Identity { .string }
        var name = "unnamed"
        var age: Int?
        var height = 1.5
        var born = Date(timeIntervalSinceReferenceDate: 0)
        var photo = Data()
        var address = Address()
        var tags: [String] = []
        var department: Department?
        struct Address: Codable, Equatable { var city = "" }
    }

    struct Failure: Error {}

    @Test func `objects can be inserted, updated and deleted many times in a transaction`() throws {
        try withTemporarySession { session, file throws in
            let people = (0..<10).map { _ in Person() }
            try session.transaction { () throws in
                for _ in 0..<3 { for person in people { try person.save() } }
                #expect(try Person.count() == 10)
                for (index, person) in people.enumerated() {
                    person.age = index
                    try person.save()
                }
                try people[0].delete()
                try session.delete([people[1], people[2]])
            }
            #expect(try file.sqlite("SELECT count(*), sum(age) FROM person") == "7|42")
            #expect(people.prefix(3).allSatisfy { $0.isDeleted } && !people[3].hasChanges)
        }
    }

    @Test func `a transaction saves nested objects, all types, string keys and initial values`() throws {
        try withTemporarySession { session, file throws in
            let joe = try Person(key: "joe")
            joe.department = Department()
            try session.transaction { () throws in
                try joe.save()
                expect(joe.department?.isNew, false)
                joe.department?.name = "Sales"
                joe.photo = Data([1, 2])
                joe.address.city = "Bonn"
                joe.tags = ["a"]
                try joe.save()
            }
            try expect(file.sqlite("SELECT key, name, age, height FROM person"), "joe|unnamed||1.5")
            try expect(file.sqlite("SELECT name FROM department"), "Sales")
            try session.store.withSession { _ throws in
                let found = try Person.find("joe")
                #expect(found?.photo == Data([1, 2]) && found?.address.city == "Bonn" && found?.tags == ["a"])
            }
        }
    }

    @Test func `other sessions see neither insertions nor deletions before the commit`() throws {
        try withTemporarySession { session, _ throws in
            let old = Person()
            try old.save()
            try session.transaction { () throws in
                try Person().save()
                try old.delete()
                let ids = try session.store.withSession { _ in try Person.query.ids() }
                expect(ids, [1])
            }
            let ids = try session.store.withSession { _ in try Person.query.ids() }
            expect(ids, [2])
        }
    }

    @Test func `transactions of several tasks do not interfere`() async throws {
        // Eight tasks wait for each other, on a busy machine for seconds.
        let store = try Store.temporary(configuration: .init(busyTimeout: .seconds(600)))
        try store.prepare(Person.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    try await store.perform { session in
                        for _ in 0..<5 {
                            // On a server they run concurrently, and a transaction that conflicts is run again.
                            try session.transaction(retries: 20) {
                                let before = try Person.count()
                                try session.save([Person(), Person()])
                                let after = try Person.count()
                                guard after == before + 2 else { throw Failure() }
                                if task % 2 == 0 { session.rollBack() }
                            }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        try expect(store.withSession { _ in try Person.count() }, 40)
    }

    enum Way: CaseIterable { case badQuery, unsavedReference, byHand, rawSQL }

    @Test(arguments: Way.allCases)
    func `any failure rolls back the whole transaction`(way: Way) throws {
        try withTemporarySession { session, file throws in
            let joe = Person()
            joe.name = "Joe"
            let gone = Department()
            try session.save([joe, gone])
            try gone.delete()
            #expect(throws: (any Error).self) {
                try session.transaction { () throws in
                    joe.name = "Joseph"
                    joe.tags = ["x"]
                    try joe.save()
                    try Person().save()
                    switch way {
                    case .badQuery: _ = try Person.findByCriteria("WHERE nothing = 3")
                    case .unsavedReference:
                        joe.department = gone
                        try joe.save()
                    case .byHand: throw Failure()
                    case .rawSQL: try session.execute("INSERT INTO nowhere VALUES (1)")
                    }
                }
            }
            #expect(joe.name == "Joe" && joe.tags.isEmpty && joe.department == nil && !joe.hasChanges)
            try expect(file.sqlite("SELECT count(*), min(name) FROM person"), "1|Joe")
        }
    }

    @Test func `each transaction starts with the result of the previous one`() throws {
        try withTemporarySession { session, file throws in
            let joe = Person()
            try joe.save()
            for (value, fails) in [(1, false), (2, true), (3, false), (4, true)] {
                do {
                    try session.transaction { () throws in
                        joe.age = value
                        try joe.save()
                        if fails { throw Failure() }
                    }
                } catch is Failure {}
            }
            #expect(joe.age == 3 && !joe.hasChanges)
            try expect(file.sqlite("SELECT age FROM person"), "3")
        }
    }

    @Test func `a changed reference and its target are reverted together`() throws {
        try withTemporarySession { session, _ throws in
            let (sales, research) = (Department(), Department())
            let joe = Person()
            joe.department = sales
            try session.save([joe, research])
            #expect(throws: Failure.self) {
                try session.transaction { () throws in
                    joe.department = research
                    research.name = "Research"
                    try joe.save()
                    try sales.delete()
                    throw Failure()
                }
            }
            #expect(joe.department === sales && !sales.isDeleted && research.name.isEmpty && !joe.hasChanges)
        }
    }
}
