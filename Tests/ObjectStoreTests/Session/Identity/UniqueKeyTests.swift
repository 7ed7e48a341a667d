import Foundation
import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// Finders by a unique property use the objects in memory if that is certain to be correct.
struct UniqueKeyTests {
    class Person: PersistentObject {
        override class var tableName: String { "person" }
        @Unique var email: String? = nil
        @Unique var number = 0
        @Unique var token = UUID()
        var name = ""
        override class var indexes: [Index] { [Index("name", "number", unique: true)] }
    }

    final class Employee: Person { var salary = 0 }

    private func with(_ body: (Session, Store, Person, Person) throws -> Void) throws {
        try withTemporaryStore { store, _ in
            try store.withSession { session in
                let (joe, ann) = (Person(), Person())
                (joe.email, joe.number, joe.name) = ("joe@x", 1, "Joe")
                (ann.email, ann.number) = ("ann@x", 2)
                try session.save([joe, ann])
                try body(session, store, joe, ann)
            }
        }
    }

    /// Checks how many statements `body` runs.
    private func expect(
        _ count: Int, _ session: Session, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
    ) throws {
        let log = try statements(of: session, body)
        #expect(log.count == count, "\(log)", sourceLocation: sourceLocation)
    }

    @Test func `all finders by a unique property find objects in memory without SQL`() throws {
        try with { session, _, joe, ann throws in
            try expect(0, session) { () throws in
                #expect(try Person.findByEmail("joe@x") == [joe])
                #expect(try Person.findFirstByEmail("ann@x") === ann)
                let only: Person = try Person.findOnlyBy.email("ann@x")
                #expect(only === ann)
                let one: Person = try Person.findByEmail("joe@x")
                #expect(one === joe)
                #expect(try Person.findBy.email("joe@x") == [joe])
                #expect(try Person.findFirstBy.email("joe@x") === joe)
                #expect(try Person.findByNumber(2) == [ann])
                #expect(try Person.findBy.number(1) == [joe])
                #expect(try Person.findBy.token(joe.token) == [joe])
            }
        }
    }

