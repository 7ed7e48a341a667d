import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Unsaved edits outlive their object: the session keeps them as pending edits of the row.
struct PendingEditTests {
    class Person: PersistentObject {
        override class var tableName: String { "person" }
        var name = ""
        var age = 0
        var nick: String?
        var tags: [String] = []
        var note = Note()
        var boss: Person?
        weak var pal: Person?
        var friends: [Person] = []
        @Lazy var photo: Data?
        @Lazy var mentor: Person?
        @Inverse(\Person.boss) var staff: [Person]
    }

    final class Chief: Person {
        override class var formerTableNames: [String] { [] }
        var level = 0
    }

    struct Note: Codable { var text = "" }

    final class Counter: PersistentObject {
        override class var tableName: String { "counter" }
        var n = 0
        var status = "new"
        var other = 0
    }

    final class Versioned: PersistentObject {
        override class var tableName: String { "versioned" }
        var n = 0
        var other = 0
        var version = 0
        override class var versionProperty: AnyKeyPath? { \Versioned.version }
    }

    struct Boom: Error {}

    static let strict = Store.Configuration(onNote: { Issue.record("a note: \($0)") })

    /// Saves counters. Their objects are released before it returns.
    func counters(_ count: Int, _ session: Session) throws {
        try session.save((0..<count).map { _ in Counter() })
        try expect(session.counts.live, 0)
    }

    func numbers(_ file: TemporaryStore, _ column: String = "n", of table: String = "counter") throws -> String {
        try file.sqlite("SELECT group_concat(\(column)) FROM (SELECT * FROM \(table) ORDER BY id)")
    }

    // MARK: saveChanges

    @Test func `saveChanges writes the edits of released objects`() throws {
        try withTemporarySession(Self.strict) { session, file in
            try counters(3, session)
            for counter in try Counter.all() { counter.n = 5 }
            try expect(session.counts.live, 0)
            try expect(numbers(file), "0,0,0")
            try session.saveChanges()
            try expect(numbers(file), "5,5,5")
            #expect(session.memory.pendingEdits.isEmpty)
            try expect(session.counts.live, 0)
        }
    }

    @Test func `only edited columns are written`() throws {
        try withTemporarySession(Self.strict) { session, file in
            try counters(1, session)
            try { try Counter.first()?.n = 5 }()
            _ = try file.sqlite("UPDATE counter SET status = 'theirs'")
            let log = try statements(of: session) { try session.saveChanges() }
            #expect(log.contains { $0.hasPrefix("UPDATE \"counter\" SET \"n\" = ") }, "\(log)")
            #expect(try numbers(file) == "5" && numbers(file, "status") == "theirs")
        }
    }

    @Test func `edits of every kind of property are kept`() throws {
        try withTemporarySession(Self.strict) { session, file in
            try {
                let (a, b, c) = (Person(), Chief(), Person())
                a.boss = b
                a.friends = [b]
                a.tags = ["x", "y"]
                try session.save([a, b, c])
            }()
            try {
                let people = try Person.all()
                let (a, c) = (people[0], people[2])
                a.name = "Ann"
                a.age = 39
                a.nick = "A"
                a.tags.append("z")
                a.note.text = "note"
                a.boss = c
                a.friends = [c, a]
                a.friends.removeLast()
                a.photo = Data([1, 2])
                a.mentor = c
                (people[1] as? Chief)?.level = 7
            }()
            // The pending edits hold the objects that they refer to.
            try expect(session.counts.live, 1)
            // A fetch shows the edits, and nothing is written yet.
            try {
                let a = try #require(try Person.find(1))
                #expect(a.name == "Ann" && a.age == 39 && a.nick == "A" && a.tags == ["x", "y", "z"])
                #expect(a.note.text == "note" && a.boss?.id == 3 && a.friends.map(\.id) == [3])
                #expect(a.photo == Data([1, 2]) && a.mentor?.id == 3)
                expect(
                    Set(a.changes.map(\.name)),
                    ["name", "age", "nick", "tags", "note", "boss", "friends", "photo", "mentor"], "\(a.changes)")
            }()
            try expect(file.sqlite("SELECT name, boss_id FROM person WHERE id = 1"), "|2")
            try session.saveChanges()
            try expect(
                file.sqlite("SELECT name, age, nick, boss_id, mentor_id, hex(photo) FROM person WHERE id = 1"),
                "Ann|39|A|3|3|0102")
            try expect(file.sqlite("SELECT value FROM person_tags ORDER BY position"), "x\ny\nz")
            try expect(file.sqlite("SELECT value_id FROM person_friends"), "3")
            try expect(file.sqlite("SELECT level FROM person WHERE id = 2"), "7")
            try expect(Person.find(1)?.hasChanges, false)
        }
    }

