import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Histories of rows that move to another table because their class becomes, or stops being, a subclass.
struct HistoryMoveTests {
    /// Two tables.
    enum Apart {
        class Person: PersistentObject {
            override class var keepsHistory: Bool { true }
            override class var tableName: String { "joined_person" }
            var name = ""
        }
        class Worker: PersistentObject {
            override class var keepsHistory: Bool { true }
            override class var tableName: String { "joined_worker" }
            var label = ""
            var boss: Worker?
        }
        final class Pet: PersistentObject {
            override class var keepsHistory: Bool { true }
            override class var tableName: String { "joined_pet" }
            var owner: Worker?
        }
    }
    /// One table.
    enum Together {
        class Person: PersistentObject {
            override class var keepsHistory: Bool { true }
            override class var tableName: String { "joined_person" }
            var name = ""
        }
        final class Worker: Person {
            @Column("title", renamedFrom: "label") var label = ""
            var boss: Worker?
        }
        final class Pet: PersistentObject {
            override class var keepsHistory: Bool { true }
            override class var tableName: String { "joined_pet" }
            var owner: Worker?
        }
    }

    private func open(_ file: TemporaryStore, _ body: (Session) throws -> Void) throws {
        let store = try Store(file.path, configuration: .init(onNote: { _ in }))
        defer { store.close() }
        try store.withSession(body)
    }

    @Test func `rows that move to a superclass's table keep their history, and so do references to them`() throws {
        let file = try TemporaryStore()
        var times: [Date] = []
        try open(file) { _ in
            for name in ["a", "b", "c"] {
                let person = Apart.Person()
                person.name = name
                try person.save()
            }
            let (one, two, gone, pet) = (Apart.Worker(), Apart.Worker(), Apart.Worker(), Apart.Pet())
            (one.label, two.label, gone.label) = ("one", "two", "gone")
            one.boss = two
            for worker in [one, two, gone] { try worker.save() }
            pet.owner = one
            try pet.save()
            times.append(apart { Date() })
            (one.label, one.boss, pet.owner) = ("ONE", one, two)
            try one.save()
            try pet.save()
            try gone.delete()
            times.append(apart { Date() })
        }
        try open(file) { session in
            try session.store.prepare(Together.Worker.self, Together.Pet.self)
            let workers = try Together.Worker.query.order(by: \.id).all()
            #expect(workers.map(\.label) == ["two", "ONE"] || workers.map(\.label) == ["ONE", "two"])
            let one = try #require(workers.first { $0.label == "ONE" })
            let two = try #require(workers.first { $0.label == "two" })
            #expect((one.id ?? 0) > 3)
            #expect(try one.history.all().map(\.change) == [.created, .changed])
            #expect(try Together.Worker.history.count() == 5 && Together.Person.history.count() == 8)
            times.append(apart { Date() })
            try one.revert(to: times[0])
            #expect(one.label == "one" && one.boss === two)
            try one.revert(to: times[2])
            #expect(one.label == "ONE" && one.boss === one)
            let pet = try Together.Pet.query.single()
            try pet.revert(to: times[0])
            #expect(pet.owner === one)
            pet.revert()
            let gone = try Together.Person.restored((two.id ?? 0) + 1, to: times[0])
            #expect((gone as? Together.Worker)?.label == "gone")
            one.label = "after"
            try one.save()
            #expect(try one.history.count() == 3)
            try one.revert(to: times[1])
            #expect(one.label == "ONE")
            one.revert()
        }
        #expect(
            try file.sqlite("SELECT DISTINCT \"table\" FROM po_history_entry ORDER BY 1") == "joined_person\njoined_pet"
        )
    }

    @Test func `rows that move out of a superclass's table keep their history`() throws {
        let file = try TemporaryStore()
        var times: [Date] = []
        enum Later {
            class Worker: PersistentObject {
                override class var keepsHistory: Bool { true }
                override class var tableName: String { "joined_worker" }
                @Column("title") var label = ""
                var boss: Worker?
            }
        }
        try open(file) { _ in
            let (person, one) = (Together.Person(), Together.Worker())
            (person.name, one.label) = ("p", "one")
            one.boss = one
            try person.save()
            try one.save()
            times.append(apart { Date() })
            one.label = "ONE"
            try one.save()
            person.name = "P"
            try person.save()
        }
        try open(file) { session in
            let one = try Later.Worker.query.single()
            try expect(one.history.all().map(\.change), [.created, .changed])
            try one.revert(to: times[0])
            #expect(one.label == "one" && one.boss === one)
            one.revert()
            try one.delete()
            try expect(one.history.count(), 3)
            let person = try Apart.Person.query.single()
            try expect(person.history.count(), 2)
            try person.revert(to: times[0])
            expect(person.name, "p")
            try person.save()
            try expect(person.history.count(), 3)
        }
    }
}