    @Test func `values that are not in memory, and other finders, are queried`() throws {
        try with { session, _, joe, _ throws in
            try expect(1, session) { () throws in #expect(try Person.findByEmail("nobody").isEmpty) }
            try expect(1, session) { () throws in #expect(try Person.findByEmail(nil).isEmpty) }
            try expect(1, session) { () throws in #expect(try Person.findByName("Joe") == [joe]) }
            try expect(1, session) { () throws in #expect(try Person.findByEmailAndNumber("joe@x", 1) == [joe]) }
            try expect(1, session) { () throws in #expect(try Person.findByEmailOrNumber("joe@x", 1) == [joe]) }
        }
    }

    @Test func `a finder matches the stored value, not an unsaved edit`() throws {
        try with { session, _, joe, _ throws in
            joe.email = "new@x"
            try expect(0, session) { () throws in #expect(try Person.findByEmail("joe@x") == [joe]) }
            try expect(1, session) { () throws in #expect(try Person.findByEmail("new@x").isEmpty) }
            try joe.save()
            try expect(0, session) { () throws in #expect(try Person.findByEmail("new@x") == [joe]) }
            try expect(1, session) { () throws in #expect(try Person.findByEmail("joe@x").isEmpty) }
            joe.email = nil
            try joe.save()
            try expect(1, session) { () throws in #expect(try Person.findByEmail("new@x").isEmpty) }
        }
    }

    @Test func `swapped values are found at their new objects`() throws {
        try with { session, _, joe, ann throws in
            _ = try Person.findByEmail("joe@x") as [Person]
            (joe.email, ann.email) = (ann.email, joe.email)
            try session.saveChanges()
            try expect(0, session) { () throws in
                #expect(try Person.findByEmail("joe@x") == [ann])
                #expect(try Person.findByEmail("ann@x") == [joe])
            }
        }
    }

    @Test func `new objects are found without SQL, released objects with a query, deleted objects not at all`() throws {
        try with { session, _, joe, ann throws in
            _ = try Person.findByEmail("joe@x") as [Person]
            do {
                let bob = Person()
                (bob.email, bob.number) = ("bob@x", 3)
                try bob.save()
                try expect(0, session) { () throws in #expect(try Person.findByEmail("bob@x") == [bob]) }
            }
            try expect(1, session) { () throws in #expect(try Person.countBy.email("bob@x") == 1) }
            try expect(1, session) { () throws in #expect(try Person.findByEmail("bob@x").count == 1) }
            try joe.delete()
            #expect(try Person.findByEmail("joe@x").isEmpty)
            #expect(throws: StoreError.self) { try Person.findOnlyBy.email("joe@x") }
            try Person.deleteAll()
            #expect(try Person.findByEmail("ann@x").isEmpty)
            #expect(ann.isDeleted)
        }
    }

    @Test func `values that another session changed are queried again`() throws {
        try with { session, store, joe, ann throws in
            #expect(try Person.findByEmail("joe@x") == [joe])
            try store.withSession { _ in
                let other: Person = try Person.findOnlyBy.number(1)
                other.email = "elsewhere@x"
                try other.save()
            }
            // The session notices the change with its next statement.
            _ = try Person.findByName("nobody") as [Person]
            _ = try Person.first()
            #expect(try Person.findByEmail("joe@x").isEmpty)
            #expect(try Person.findByEmail("elsewhere@x") == [joe])
            #expect(try Person.findByEmail("ann@x") == [ann])
            try expect(0, session) { () throws in #expect(try Person.findByEmail("ann@x") == [ann]) }
        }
    }

    @Test func `a failed save leaves the keys unchanged`() throws {
        try with { session, _, joe, ann throws in
            #expect(try Person.findByEmail("joe@x") == [joe])
            ann.email = "joe@x"
            #expect(throws: StoreError.self) { try ann.save() }
            try expect(0, session) { () throws in #expect(try Person.findByEmail("joe@x") == [joe]) }
            try expect(0, session) { () throws in #expect(try Person.findByEmail("ann@x") == [ann]) }
        }
    }

    @Test func `the classes of a hierarchy share one index`() throws {
        try with { session, _, joe, _ throws in
            let eve = Employee()
            (eve.email, eve.number) = ("eve@x", 9)
            try eve.save()
            try expect(0, session) { () throws in #expect(try Employee.findByEmail("eve@x") == [eve]) }
            try expect(0, session) { () throws in #expect(try Person.findByEmail("eve@x") == [eve]) }
            #expect(try Employee.findByEmail("joe@x").isEmpty)
            #expect(try Person.findByEmail("joe@x") == [joe])
        }
    }

    @Test func `composed and decomposed strings are two values`() throws {
        try with { _, _, joe, ann throws in
            (joe.email, ann.email) = ("\u{E9}", "e\u{301}")
            try joe.save()
            try ann.save()
            #expect(try Person.findByEmail("\u{E9}") == [joe])
            #expect(try Person.findByEmail("e\u{301}") == [ann])
        }
    }

    @Test func `entries of released objects are removed`() throws {
        try with { session, _, _, _ throws in
            _ = try Person.findByEmail("joe@x") as [Person]
            for number in 10..<4000 {
                let person = Person()
                (person.email, person.number) = ("\(number)@x", number)
                try person.save()
            }
            let keys = try session.space(of: Person.self).hierarchy.uniqueKeys["email"]
            #expect((keys?.rows.count ?? .max) <= 1025)
        }
    }

    @Test func `without finders by a unique property, no index is created`() throws {
        try with { session, _, _, _ throws in
            _ = try Person.all()
            #expect(try session.space(of: Person.self).hierarchy.uniqueKeys.isEmpty)
        }
    }
}