    @Test func `an edited weak reference keeps its target`() throws {
        try withTemporarySession(Self.strict) { session, file in
            try session.save([Person(), Person()])
            try {
                let pal = try Person.find(1)
                try { try Person.find(2)?.pal = pal }()
                withExtendedLifetime(pal) {}
            }()
            try session.saveChanges()
            try expect(file.sqlite("SELECT pal_id FROM person WHERE id = 2"), "1")
        }
    }

    @Test func `an edited inverse is kept`() throws {
        try withTemporarySession(Self.strict) { session, file in
            try session.save([Person(), Person()])
            try {
                let people = try Person.all()
                people[0].staff.append(people[1])
            }()
            try session.saveChanges()
            try expect(file.sqlite("SELECT boss_id FROM person WHERE id = 2"), "1")
        }
    }

    @Test func `new objects that an edit refers to are saved with it`() throws {
        try withTemporarySession(Self.strict) { session, file in
            try session.save([Person()])
            try {
                let new = Person()
                new.name = "new"
                try Person.first()?.friends.append(new)
            }()
            try session.saveChanges()
            try expect(file.sqlite("SELECT name FROM person JOIN person_friends ON id = value_id"), "new")
        }
    }

    @Test func `a find, a query and a reference all return the object with its pending edits`() throws {
        try withTemporarySession(Self.strict) { session, _ in
            try { try session.save([Person(["name": "a"]), Person(["name": "b", "boss": nil])]) }()
            try { try Person.find(2)?.boss = Person.find(1) }()
            try session.saveChanges()
            for way in 0..<4 {
                try { try Person.find(1)?.age = 10 + way }()
                let found: Person? =
                    switch way {
                    case 0: try Person.find(1)
                    case 1: try Person.where { $0.name == "a" }.first()
                    case 2: try Person.find(2)?.boss
                    default: try Person.all().first
                    }
                #expect(found?.age == 10 + way && found?.changes.map(\.name) == ["age"], "way \(way)")
                #expect(session.memory.pendingEdits.isEmpty)
                found?.revert()
                expect(found?.age, 0)
            }
            // Reverted edits are no longer pending.
            try session.saveChanges()
            try expect(Person.find(1)?.age, 0)
        }
    }

    @Test func `edits of an object that was fetched with pending edits become pending again`() throws {
        try withTemporarySession(Self.strict) { session, file in
            try counters(1, session)
            try { try Counter.find(1)?.n = 1 }()
            try { try Counter.find(1)?.other = 2 }()
            try { try Counter.find(1)?.n += 2 }()
            try session.saveChanges()
            #expect(try numbers(file) == "3" && numbers(file, "other") == "2")
        }
    }

    @Test func `validation and hooks apply to pending edits`() throws {
        try withTemporarySession(Self.strict) { session, file in
            try { try Checked().save() }()
            try { try Checked.find(1)?.n = -1 }()
            let error = #expect(throws: StoreError.self) { try session.saveChanges() }
            #expect(error?.code == .invalid && error?.rowID == 1)
            // The edit stays pending, so that it can be corrected.
            try { try Checked.find(1)?.n = 4 }()
            try session.saveChanges()
            #expect(try file.sqlite("SELECT n, twice FROM checked") == "4|8")
        }
    }

    final class Checked: PersistentObject {
        override class var tableName: String { "checked" }
        var n = 0
        var twice = 0
        override func validate(_ problems: inout Problems) {
            problems.require(n >= 0, \Checked.n, "must not be negative")
        }
        override func willSave() throws { twice = 2 * n }
    }

    // MARK: Conflicts

