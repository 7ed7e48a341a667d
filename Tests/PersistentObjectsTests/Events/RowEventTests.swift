import TestSupport
import Testing

@testable import PersistentObjects

/// Events of rows without objects in memory, and of other writers.
@Suite(.hangLimit, .onSQLite("PostgreSQL does not tell which rows a transaction writes yet"))
struct RowEventTests {
    typealias Person = HeardEvents.Person

    @Test func `raw SQL is reported without properties`() async throws {
        try await withSession { session, _ in
            _ = try Person.count()
            let events = session.store.events
            try session.execute("INSERT INTO heard_person (name, age) VALUES ('Joe', 1), ('Ann', 2)")
            try session.execute("UPDATE heard_person SET age = age + 1 WHERE name = ?", "Ann")
            try session.execute("DELETE FROM heard_person WHERE name = ?", "Joe")
            await expect(
                events.all(session.store),
                [
                    "Person #1 inserted", "Person #2 inserted", "Person #2 updated: unknown properties",
                    "Person #1 deleted",
                ])
        }
    }

    @Test func `a deletion of all rows reports each row`() async throws {
        try await withSession { session, _ in
            try session.save((1...3).map { Person("\($0)") })
            try session.save((1...2).map { _ in HeardEvents.Passport() })
            // Prepared before the first subscriber exists.
            try session.execute("DELETE FROM heard_passport")
            try session.save((1...2).map { _ in HeardEvents.Passport() })
            let events = session.store.events
            try session.execute("DELETE FROM heard_passport")
            try Person.deleteAll()
            try session.execute("CREATE TABLE other (a)")
            try session.execute("DROP TABLE other")
            #expect(try session.rows("SELECT name FROM sqlite_schema WHERE name = 'other'").isEmpty)
            await expect(
                events.all(session.store),
                [
                    "Passport #3 deleted", "Passport #4 deleted", "Person #1 deleted", "Person #2 deleted",
                    "Person #3 deleted",
                ])
        }
    }

    @Test func `tables, indexes, triggers and views can be dropped while subscribers exist`() async throws {
        try await withSession { session, _ in
            let events = session.store.events
            for _ in 1...2 {
                try session.execute("CREATE TABLE other (a INTEGER)")
                try session.execute("CREATE INDEX other_index ON other (a)")
                try session.execute("CREATE VIEW other_view AS SELECT a FROM other")
                try session.execute("CREATE TRIGGER other_trigger AFTER INSERT ON other BEGIN DELETE FROM other; END")
                try session.execute("INSERT INTO other VALUES (1)")
                #expect(try session.rows("SELECT * FROM other").isEmpty)
                try session.execute("DROP TRIGGER other_trigger")
                try session.execute("DROP VIEW other_view")
                try session.execute("DROP INDEX other_index")
                try session.execute("DROP TABLE other")
                #expect(try session.rows("SELECT name FROM sqlite_schema WHERE name LIKE 'other%'").isEmpty)
            }
            await expect(events.all(session.store), [])
        }
    }

    @Test func `cascades and triggers are reported`() async throws {
        try await withSession { session, _ in
            let joe = Person("Joe")
            joe.passport = HeardEvents.Passport()
            joe.employer = HeardEvents.Company()
            try joe.save()
            try session.execute(
                """
                CREATE TRIGGER on_company AFTER UPDATE ON heard_company BEGIN
                    UPDATE heard_person SET age = age + 1 WHERE employer_id = new.id;
                END
                """)
            let events = session.store.events
            let acme = try #require(joe.employer)
            acme.name = "Acme"
            try acme.save()
            try acme.delete()
            try joe.delete()
            expect(
                Set(await events.all(session.store)),
                [
                    "Company #1 updated: name", "Person #1 updated: unknown properties", "Company #1 deleted",
                    "Person #1 updated: employer", "Person #1 deleted", "Passport #1 deleted",
                ])
        }
    }

    @Test func `updates and deletions by queries are reported`() async throws {
        try await withSession { session, _ in
            try session.save((1...3).map { Person("\($0)", age: $0) })
            let events = Person.events
            try Person.where { $0.age > 1 }.update { $0.name = "old" }
            try Person.where { $0.age > 2 }.delete()
            await expect(
                events.all(session.store), ["Person #2 updated: name", "Person #3 updated: name", "Person #3 deleted"])
        }
    }

    @Test func `rows of class hierarchies are reported with their class`() async throws {
        try await withSession { session, _ in
            try session.save([HeardEvents.Animal(), HeardEvents.Dog(), HeardEvents.Dog(), HeardEvents.Dog()])
            let events = session.store.events
            try session.execute("UPDATE heard_animal SET name = 'x' WHERE id < 3")
            try HeardEvents.Dog.where { $0.id == 3 }.delete()
            // The class of the deleted row was never read.
            try session.execute("DELETE FROM heard_animal WHERE id = 4")
            try HeardEvents.Animal.deleteAll()
            let unknown = "unknown properties"
            await expect(
                events.all(session.store),
                [
                    "Animal #1 updated: \(unknown)", "Dog #2 updated: \(unknown)", "Dog #3 deleted",
                    "Animal #4 deleted", "Animal #1 deleted", "Dog #2 deleted",
                ])
        }
    }

    @Test func `a deleted element is reported as an update of its owner`() async throws {
        final class Team: PersistentObject {
            override class var tableName: String { "heard_team" }
            var members: [Person] = []
        }
        try await withSession { session, _ in
            let team = Team()
            team.members = [Person("Joe"), Person("Ann")]
            try team.save()
            let events = Team.events
            try team.members[0].delete()
            await expect(events.all(session.store), ["Team #1 updated: members"])
        }
    }

    @Test func `events of all sessions arrive in the order of their commits`() async throws {
        let file = try TemporaryStore()
        // The tasks wait for each other, on a busy machine for seconds.
        let store = try file.open(configuration: .init(busyTimeout: .seconds(600)))
        try store.prepare(Person.self)
        let events = store.events
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 1...4 {
                group.addTask {
                    for _ in 1...50 { try store.withSession { _ in try Person("p").save() } }
                }
            }
            try await group.waitForAll()
        }
        // Ids are assigned in the order of the commits.
        await expect(events.all(store), (1...200).map { "Person #\($0) inserted" })
    }

    @Test func `commits of other processes are reported by the next call`() async throws {
        try await withSession { session, file in
            try session.save([Person("Joe")])
            let events = Person.events
            _ = try file.sqlite("UPDATE heard_person SET age = 5")
            _ = try Person.all()
            _ = try Person.all()
            var iterator = events.makeAsyncIterator()
            await expect(iterator.next()?.kind, .unknown)
            _ = try file.sqlite("UPDATE heard_person SET age = 6")
            try Person("Ann").save()
            // Commits of this process's sessions are not mistaken for foreign ones.
            try await session.store.perform { _ in try Person("Jim").save() }
            _ = try Person.all()
            try Person("Kim").save()
            let all = await events.all(session.store)
            expect(all, ["unknown changes", "Person #2 inserted", "Person #3 inserted", "Person #4 inserted"])
        }
    }

    @Test func `each in-memory store has its own events`() async throws {
        let (store, other) = (try Store.inMemory(), try Store.inMemory())
        let (events, others) = (store.events, other.events)
        try store.withSession { _ in try Person("Joe").save() }
        await expect(events.all(store), ["Person #1 inserted"])
        await expect(others.all(other), [])
    }
}
