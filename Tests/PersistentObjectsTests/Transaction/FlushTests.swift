import TestSupport
import Testing

@testable import PersistentObjects

/// Queries and unsaved edits: `flushesBeforeQueries`, and the note about a query that does not see an edit.
struct FlushTests {
    class Person: PersistentObject {
        override class var tableName: String { "person" }
        var name = ""
        var age = 0
        override func validate(_ problems: inout Problems) { problems.require(age >= 0, \Person.age, "is negative") }
    }

    final class Employee: Person { var salary = 0 }

    private func withPeople(_ body: (Session, TemporaryStore, Person, Recorder<String>) throws -> Void) throws {
        let notes = Recorder<String>()
        try withTemporarySession(.init(onNote: { notes.add($0) })) { session, file in
            let joe = Person()
            let ann = Employee()
            (joe.name, ann.name) = ("Joe", "Ann")
            try session.save([joe, ann])
            try body(session, file, joe, notes)
            withExtendedLifetime(ann) {}
        }
    }

    @Test func `in a transaction, queries of all types find unsaved edits`() throws {
        try withPeople { session, file, joe, _ in
            session.flushesBeforeQueries = true
            try session.transaction {
                joe.age = 40
                try expect(Person.findBy.age(40), [joe])
                joe.age = 41
                try expect(Person.where { $0.age == 41 }.count(), 1)
                joe.age = 42
                let found: [Person] = try Person.findByAge(42)
                expect(found, [joe])
                joe.age = 43
                try expect(Person.findByCriteria("WHERE age = ?", 43), [joe])
                joe.age = 44
                try expect(Person.query.sum(\.age), 44)
                joe.age = 45
                try expect(session.rows("SELECT age FROM person WHERE id = 1").first?["age"], .integer(45))
                let kim = Person()
                try session.add(kim)
                try expect(Person.count(), 3)
                #expect(!session.hasChanges)
            }
            try expect(file.sqlite("SELECT age FROM person WHERE id = 1"), "45")
        }
    }

    /// Calls a terminal method after an edit, and returns whether the edit was saved.
    private func saves(_ session: Session, _ joe: Person, _ body: (Int) throws -> Void) throws -> Bool {
        var isSaved = false
        try session.transaction {
            joe.age += 1
            try body(joe.age)
            isSaved = !joe.hasChanges
            session.rollBack()
        }
        try session.revert()
        return isSaved
    }

    @Test func `each terminal method saves edits before the query`() throws {
        try withPeople { session, _, joe, _ in
            session.flushesBeforeQueries = true
            func expectSaved(_ name: String, _ body: (Query<Person>) throws -> Bool) throws {
                var isFound = false
                let isSaved = try saves(session, joe) { age in isFound = try body(Person.where { $0.age == age }) }
                #expect(isSaved && isFound, "\(name)")
            }
            try expectSaved("all") { try $0.all() == [joe] }
            try expectSaved("first") { try $0.first() == joe }
            try expectSaved("last") { try $0.last() == joe }
            try expectSaved("count") { try $0.count() == 1 }
            try expectSaved("exists") { try $0.exists() }
            try expectSaved("ids") { try $0.ids() == [1] }
            try expectSaved("lazily") { try $0.lazily().count == 1 }
            try expectSaved("page") { try $0.page(1, of: 2).pageCount() == 1 }
            try expectSaved("forEach") { query in
                var count = 0
                try query.forEach { _ in count += 1 }
                return count == 1
            }
            try expectSaved("sum") { try $0.sum(\.age) == joe.age }
            try expectSaved("values") { try $0.values(of: \.age) == [joe.age] }
            try expectSaved("distinct") { try $0.distinct(\.age) == [joe.age] }
            try expectSaved("counted") { try $0.counted(by: \.age) == [joe.age: 1] }
            try expectSaved("groups") { try $0.groups { $0.age }.values { $0.count }.count == 1 }
            try expectSaved("only") { try $0.only(\.age).count == 1 }
            try expectSaved("except") { try $0.except(\.name).count == 1 }
            try expectSaved("update") { try $0.update { $0.name = "Jim" } == 1 }
            try expectSaved("delete") { try $0.delete() == 1 }
            let pair = { (query: Query<Person>) in query.join(Employee.self) { $0.id != $1.id } }
            try expectSaved("join all") { try pair($0).all().count == 1 }
            try expectSaved("join count") { try pair($0).count() == 1 }
            try expectSaved("join exists") { try pair($0).exists() }
            try expectSaved("join first") { try pair($0).first() != nil }
            try expectSaved("left join") { try $0.leftJoin(Employee.self) { $0.id == $1.id }.count() == 1 }
            try expectSaved("third class") { try pair($0).join(Person.self) { $1.id == $2.id }.count() == 1 }
            try expectSaved("criteria") { _ in try Person.countByCriteria("WHERE age = ?", joe.age) == 1 }
            try expectSaved("finder") { _ in try Person.countBy.age(joe.age) == 1 }
            try expectSaved("class") { _ in try Person.count() == 2 }
            try expectSaved("deleteAll") { _ in try Person.deleteAll() == 2 }
            try expectSaved("rows") { _ in try session.rows("SELECT * FROM person WHERE age = ?", joe.age).count == 1 }
        }
    }

    @Test func `a rollback reverts saves by queries and restores the edits`() throws {
        try withPeople { session, file, joe, _ in
            session.flushesBeforeQueries = true
            joe.age = 40
            try failing(session) { () throws in
                try expect(Person.findBy.age(40), [joe])
                joe.age = 41
                try expect(Person.findBy.age(41), [joe])
            }
            #expect(joe.age == 40 && joe.hasChanges)
            try expect(file.sqlite("SELECT age FROM person WHERE id = 1"), "0")
        }
    }

    @Test func `queries save nothing outside a transaction or without flushesBeforeQueries`() throws {
        try withPeople { session, _, joe, _ in
            session.flushesBeforeQueries = true
            joe.age = 40
            #expect(try Person.findBy.age(40).isEmpty)
            #expect(joe.hasChanges)
            session.flushesBeforeQueries = false
            let found = try session.transaction { try Person.findBy.age(40) }
            #expect(found.isEmpty && joe.hasChanges)
        }
    }

    @Test func `a query throws the error of its save`() throws {
        try withPeople { session, _, joe, _ in
            session.flushesBeforeQueries = true
            let error = #expect(throws: StoreError.self) {
                try session.transaction { () throws in
                    joe.age = -1
                    _ = try Person.all()
                }
            }
            #expect(error?.code == .invalid && joe.age == -1)
        }
    }

    #if DEBUG
        @Test func `a query on an edited property causes a note, once for each property`() throws {
            try withPeople { session, _, joe, notes in
                joe.age = 40
                try expect(Person.findBy.name("Joe"), [joe])
                expect(notes.take(), [])
                #expect(try Person.findBy.age(40).isEmpty)
                let note = try #require(notes.take().first)
                #expect(note.contains("Person.age") && note.contains("Person #1"))
                #expect(note.contains("flushesBeforeQueries"))
                #expect(try Person.where { $0.age > 3 && $0.name == "Joe" }.all().isEmpty)
                expect(notes.take(), [])
                joe.name = "Jim"
                try expect(Person.query.order(by: \.age).values(of: \.name), ["Joe", "Ann"])
                expect(notes.take().count, 1)
            }
        }

        @Test func `an edited object of another class causes no note`() throws {
            try withPeople { session, _, joe, notes throws in
                joe.age = 40
                #expect(try Employee.findBy.age(40).isEmpty)
                expect(notes.take(), [])
            }
        }
    #endif
}
