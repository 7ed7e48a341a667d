import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Objects that are released with unsaved edits.
struct LostEditsTests {
    final class Note: Codable {
        var text = ""
    }

    final class Person: PersistentObject {
        override class var tableName: String { "person" }
        var name = ""
        var age: Int?
        var tags: [String] = []
        var note = Note()
        @Transient var other = 0
    }

    final class Clearing: PersistentObject {
        override class var tableName: String { "clearing" }
        var name = "kept"
        deinit { name = "cleared" }
    }

    private static func listening(_ lost: Recorder<LostEdits>) -> Store.Configuration {
        .init(lostEdits: .report { lost.add($0) })
    }

    @discardableResult
    private static func saved() throws -> Person {
        let person = Person()
        person.name = "Smith"
        try person.save()
        return person
    }

    @Test func `the closure receives the class, the id, and old and new values`() throws {
        let lost = Recorder<LostEdits>()
        try withTemporarySession(Self.listening(lost)) { _, file in
            try {
                let person = try Self.saved()
                person.age = 39
                person.tags = ["a"]
                // Otherwise an optimized build releases the object before the end of the line.
                withExtendedLifetime(person) { person.note.text = "x" }
            }()
            let edits = try #require(lost.take().first)
            #expect(
                edits.className == "Person" && edits.id == 1 && edits.changes.map(\.name) == ["age", "tags", "note"])
            try #require(edits.changes.count == 3, "\(edits.changes)")
            #expect(edits.changes[0].old == nil && edits.changes[0].new as? Int == 39)
            #expect(edits.changes[1].new as? [String] == ["a"] && (edits.changes[2].new as? Note)?.text == "x")
            expect((edits.changes[2].old as? Note)?.text.isEmpty, true)
            #expect(try file.sqlite("SELECT age FROM person").isEmpty)
            #expect(try Person.find(1)?.age == nil && lost.all.isEmpty)
        }
    }

    @Test func `edits left when a session ends are noted with object and properties, without values`() throws {
        let notes = Recorder<String>()
        try withTemporarySession(.init { notes.add($0) }) { _, _ in
            try { try Self.saved().name = "secret" }()
            #expect(notes.all.isEmpty)
        }
        expect(
            notes.all,
            [
                "Person #1 was released with unsaved edits in name. The edits are lost. Call save(), or saveChanges() "
                    + "before the session ends, or revert() to discard edits (a deinit that clears properties "
                    + "counts as edits)"
            ])
    }

    @Test func `with the policy ignore nothing is noted`() throws {
        let notes = Recorder<String>()
        try withTemporarySession(.init(lostEdits: .ignore) { notes.add($0) }) { _, _ in
            try { try Self.saved().name = "x" }()
            #expect(notes.all.isEmpty)
        }
    }

    @Test func `objects without unsaved edits report nothing`() throws {
        let lost = Recorder<LostEdits>()
        try withTemporarySession(Self.listening(lost)) { session, _ in
            try {
                let people = try (0..<6).map { _ in try Self.saved() }
                people[0].age = 1
                try people[0].save()
                people[1].age = 1
                people[1].revert()
                people[2].age = 1
                try people[2].delete()
                people[3].age = 1
                people[3].age = nil
                people[4].other = 5
                people[5].age = 1
                try people[5].reload()
                let new = Person()
                new.name = "never saved"
                _ = people[0].copy()
            }()
            _ = try Person.all()
            #expect(lost.all.isEmpty)
            try expect(session.space(of: Person.self).identity.count, 0)
        }
    }

    @Test func `the edits of a failed save are reported when the object is released`() throws {
        let lost = Recorder<LostEdits>()
        try withTemporarySession(Self.listening(lost)) { _, file in
            try {
                let person = try Self.saved()
                _ = try file.sqlite("DELETE FROM person")
                person.age = 5
                #expect(throws: StoreError.self) { try person.save() }
            }()
            #expect(lost.all.map(\.id) == [1])
        }
    }

    @Test func `an object released on another thread reports its edits`() throws {
        let lost = Recorder<LostEdits>()
        try withTemporarySession(Self.listening(lost)) { session, _ in
            let person = Smuggled<Person?>(try Self.saved())
            person.value?.age = 5
            let ended = DispatchSemaphore(value: 0)
            Thread {
                person.value = nil
                ended.signal()
            }.start()
            ended.wait()
            expect(lost.all.map(\.id), [1])
            #expect(try session.space(of: Person.self).identity.count == 0 && Person.find(1)?.age == nil)
        }
    }

    @Test func `an object that outlives its session and store reports its edits`() throws {
        let lost = Recorder<LostEdits>()
        var person: Person?
        try withTemporarySession(Self.listening(lost)) { _, _ in person = try Self.saved() }
        person?.age = 5
        #expect(lost.all.isEmpty)
        person = nil
        expect(lost.all.map(\.id), [1])
    }

    @Test func `changes by a deinit count as edits`() throws {
        let lost = Recorder<LostEdits>()
        try withTemporarySession(Self.listening(lost)) { _, _ in
            try { try Clearing().save() }()
            expect(lost.all.map(\.changes.first?.description), ["name: \"kept\" -> \"cleared\""])
        }
    }

    @Test func `the closure can use the session`() throws {
        let found = Recorder<Int>()
        let file = try TemporaryStore()
        let configuration = Store.Configuration(
            lostEdits: .report { edits in
                // The object is dying. Fetching its row creates another object, which is released without edits.
                if let again = try? Person.find(edits.id) { found.add(again.age ?? -1) }
            })
        try file.open(configuration: configuration).withSession { session in
            try { try Self.saved().age = 5 }()
            expect(found.all, [-1])
            #expect(try session.space(of: Person.self).identity.brokenInvariant() == nil)
            try expect(session.space(of: Person.self).identity.count, 0)
        }
    }

    @Test func `the policy can be changed while objects are alive`() throws {
        let lost = Recorder<Int64>()
        try withTemporarySession(.init(lostEdits: .ignore)) { session, _ in
            var people: [Person] = try [Self.saved(), Self.saved(), Self.saved()]
            for person in people { person.age = 5 }
            people.removeLast()
            session.store.configuration.lostEdits = .report { lost.add($0.id) }
            people.removeLast()
            expect(lost.all, [2])
            session.store.configuration.lostEdits = .keep
            people.removeLast()
            try expect(Person.all().map(\.age), [5, nil, nil])
        }
    }
}
