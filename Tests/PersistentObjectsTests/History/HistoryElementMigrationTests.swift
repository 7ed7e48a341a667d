import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Histories of collections when classes change, move, and start or stop keeping a history.
struct HistoryElementMigrationTests {
    enum V1 {
        class Person: PersistentObject {
            override class var keepsHistory: Bool { true }
            override class var tableName: String { "grown_person" }
            var tags: [String] = []
            var numbers: [Int] = []
            var single = "one"
        }
        class Plain: PersistentObject {
            override class var tableName: String { "grown_plain" }
            var tags: [String] = []
            var friends: [Plain] = []
        }
        final class Special: Plain { var codes: Set<Int> = [] }
    }
    /// Another table, a renamed collection, a collection of another type, a former column, and a new collection.
    enum V2 {
        class Person: PersistentObject {
            override class var keepsHistory: Bool { true }
            override class var tableName: String { "adult_person" }
            override class var formerTableNames: [String] { ["grown_person"] }
            @Column("labels", renamedFrom: "tags") var labels: [String] = []
            var numbers: [Double] = []
            var single: [String] = []
            var marks: [String: Int] = [:]
        }
        class Plain: PersistentObject {
            override class var keepsHistory: Bool { true }
            override class var tableName: String { "grown_plain" }
            var tags: [String] = []
            var friends: [Plain] = []
        }
        final class Special: Plain { var codes: Set<Int> = [] }
    }
    enum Shaped {
        final class Thing: PersistentObject {
            override class var keepsHistory: Bool { true }
            override class var tableName: String { "shaped_thing" }
            var one: [String] = []
            var two: Set<String> = []
            var three: [Int: String] = [:]
        }
    }
    enum Reshaped {
        final class Thing: PersistentObject {
            override class var keepsHistory: Bool { true }
            override class var tableName: String { "shaped_thing" }
            var one: Set<String> = []
            var two: [String] = []
            var three: [String] = []
        }
    }
    enum Single {
        final class Note: PersistentObject {
            override class var keepsHistory: Bool { true }
            override class var tableName: String { "single_note" }
            var tag = ""
        }
    }
    enum Several {
        final class Note: PersistentObject {
            override class var keepsHistory: Bool { true }
            override class var tableName: String { "single_note" }
            var tag: [String] = []
        }
    }
    /// Two tables; `Together` has one table.
    enum Apart {
        class Person: PersistentObject {
            override class var keepsHistory: Bool { true }
            override class var tableName: String { "split_person" }
            var name = ""
        }
        class Worker: PersistentObject {
            override class var keepsHistory: Bool { true }
            override class var tableName: String { "split_worker" }
            var tags: [String] = []
            var friends: [Worker] = []
        }
        final class Team: PersistentObject {
            override class var keepsHistory: Bool { true }
            override class var tableName: String { "split_team" }
            var members: [String: Worker] = [:]
        }
    }
    enum Together {
        class Person: PersistentObject {
            override class var keepsHistory: Bool { true }
            override class var tableName: String { "split_person" }
            var name = ""
        }
        final class Worker: Person {
            var tags: [String] = []
            var friends: [Worker] = []
        }
        final class Team: PersistentObject {
            override class var keepsHistory: Bool { true }
            override class var tableName: String { "split_team" }
            var members: [String: Worker] = [:]
        }
    }

    private func open(_ file: TemporaryStore, _ body: (Session) throws -> Void) throws {
        let store = try Store(file.path, configuration: .init(onNote: { _ in }))
        defer { store.close() }
        try store.withSession(body)
    }

    private func triggers(_ file: TemporaryStore) throws -> String {
        if TestEngine.isPostgres {
            let store = try Store(file.path)
            defer { store.close() }
            return try store.withSession { session in
                let sql =
                    "SELECT tgname AS name FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = t.tgrelid "
                    + "WHERE c.relnamespace = current_schema()::regnamespace AND tgname LIKE '%.history.%' ORDER BY 1"
                return try session.rows(sql).map { try $0.value("name") as String? ?? "" }.joined(separator: "\n")
            }
        }
        return try file.sqlite(
            "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name LIKE '%.history.%' ORDER BY name")
    }

