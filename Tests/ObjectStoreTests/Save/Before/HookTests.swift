import TestSupport
import Testing

@testable import PersistentObjects

/// The hook calls that a test recorded.
enum Heard {
    @TaskLocal static var calls: Recorder<String>?

    static func by(_ body: () throws -> Void) rethrows -> [String] {
        let recorder = Recorder<String>()
        try Heard.$calls.withValue(recorder) { try body() }
        return recorder.all
    }
}

/// `willSave`, `willInsert` and `willUpdate`: their order, their errors, and the calls they can make.
struct HookTests {
    struct Veto: Error {}

    class Person: PersistentObject {
        override class var tableName: String { "person" }
        var name = ""
        var count = 0
        var friend: Person?
        var letters: [Letter] = []
        @Transient var inside: ((Person) throws -> Void)?

        override func willSave() throws {
            Heard.calls?.add("willSave \(name)")
            try inside?(self)
        }
        override func willInsert() throws { Heard.calls?.add("willInsert \(name)") }
        override func willUpdate() throws { Heard.calls?.add("willUpdate \(name)") }
        override func validate(_ problems: inout Problems) {
            Heard.calls?.add("validate \(name)")
            problems.require(name != "bad", \Person.name, "is bad")
        }
    }

    final class Employee: Person {}

    final class Letter: PersistentObject {
        override class var tableName: String { "letter" }
        var text = ""
    }

    /// Creates another object in each hook, endlessly.
    final class Endless: PersistentObject {
        override class var tableName: String { "endless" }
        var next: Endless?
        override func willInsert() throws { next = Endless() }
    }

    private func person(_ name: String, _ made: Person = Person()) -> Person {
        made.name = name
        return made
    }

    @Test func `each hook is called once, before validation`() throws {
        try withTemporarySession { session, file throws in
            let (joe, ann) = (person("Joe", Employee()), person("Ann"))
            joe.friend = ann
            ann.friend = joe
            try expect(
                Heard.by { () throws in try session.save([joe, ann, joe]) },
                ["willSave Joe", "willInsert Joe", "willSave Ann", "willInsert Ann", "validate Joe", "validate Ann"])
            joe.count = 1
            try expect(Heard.by { () throws in try joe.save() }, ["willSave Joe", "willUpdate Joe", "validate Joe"])
            try expect(Heard.by { () throws in try joe.save() }, [])
            try expect(Heard.by { () throws in try session.saveChanges() }, [])
            try expect(file.sqlite("SELECT name, count FROM person"), "Joe|1\nAnn|0")
            ann.friend = nil
        }
    }

    @Test func `an error in a hook is thrown by the save, nothing is written, and edits are kept`() throws {
        try withTemporarySession { session, file throws in
            let (joe, ann) = (person("Joe"), person("Ann"))
            ann.inside = {
                $0.count = 7; throw Veto()
            }
            #expect(throws: Veto.self) { () throws in try session.save([joe, ann]) }
            #expect(joe.isNew && ann.isNew && ann.count == 7)
            #expect(try file.sqlite("SELECT count(*) FROM person") == "0")
            ann.inside = nil
            try session.save([joe, ann])
            ann.name = "Anna"
            ann.inside = { _ in throw Veto() }
            #expect(throws: Veto.self) { () throws in try session.saveChanges() }
            #expect(ann.hasChanges && ann.name == "Anna")
        }
    }

    @Test func `changes made by a hook are saved, with new objects`() throws {
        try withTemporarySession { session, file throws in
            let (joe, ann) = (person("Joe"), person("Ann"))
            ann.friend = joe
            try ann.save()
            joe.inside = { joe in
                joe.count += 1
                joe.letters.append(Letter())
                joe.friend = self.person("New")
            }
            // Ann has no changes until the hook of Joe edits her.
            ann.inside = { $0.count = 5 }
            joe.inside.map { body in
                joe.inside = { joe in
                    try body(joe)
                    ann.name = "Anna"
                }
            }
            joe.name = "Joseph"
            let calls = try Heard.by { () throws in try ann.save() }
            expect(
                calls,
                [
                    "willSave Joseph", "willUpdate Joseph", "willSave Anna", "willUpdate Anna", "willSave New",
                    "willInsert New", "validate Anna", "validate Joseph", "validate New",
                ])
            try expect(file.sqlite("SELECT name, count FROM person ORDER BY name"), "Anna|5\nJoseph|1\nNew|0")
            #expect(try Letter.count() == 1 && session.counts.changed == 0)
        }
    }

