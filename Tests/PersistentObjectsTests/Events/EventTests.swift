import TestSupport
import Testing

@testable import PersistentObjects

/// Events for saved and deleted objects are sent after the commit, one for each object and transaction.
@Suite(.hangLimit, .onSQLite("PostgreSQL does not tell which rows a transaction writes yet"))
struct EventTests {
    typealias Person = HeardEvents.Person

    @Test func `each commit is reported, and updates include the changed properties`() async throws {
        try await withSession { session, _ in
            let events = Person.events
            let joe = Person("Joe")
            try joe.save()
            joe.age = 3
            joe.name = "J"
            try joe.save()
            try joe.save()
            try joe.delete()
            await expect(
                events.all(session.store), ["Person #1 inserted", "Person #1 updated: name, age", "Person #1 deleted"])
        }
    }

    @Test func `an event contains the object's id and class`() async throws {
        try await withSession { session, _ in
            var events = Person.events.makeAsyncIterator()
            var all = session.store.events.makeAsyncIterator()
            let joe = Person("Joe")
            try joe.save()
            let event = try #require(await events.next())
            #expect(event.kind == .inserted && event.objectClass == Person.self && event.properties == [])
            #expect(try event.id.flatMap { try session.object(for: $0) } === joe)
            let same = try #require(await all.next())
            expect(same.id(as: Person.self), joe.persistentID)
            expect(same.id(as: PersistentObject.self)?.value, 1)
            #expect(same.id(as: HeardEvents.Company.self) == nil)
        }
    }

    @Test func `a transaction sends one event for each object, after its commit`() async throws {
        try await withSession { session, _ in
            let (joe, ann) = (Person("Joe"), Person("Ann"))
            try joe.save()
            let events = Person.events
            var count = 0
            try session.transaction { () throws in
                joe.age = 1
                try joe.save()
                joe.name = "J"
                try session.save([joe, ann])
                ann.age = 2
                try ann.save()
                let gone = Person()
                try gone.save()
                try gone.delete()
                count = session.connection.rowLog?.changes.count ?? 0
            }
            #expect(count > 0)
            await expect(events.all(session.store), ["Person #1 updated: age, name", "Person #2 inserted"])
        }
    }