    @Test func `changes of other sessions to other columns are kept`() throws {
        try withTemporaryStore(Self.strict) { store, file in
            try store.withSession { session in
                try counters(1, session)
                try { try Counter.find(1)?.n = 5 }()
                try store.withSession { _ in
                    let theirs = try #require(try Counter.find(1))
                    theirs.other = 9
                    theirs.status = "theirs"
                    try theirs.save()
                }
                try session.saveChanges()
            }
            try expect(file.sqlite("SELECT n, other, status FROM counter"), "5|9|theirs")
        }
    }

    @Test(arguments: [5, 6]) func `a change of the same column elsewhere is a conflict`(theirs number: Int) throws {
        try withTemporaryStore { store, file in
            try store.withSession { session in
                try counters(1, session)
                try { try Counter.find(1)?.n = 5 }()
                _ = try file.sqlite("UPDATE counter SET n = \(number)")
                for _ in 0..<2 {
                    let error = #expect(throws: StoreError.self) { try session.saveChanges() }
                    #expect(error?.code == .staleObject && error?.conflicts.first?.base as? Int == 0, "\(error as Any)")
                    #expect(error?.conflicts.first?.mine as? Int == 5)
                    #expect(error?.conflicts.first?.theirs as? Int == number)
                }
                try session.saveChanges(.onConflict(.theirs))
                #expect(try numbers(file) == "\(number)")
                try session.saveChanges()
            }
        }
    }

    @Test func `equal changes of a string on both sides are not a conflict`() throws {
        try withTemporarySession(Self.strict) { session, file in
            try counters(1, session)
            try { try Counter.find(1)?.status = "done" }()
            _ = try file.sqlite("UPDATE counter SET status = 'done'")
            try session.saveChanges()
            try expect(numbers(file, "status"), "done")
        }
    }

    @Test func `a fetch keeps the conflict of a pending edit`() throws {
        try withTemporaryStore { store, file in
            try store.withSession { session in
                try counters(1, session)
                try { try Counter.find(1)?.n = 5 }()
                _ = try file.sqlite("UPDATE counter SET n = 7, other = 8")
                let counter = try #require(try Counter.find(1))
                #expect(counter.n == 5 && counter.other == 8)
                #expect(counter.changes.first?.old as? Int == 0)
                let error = #expect(throws: StoreError.self) { try counter.save() }
                #expect(error?.code == .staleObject)
                counter.revert()
                try counter.reload()
                #expect(counter.n == 7)
            }
        }
    }

    @Test func `with the policy fail or a version property, any change elsewhere is a conflict`() throws {
        try withTemporaryStore { store, file in
            try store.withSession { session in
                try counters(1, session)
                try { try Versioned().save() }()
                try { try Counter.find(1)?.n = 5 }()
                _ = try file.sqlite("UPDATE counter SET other = 9")
                session.conflictPolicy = .fail
                let error = #expect(throws: StoreError.self) { try session.saveChanges() }
                #expect(error?.code == .staleObject && error?.conflicts.map(\.property) == ["other"])
                session.conflictPolicy = .merge
                try session.saveChanges()
                #expect(try file.sqlite("SELECT n, other FROM counter") == "5|9")
                try { try Versioned.find(1)?.n = 5 }()
                _ = try file.sqlite("UPDATE versioned SET other = 9, version = version + 1")
                #expect(throws: StoreError.self) { try session.saveChanges() }
                try session.revert()
            }
        }
    }

    @Test func `updates by the session itself are not a conflict`() throws {
        try withTemporarySession(Self.strict) { session, file in
            try counters(2, session)
            for counter in try Counter.all() { counter.n = 5 }
            _ = try Counter.query.update { $0.n += 1 }
            try session.saveChanges()
            try expect(numbers(file), "5,5")
        }
    }

    @Test func `pending edits of a deleted row make saves throw until a refresh or revert`() throws {
        let notes = Recorder<String>()
        try withTemporarySession(.init(onNote: { notes.add($0) })) { session, file in
            for way in 0..<2 {
                try counters(1, session)
                let id = try #require(try Counter.query.ids().last)
                try { try Counter.find(id)?.n = 5 }()
                _ = try file.sqlite("DELETE FROM counter")
                let error = #expect(throws: StoreError.self) { try session.saveChanges() }
                #expect(error?.code == .rowGone && error?.className == "Counter" && error?.rowID == id)
                if way == 0 { try session.refresh() } else { try session.revert() }
                try session.saveChanges()
                #expect(notes.take().count == 1 - way)
            }
        }
    }
}
