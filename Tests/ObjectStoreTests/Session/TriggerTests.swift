import TestSupport
import Testing

@testable import PersistentObjects

/// Changes that other programs' triggers make during a session's saves are seen by its next query and not overwritten
/// by its next save.
struct TriggerTests {
    final class Person: PersistentObject {
        override class var tableName: String { "person" }
        var name = ""
        var age = 0
        var tags: [String] = []
        var count = 0
        @Searchable var text = ""
        var updates = 0
    }

    final class Log: PersistentObject {
        override class var tableName: String { "log" }
        var lines = 0
        @OnDelete(.cascade) var owner: Person?
    }

    private func withTriggers(
        _ sql: String, _ body: (Session, Person, TemporaryStore) throws -> Void
    ) throws {
        try withTemporarySession { session, file in
            let joe = Person()
            joe.name = "Joe"
            try session.save([joe, Log()])
            _ = try file.sqlite(sql)
            try body(session, joe, file)
        }
    }

    private static let update = """
        CREATE TRIGGER t AFTER UPDATE OF name ON person BEGIN UPDATE person SET age = 77 WHERE id = NEW.id; END
        """

    @Test(arguments: [false, true])
    func `a trigger's change of the row just saved is read by the next query`(inTransaction: Bool) throws {
        try withTriggers(Self.update) { session, joe, _ in
            joe.name = "q"
            if inTransaction { try session.transaction { try joe.save() } } else { try joe.save() }
            let found = try #require(try Person.findFirstBy.age(77))
            #expect(found === joe && joe.age == 77 && !joe.hasChanges)
        }
    }

    @Test(arguments: [ConflictPolicy.merge, .fail]) func `a trigger's change is not overwritten by the next save`(
        policy: ConflictPolicy
    ) throws {
        try withTriggers(Self.update) { session, joe, file in
            session.conflictPolicy = policy
            joe.name = "q"
            try joe.save()
            joe.age = 5
            let error = #expect(throws: StoreError.self) { try joe.save() }
            #expect(error?.code == .staleObject && error?.conflicts.first?.theirs as? Int == 77)
            try expect(file.sqlite("SELECT age FROM person"), "77")
            joe.revert()
            try joe.reload()
            joe.age = 5
            try joe.save()
            try expect(file.sqlite("SELECT age FROM person"), "5")
        }
    }

    @Test func `a trigger's change of rows just inserted is read, one by one and in batches`() throws {
        let sql = "CREATE TRIGGER t AFTER INSERT ON person BEGIN UPDATE person SET age = 77 WHERE id = NEW.id; END"
        try withTriggers(sql) { session, _, _ in
            let one = Person()
            try one.save()
            let many = (0..<100).map { _ in Person() }
            try session.save(many)
            #expect(try Person.findBy.age(77).count == 101)
            #expect(one.age == 77 && many.allSatisfy { $0.age == 77 && !$0.hasChanges })
        }
    }

    @Test func `changes by a trigger on a collection's table, and in other tables, are read`() throws {
        let sql = """
            CREATE TRIGGER a AFTER INSERT ON person_tags
                BEGIN UPDATE person SET count = count + 1 WHERE id = NEW.owner_id; END;
            CREATE TRIGGER b AFTER UPDATE OF age ON person BEGIN UPDATE log SET lines = lines + 1; END
            """
        try withTriggers(sql) { session, joe, _ in
            let log = try #require(try Log.first())
            joe.tags = ["a", "b"]
            try joe.save()
            _ = try Person.all()
            expect(joe.count, 2)
            joe.age = 3
            try joe.save()
            try session.refresh()
            expect(log.lines, 1)
            try Log.first()?.delete()
        }
    }

    @Test func `a trigger created while the session is open is noticed by the next save`() throws {
        try withTemporarySession { session, _ in
            let joe = Person()
            try joe.save()
            joe.name = "a"
            try joe.save()
            try session.execute(Self.update)
            joe.name = "b"
            try joe.save()
            _ = try Person.all()
            expect(joe.age, 77)
        }
    }

    @Test func `triggers that only check values, and the library's own triggers, make nothing stale`() throws {
        let sql = """
            CREATE TRIGGER no BEFORE UPDATE ON person WHEN NEW.age < 0 BEGIN SELECT RAISE(ABORT, 'no'); END
            """
        try withTriggers(sql) { session, joe, _ in
            _ = try Person.all()
            let log = try #require(try Log.first())
            log.owner = joe
            try log.save()
            let epoch = session.memory.epoch
            joe.text = "words"
            try joe.save()
            joe.age = -1
            #expect(throws: StoreError.self) { try joe.save() }
            joe.age = 1
            try joe.save()
            try log.delete()
            #expect(session.memory.epoch == epoch && joe.isDeleted)
        }
    }
}
