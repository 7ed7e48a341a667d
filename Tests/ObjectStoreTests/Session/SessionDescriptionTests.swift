import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// The description and counts of a session.
struct SessionDescriptionTests {
    final class Person: PersistentObject {
        override class var tableName: String { "person" }
        var name = ""
        var age: Int?
        var tags: [String] = []
        var employer: Company?
        var friends: [Person] = []
        @Lazy var photo: Data?
    }

    final class Company: PersistentObject {
        override class var tableName: String { "company" }
        override class var identity: Identity { .string }
        var name = ""
    }

    @Test func `the short description lists objects, and the long one their values`() throws {
        try withTemporarySession { session, _ throws in
            expect(session.debugDescription, "Session: 0 objects, 0 changed")
            let acme = try Company(key: "AC")
            acme.name = "Acme"
            let joe = Person()
            (joe.name, joe.employer, joe.tags) = ("Joe \"J\"", acme, ["a"])
            try joe.save()
            #expect(
                session.debugDescription == """
                    Session: 2 objects, 0 changed
                    Company #1 "AC" unchanged
                    Person #1 unchanged
                    """)
            joe.age = 3
            joe.employer = nil
            joe.tags = ["b"]
            let ann = Person()
            joe.friends = [joe, ann]
            acme.name = "Acme Ltd."
            #expect(
                session.debugDescription(.short) == """
                    Session: 2 objects, 2 changed
                    Company #1 "AC" changed: name
                    Person #1 changed: age, tags, employer, friends
                    """)
            #expect(
                session.debugDescription(.long) == """
                    Session: 2 objects, 2 changed
                    Company #1 "AC" changed: name
                        name: "Acme" -> "Acme Ltd."
                    Person #1 changed: age, tags, employer, friends
                        name: "Joe \\"J\\""
                        age: nil -> 3
                        tags: ["a"] -> ["b"]
                        employer: Company #1 -> nil
                        friends: [] -> [Person #1, Person (new)]
                        photo: nil
                    """)
            joe.revert()
            acme.revert()
            try session.reset()
            let found = try Person.all()
            #expect(session.debugDescription(.long).hasSuffix("    photo: (not loaded)"))
            withExtendedLifetime((joe, acme, ann, found)) {}
        }
    }

    @Test func `counts has the numbers of live objects, changed objects and statements`() throws {
        try withTemporaryStore { store, _ throws in
            try store.withSession { session throws in
                let joe = Person()
                try joe.save()
                let before = try session.counts
                #expect(before.live == 1 && before.changed == 0 && before.statements > 0)
                joe.name = "Joe"
                #expect(try session.counts.changed == 1)
                try joe.save()
                #expect(try session.counts == .init(live: 1, changed: 0, statements: before.statements + 3))
                let ended = session
                #expect(throws: Never.self) { () throws in _ = try ended.counts }
            }
            // Another session on the same connection starts at zero.
            try store.withSession { session throws in
                #expect(try session.counts == .init(live: 0, changed: 0, statements: 0))
                _ = try Company.find("none")
                #expect(try session.counts.statements >= 1)
            }
        }
    }

    @Test func `the description of an ended session states that it has ended, and counts throws`() throws {
        try withTemporaryStore { store, _ throws in
            let session = try store.withSession { $0 }
            #expect(session.debugDescription.contains("has ended"))
            #expect(throws: StoreError.self) { () throws in _ = try session.counts }
        }
    }
}