    @Test func `renamed, converted and new collections keep their history`() throws {
        let file = try TemporaryStore()
        var times: [Date] = []
        try open(file) { _ in
            let joe = V1.Person()
            (joe.tags, joe.numbers) = (["a", "b"], [1, 2])
            try joe.save()
            times.append(apart { Date() })
            (joe.tags, joe.numbers) = (["b"], [2, 3])
            try joe.save()
            times.append(apart { Date() })
        }
        try open(file) { session in
            let joe = try V2.Person.query.single()
            #expect(joe.labels == ["b"] && joe.numbers == [2, 3] && joe.single == ["one"])
            let before = try joe.history.count()
            times.append(apart { Date() })
            (joe.labels, joe.numbers, joe.single, joe.marks) = (["b", "c"], [2.5], ["two"], ["m": 1])
            try joe.save()
            try expect(joe.history.count(), before + 1)
            try joe.revert(to: times[2])
            #expect(joe.labels == ["b"] && joe.numbers == [2, 3] && joe.single == ["one"] && joe.marks.isEmpty)
            // The history contains integers, which the property accepts.
            try joe.revert(to: times[0])
            #expect(joe.labels == ["a", "b"] && joe.numbers == [1, 2] && joe.single == ["one"])
            try joe.save()
            let entry = try #require(try joe.history.all().last)
            #expect(try entry.old(\V2.Person.labels) == ["b", "c"] && entry.new(\V2.Person.labels) == ["a", "b"])
            #expect(try session.store.schemaPlan(for: V2.Person.self).isEmpty)
        }
        let names = try triggers(file)
        #expect(!names.contains("grown_") && names.contains("adult_person_labels.history.insert"))
        #expect(names.contains("adult_person_marks.history.\(TestEngine.isPostgres ? "update" : "renumber")"))
    }

    @Test func `an array that becomes a set can be reverted, but a set that becomes an array cannot`() throws {
        let file = try TemporaryStore()
        var times: [Date] = []
        try open(file) { _ in
            let things = [Shaped.Thing(), Shaped.Thing(), Shaped.Thing()]
            things[0].one = ["a", "b"]
            things[1].two = ["a", "b"]
            things[2].three = [0: "a", 1: "b"]
            for thing in things { try thing.save() }
            times.append(apart { Date() })
            things[0].one = ["b"]
            things[1].two = ["b"]
            things[2].three = [0: "A"]
            for thing in things { try thing.save() }
        }
        try open(file) { _ in
            let things = try Reshaped.Thing.query.order(by: \.id).all()
            times.append(apart { Date() })
            for thing in things {
                (thing.one, thing.two, thing.three) = (["n"], ["n"], ["n"])
                try thing.save()
                try thing.revert(to: times[1])
            }
            #expect(things[0].one == ["b"] && things[1].two == ["b"] && things[2].three == ["A"])
            try things[0].revert(to: times[0])
            #expect(things[0].one == ["a", "b"])
            for thing in things[1...] {
                let error = #expect(throws: StoreError.self) { try thing.revert(to: times[0]) }
                #expect(error?.code == .notFound && error?.message.contains("in shaped_thing_t") == true)
            }
        }
    }

    @Test func `an entry gives the elements of one collection even if those of another are unknown`() throws {
        let file = try TemporaryStore()
        try open(file) { _ in
            let thing = Shaped.Thing()
            for (one, two) in [("a", "x"), ("b", "y")] {
                (thing.one, thing.two) = ([one], [two])
                try thing.save()
            }
        }
        try open(file) { _ in
            let thing = try Reshaped.Thing.query.single()
            let entry = try #require(try thing.history.all().last)
            #expect(try entry.old(\Reshaped.Thing.one) == ["a"] && entry.new(\Reshaped.Thing.one) == ["b"])
            let error = #expect(throws: StoreError.self) { _ = try entry.old(\Reshaped.Thing.two) as [String]? }
            #expect(error?.code == .notFound && error?.message.contains("in shaped_thing_two") == true)
        }
    }

    @Test func `entries from before a value became a collection have its first elements, and the value`() throws {
        let file = try TemporaryStore()
        try open(file) { _ in
            let note = Single.Note()
            for tag in ["first", "second"] {
                note.tag = tag
                try note.save()
            }
        }
        try open(file) { _ in
            let note = try Several.Note.query.single()
            note.tag = ["second", "third"]
            try note.save()
            let entries = try note.history.all()
            try expect(entries.map { try $0.new(\Several.Note.tag) }, [["second"], ["second"], ["second", "third"]])
            expect(entries[0].values.filter { $0.column == "tag" }.map(\.new), [.text("first")])
        }
    }

