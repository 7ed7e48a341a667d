import TestSupport
import Testing

@testable import PersistentObjects

/// `didLoad` is called once for each object that a row was read into, after its links are set.
struct LoadHookTests {
    final class Note: PersistentObject {
        override class var tableName: String { "note" }
        var text = ""
        @Transient var length = 0
        override func didLoad() {
            length = text.count
            Heard.calls?.add(text)
        }
    }

    class Person: PersistentObject {
        override class var tableName: String { "person" }
        var name = ""
        var friend: Person?
        var notes: [Note] = []
        @Lazy var secret: Note?
        override func didLoad() { Heard.calls?.add("\(name) \(friend?.name ?? "-") \(notes.map(\.text))") }
    }

    final class Employee: Person {
        override func didLoad() {
            super.didLoad()
            Heard.calls?.add("employee, \((try? Person.count()) ?? -1)")
        }
    }

    private func note(_ text: String) -> Note {
        let note = Note()
        note.text = text
        return note
    }

    @Test func `each way to fetch an object without links calls didLoad once`() throws {
        try withTemporarySession { session, _ throws in
            try expect(Heard.by { () throws in try session.save([self.note("a"), self.note("bb")]) }, [])
            try session.reset()
            var kept: [Note] = []
            try expect(Heard.by { () throws in kept += [try Note.find(1)].compactMap { $0 } }, ["a"])
            #expect(kept[0].length == 1 && !kept[0].hasChanges)
            try expect(Heard.by { () throws in kept += try Note.all() }, ["bb"])
            try expect(Heard.by { () throws in kept += try Note.findByText("a") + Note.query.all() }, [])
            try expect(Heard.by { () throws in try kept[0].reload() }, [])
            try session.reset()
            try expect(Heard.by { () throws in kept += try Note.query.untracked().all() }, ["a", "bb"])
            try expect(Heard.by { () throws in kept += try Note.where { $0.text == "bb" }.all() }, ["bb"])
            try expect(Heard.by { () throws in kept += try Note.find([1]) }, ["a"])
        }
    }

    @Test func `didLoad is called when the object graph is complete`() throws {
        try withTemporarySession { session, _ throws in
            let (joe, ann) = (Person(), Employee())
            (joe.name, ann.name) = ("Joe", "Ann")
            (joe.friend, ann.friend) = (ann, joe)
            joe.notes = [note("a"), note("bbb")]
            joe.secret = note("secret")
            try joe.save()
            ann.friend = nil
            try session.reset()
            var found: Person?
            let calls = try Heard.by { () throws in found = try Person.find(joe.id ?? 0) }
            expect(calls.sorted(), ["Ann Joe []", "Joe Ann [\"a\", \"bbb\"]", "a", "bbb", "employee, 2"])
            expect(Heard.by { _ = found?.secret }, ["secret"])
            found?.friend?.friend = nil
        }
    }

    @Test func `a failed fetch does not call didLoad`() throws {
        try withTemporarySession { session, file throws in
            try session.save([note("a"), note("b")])
            try session.reset()
            _ = try file.sqlite("UPDATE note SET text = CAST(x'ff' AS TEXT) WHERE id = 2")
            let calls = Heard.by { #expect(throws: StoreError.self) { () throws in try Note.all() } }
            #expect(calls == [])
        }
    }
}