    @Test func `saveChanges saves changes that its hooks make in other objects`() throws {
        try withTemporarySession { session, file throws in
            let (joe, ann, eve) = (person("Joe"), person("Ann"), Letter())
            try session.save([joe, ann, eve])
            joe.inside = { _ in
                ann.count = 3; eve.text = "x"
            }
            joe.name = "Joseph"
            try expect(Heard.by { () throws in try session.saveChanges() }.count, 6)
            try expect(file.sqlite("SELECT name, count FROM person"), "Joseph|0\nAnn|3")
            try expect(file.sqlite("SELECT text FROM letter"), "x")
        }
    }

    @Test func `an object that the hook of another object changes is saved with that change`() throws {
        try withTemporarySession { session, file throws in
            let (joe, letter) = (person("Joe"), Letter())
            try session.save([joe, letter])
            letter.text = "before"
            joe.count = 1
            joe.inside = { _ in letter.text = "after" }
            try session.save([letter, joe] as [PersistentObject])
            #expect(try file.sqlite("SELECT text FROM letter") == "after" && !letter.hasChanges)
        }
    }

    @Test func `if a hook reverts the change, nothing is written`() throws {
        try withTemporarySession { session, _ throws in
            let joe = person("Joe")
            try joe.save()
            joe.count = 2
            joe.inside = { $0.revert() }
            try expect(statements(of: session) { try joe.save() }, [])
        }
    }

    @Test func `a hook can find and use a class for the first time, but cannot save or delete`() throws {
        try withTemporarySession { _, file throws in
            let joe = person("Joe")
            joe.inside = { $0.count = try Letter.count() + Person.count() + 5 }
            try joe.save()
            #expect(try file.sqlite("SELECT count FROM person") == "5")
            joe.count = 6
            for body: (Person) throws -> Void in [
                { try $0.save() }, { try $0.delete() }, { _ in try Letter().save() }, { _ in try Letter.deleteAll() },
            ] {
                joe.inside = body
                let error = #expect(throws: StoreError.self) { () throws in try joe.save() }
                #expect(error?.code == .misuse && "\(error as Any)".contains("A hook"))
            }
            joe.inside = nil
            try joe.save()
            #expect(try file.sqlite("SELECT count FROM person") == "6")
        }
    }

    @Test func `a hook that creates objects endlessly is an error`() throws {
        try withTemporarySession { _, file throws in
            let error = #expect(throws: StoreError.self) { () throws in try Endless().save() }
            #expect(error?.code == .misuse && "\(error as Any)".contains("Endless"))
            try expect(file.sqlite("SELECT count(*) FROM endless"), "0")
        }
    }

    @Test func `hooks can be skipped, alone or with validation`() throws {
        try withTemporarySession { session, _ throws in
            let joe = person("Joe")
            try expect(Heard.by { () throws in try joe.save(.withoutHooks) }, ["validate Joe"])
            joe.name = "bad"
            try expect(Heard.by { () throws in try session.save([joe], [.withoutHooks, .withoutValidation]) }, [])
            joe.count = 1
            try expect(
                Heard.by { () throws in try session.saveChanges(.withoutValidation) },
                ["willSave bad", "willUpdate bad"])
        }
    }

    @Test func `findOrCreate calls hooks, and an update by query does not`() throws {
        try withTemporarySession { _, _ throws in
            let made = try Heard.by { () throws in _ = try Person.findOrCreateBy.name("Joe") }
            expect(made, ["willSave Joe", "willInsert Joe", "validate Joe"])
            // Rows changed in SQL call no hooks.
            try expect(Heard.by { () throws in _ = try Person.query.update { $0.count = 3 } }, [])
        }
    }
}