    @Test func `a new history contains existing elements, including those of unknown subclasses`() throws {
        let file = try TemporaryStore()
        try open(file) { session in
            let (joe, ann) = (V1.Plain(), V1.Special())
            (joe.tags, ann.tags, ann.codes, ann.friends) = (["a", "b"], ["c"], [7, 8], [joe])
            try joe.save()
            try ann.save()
        }
        var times: [Date] = []
        try open(file) { session in
            let joe = try #require(try V2.Plain.find(1))
            let found = try joe.history.single()
            #expect(found.change == .found && found.elements.map(\.new) == [.text("a"), .text("b")])
            times.append(apart { Date() })
            joe.tags = []
            try joe.save()
            _ = try file.sqlite("DELETE FROM grown_plain_codes WHERE value = 8")
            let entry = try #require(try joe.history.all().last)
            #expect(try entry.old(\V2.Plain.tags) == ["a", "b"])
        }
        try open(file) { session in
            let ann = try #require(try V2.Special.find(2))
            #expect(ann.codes == [7])
            try ann.revert(to: times[0])
            #expect(ann.codes == [7, 8] && ann.tags == ["c"] && ann.friends.map(\.id) == [1])
            ann.revert()
        }
        // Without keepsHistory there are no triggers, and other programs can write as before.
        try open(file) { session in
            try session.store.takeBack(V1.Special.self)
            #expect(try triggers(file) == "")
            _ = try file.sqlite("INSERT INTO grown_plain_codes VALUES (2, 9)")
            #expect(try V1.Special.query.single().codes == [7, 9])
        }
        // The changes made meanwhile are unknown.
        try open(file) { session in
            try session.store.takeBack(V2.Special.self)
            let ann = try #require(try V2.Special.find(2))
            #expect(throws: StoreError.self) { try ann.revert(to: times[0]) }
            try ann.revert(to: apart { Date() })
            #expect(ann.codes == [7, 9] && !ann.hasChanges)
        }
    }

    @Test func `rows that move to another table and back keep the history of their elements and references`() throws {
        let file = try TemporaryStore()
        var times: [Date] = []
        try open(file) { _ in
            for _ in 1...3 { try Apart.Person().save() }
            let (one, two, team) = (Apart.Worker(), Apart.Worker(), Apart.Team())
            (one.tags, one.friends, team.members) = (["a"], [two, one], ["x": one, "y": two])
            try one.save()
            try team.save()
            times.append(apart { Date() })
            (one.tags, one.friends, team.members) = (["b"], [one], ["x": two])
            try one.save()
            try team.save()
            times.append(apart { Date() })
        }
        try open(file) { session in
            try session.store.prepare(Together.Worker.self, Together.Team.self)
            let one = try #require(try Together.Worker.query.all().first { !$0.tags.isEmpty })
            let two = try #require(try Together.Worker.query.all().first { $0 !== one })
            let team = try Together.Team.query.single()
            #expect((one.id ?? 0) > 3 && one.friends == [one] && team.members == ["x": two])
            for (time, tags, friends, members) in [
                (times[0], ["a"], [two, one], ["x": one, "y": two]), (times[1], ["b"], [one], ["x": two]),
            ] {
                try one.revert(to: time)
                try team.revert(to: time)
                #expect(one.tags == tags && one.friends == friends && team.members == members)
            }
            #expect(!one.hasChanges && !team.hasChanges)
            one.tags = ["c"]
            try one.save()
            times.append(apart { Date() })
            #expect(try one.history.count() == 3)
        }
        #expect(try file.sqlite("SELECT DISTINCT \"table\" FROM po_history_element").contains("split_person_tags"))
        try open(file) { session in
            try session.store.takeBack(Apart.Worker.self, Apart.Team.self)
            let one = try #require(try Apart.Worker.query.all().first { !$0.tags.isEmpty })
            let two = try #require(try Apart.Worker.query.all().first { $0 !== one })
            let team = try Apart.Team.query.single()
            #expect(one.tags == ["c"] && one.friends == [one] && team.members == ["x": two])
            try one.revert(to: times[0])
            try team.revert(to: times[0])
            #expect(one.tags == ["a"] && one.friends == [two, one] && team.members == ["x": one, "y": two])
            try one.save()
            #expect(try one.history.count() == 4)
        }
    }
}