    @Test func `rolled back changes are not reported`() async throws {
        try await withSession { session, _ in
            let events = session.store.events
            let (joe, ann) = (Person("Joe"), Person("Ann"))
            try session.transaction { () throws in
                try joe.save()
                #expect(throws: HeardEvents.Stop.self) {
                    try session.transaction { () throws in
                        joe.age = 1
                        try session.save([joe, ann])
                        try session.execute("UPDATE heard_person SET age = 7")
                        throw HeardEvents.Stop()
                    }
                }
                try session.transaction { () throws in
                    try ann.save()
                    session.rollBack()
                }
            }
            #expect(throws: HeardEvents.Stop.self) {
                try session.transaction { () throws in
                    try joe.delete()
                    throw HeardEvents.Stop()
                }
            }
            #expect(throws: StoreError.self) { try session.execute("UPDATE heard_person SET employer_id = 99") }
            #expect(throws: StoreError.self) {
                try session.execute("INSERT INTO heard_person (id, name, age) VALUES (8, 'a', 1), (1, 'b', 1)")
            }
            #expect(await events.all(session.store) == ["Person #1 inserted"])
        }
    }

    @Test func `collections and references are reported as properties`() async throws {
        try await withSession { session, _ in
            let (joe, acme) = (Person("Joe"), HeardEvents.Company())
            try session.save([joe, acme])
            let events = session.store.events
            joe.tags = ["a"]
            try joe.save()
            joe.employer = acme
            joe.tags.append("b")
            try joe.save()
            await expect(events.all(session.store), ["Person #1 updated: tags", "Person #1 updated: tags, employer"])
        }
    }

    @Test func `events of many objects arrive in order`() async throws {
        try await withSession { session, _ in
            let people = (1...700).map { Person("\($0)") }
            let events = Person.events
            try session.save(people)
            for person in people { person.age = 1 }
            try session.saveChanges()
            try session.delete(people)
            let ids = 1...700
            await expect(
                events.all(session.store),
                ids.map { "Person #\($0) inserted" } + ids.map { "Person #\($0) updated: age" }
                    + ids.map { "Person #\($0) deleted" })
        }
    }

    @Test func `exchanged unique values are reported as one update for each object`() async throws {
        final class Seat: PersistentObject {
            override class var tableName: String { "heard_seat" }
            @Unique var place = 0
        }
        try await withSession { session, _ in
            let (a, b) = (Seat(), Seat())
            (a.place, b.place) = (1, 2)
            try session.save([a, b])
            let events = Seat.events
            (a.place, b.place) = (2, 1)
            try session.save([a, b])
            await expect(events.all(session.store), ["Seat #1 updated: place", "Seat #2 updated: place"])
        }
    }

    @Test func `events of subclasses reach subscribers of the superclass`() async throws {
        try await withSession { session, _ in
            let (animals, dogs) = (HeardEvents.Animal.events, HeardEvents.Dog.events)
            let (cat, dog) = (HeardEvents.Animal(), HeardEvents.Dog())
            try session.save([cat, dog])
            dog.tricks = 1
            try dog.save()
            try session.delete([cat, dog])
            await expect(
                animals.all(session.store),
                [
                    "Animal #1 inserted", "Dog #2 inserted", "Dog #2 updated: tricks", "Animal #1 deleted",
                    "Dog #2 deleted",
                ])
            await expect(dogs.all(session.store).count, 3)
        }
    }

    @Test func `events of an object report only that object`() async throws {
        try await withSession { session, _ in
            let joe = Person("Joe")
            await expect(joe.events.all(session.store), [])
        }
        try await withSession { session, _ in
            let (joe, ann) = (Person("Joe"), Person("Ann"))
            try session.save([joe, ann])
            let events = joe.events
            (joe.age, ann.age) = (1, 1)
            try session.save([joe, ann])
            try session.delete([joe, ann])
            await expect(events.all(session.store), ["Person #1 updated: age", "Person #1 deleted"])
        }
    }

    @Test func `classes and saves can be silent`() async throws {
        try await withSession { session, _ in
            let events = session.store.events
            let (joe, silent) = (Person("Joe"), HeardEvents.Silent())
            joe.passport = HeardEvents.Passport()
            try session.save([joe, silent], .silently)
            silent.name = "a"
            try silent.save()
            joe.age = 1
            try session.save([joe], [.silently, .withoutHooks])
            try session.transaction { () throws in
                joe.age = 2
                try joe.save(.silently)
                joe.name = "J"
                try joe.save()
            }
            await expect(events.all(session.store), ["Person #1 updated: age, name"])
        }
    }

    @Test func `each subscriber receives all events since it subscribed`() async throws {
        try await withSession { session, _ in
            let first = Person.events
            try Person("Joe").save()
            let second = Person.events
            try Person("Ann").save()
            await expect(second.all(session.store), ["Person #2 inserted"])
            await expect(first.all(session.store), ["Person #1 inserted", "Person #2 inserted"])
        }
    }

    @Test func `a subscriber that joins during a transaction receives an event for unknown changes`() async throws {
        try await withSession { session, _ in
            let events = try session.transaction { () throws in
                try Person("Joe").save()
                let events = Person.events
                try Person("Ann").save()
                return events
            }
            try Person("Jim").save()
            await expect(events.all(session.store), ["unknown changes", "Person #3 inserted"])
        }
    }

    @Test func `without subscribers no changes are recorded`() async throws {
        try await withSession { session, _ in
            try Person("Joe").save()
            #expect(session.connection.rowLog == nil && !session.store.hub.isWatched)
            do {
                let events = Person.events
                try Person("Ann").save()
                #expect(session.connection.rowLog != nil && session.store.hub.isWatched)
                withExtendedLifetime(events) {}
            }
            #expect(!session.store.hub.isWatched)
            try Person("Jim").save()
            #expect(session.connection.rowLog == nil)
        }
    }
}
