import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// The history of collection elements in classes with `keepsHistory`.
struct HistoryElementTests {
    class Person: PersistentObject {
        override class var keepsHistory: Bool { true }
        override class var tableName: String { "element_person" }
        var name = ""
        var tags: [String] = []
        var codes: Set<Int> = []
        var marks: [String: Double?] = [:]
        var notes: [String]?
        @Lazy var days: [Date] = []
        var friends: [Person] = []
        var pets: Set<Pet> = []
        var byName: [String: Pet] = [:]
        @Inverse(\Pet.owner) var owned: [Pet]
    }
    final class Worker: Person { var skills: [Data] = [] }
    final class Pet: PersistentObject {
        override class var tableName: String { "element_pet" }
        var name = ""
        var owner: Person?
        convenience init(_ name: String) {
            self.init()
            self.name = name
        }
    }

    /// The elements of an entry, one string each.
    private func lines(_ entry: HistoryEntry) -> [String] {
        entry.elements.map { element in
            let values = [element.key, element.old, element.new].map { value -> String in
                switch value {
                case nil: "-"
                case .text(let text): text
                case .integer(let number): "\(number)"
                case .real(let number): "\(number)"
                case .some(let other): "\(other)"
                }
            }
            return "\(element.table.dropFirst("element_person_".count)) \(element.change) "
                + values.joined(separator: " ")
        }
    }

    @Test func `added, changed and removed elements are recorded with old and new values`() throws {
        try withTemporarySession { session, _ in
            let joe = Person()
            joe.tags = ["a", "b"]
            joe.codes = [7]
            joe.marks = ["m": 1.5, "n": nil]
            try joe.save()
            joe.tags = ["a", "c"]
            joe.codes = [8]
            joe.marks = ["m": 2.5]
            try joe.save()
            let entries = try joe.history.all()
            expect(entries.map(\.change), [.created, .changed])
            expect(
                Set(lines(entries[0])),
                [
                    "tags added 1024 - a", "tags added 2048 - b", "codes added - - 7", "marks added m - 1.5",
                    "marks added n - -",
                ])
            expect(
                Set(lines(entries[1])),
                [
                    "tags changed 2048 b c", "codes removed - 7 -", "codes added - - 8", "marks changed m 1.5 2.5",
                    "marks removed n - -",
                ])
            #expect(entries[1].values.isEmpty)
            #expect(try entries[1].didChange(\Person.tags) && !entries[1].didChange(\Person.friends))
        }
    }

    @Test func `old and new return whole collections of each type`() throws {
        try withTemporarySession { session, _ in
            let (joe, rex, tom) = (Worker(), Pet("Rex"), Pet("Tom"))
            (joe.tags, joe.codes, joe.marks) = (["a", "b", "a"], [1, 2], ["m": 1.5, "n": nil])
            (joe.notes, joe.days, joe.skills) = (nil, [Date(timeIntervalSinceReferenceDate: 5)], [Data([1]), Data()])
            (joe.friends, joe.pets, joe.byName) = ([joe, joe], [rex, tom], ["r": rex])
            try joe.save()
            (joe.tags, joe.codes, joe.marks) = (["b"], [], ["x": 0])
            (joe.notes, joe.days, joe.skills) = ([], [], [Data([2])])
            (joe.friends, joe.pets, joe.byName) = ([], [tom], ["t": tom])
            try joe.save()
            joe.notes = nil
            try joe.save()
            let entries = try joe.history.all()
            expect(entries.map(\.change), [.created, .changed, .changed])
            let entry = entries[1]
            #expect(try entry.old(\Person.tags) == ["a", "b", "a"] && entry.new(\Person.tags) == ["b"])
            #expect(try entry.old(\Person.codes) == [1, 2] && entry.new(\Person.codes) == [])
            #expect(try entry.old(\Person.marks) == ["m": 1.5, "n": nil] && entry.new(\Person.marks) == ["x": 0])
            #expect(try entry.old(\Person.notes) == nil && entry.new(\Person.notes) == [])
            #expect(try entries[2].old(\Person.notes) == [] && entries[2].new(\Person.notes) == nil)
            try expect(entry.old(\Person.days), [Date(timeIntervalSinceReferenceDate: 5)])
            #expect(try entry.old(\Worker.skills) == [Data([1]), Data()] && entry.new(\Worker.skills) == [Data([2])])
            #expect(try entry.old(\Person.friends) == [joe, joe] && entry.new(\Person.friends) == [])
            #expect(try entry.old(\Person.pets) == [rex, tom] && entry.new(\Person.pets) == [tom])
            #expect(try entry.old(\Person.byName) == ["r": rex] && entry.new(\Person.byName) == ["t": tom])
            // A collection that the entry did not change, and an entry without an old row.
            #expect(try entries[2].old(\Person.tags) == nil && entries[0].old(\Person.tags) == nil)
            try expect(entries[0].new(\Person.tags), ["a", "b", "a"])
            // Deleted objects are left out.
            try rex.delete()
            #expect(try entry.old(\Person.pets) == [tom] && entry.old(\Person.byName) == [:])
            let error = #expect(throws: StoreError.self) { _ = try entry.old(\Person.owned) }
            #expect(error?.code == .misuse && error?.property == "owned")
        }
    }

    @Test func `a save is one entry however many statements it runs, and a deletion contains all elements`() throws {
        try withTemporarySession { session, _ in
            session.author = "ann"
            let joe = Person()
            joe.tags = (0..<200).map { "\($0)" }
            joe.pets = [Pet("a"), Pet("b")]
            try joe.save()
            joe.name = "Joe"
            joe.tags = joe.tags.reversed()
            joe.codes = Set(0..<100)
            try joe.save()
            joe.tags.remove(at: 50)
            joe.tags.insert("x", at: 10)
            joe.tags[20] = "y"
            try joe.save()
            try session.transaction {
                joe.codes = [1]
                try joe.save()
                joe.codes = [2]
                try joe.save()
            }
            try session.transaction {
                joe.marks["m"] = 1
                try joe.save()
                try joe.delete()
            }
            let entries = try joe.history.all()
            #expect(entries.map(\.change) == [.created, .changed, .changed, .changed, .deleted])
            #expect(entries.allSatisfy { $0.author == "ann" && $0.transaction != nil })
            #expect(entries[0].elements.count == 202 && entries[1].values.map(\.column) == ["name"])
            #expect(
                Set(lines(entries[3])).isSuperset(of: [
                    "codes added - - 2", "codes removed - 1 -", "codes removed - 2 -",
                ]))
            #expect(Set(lines(entries[4])).isSuperset(of: ["codes removed - 2 -", "marks removed m 1.0 -"]))
            #expect(try entries[4].old(\Person.tags)?.count == 200 && entries[4].new(\Person.tags) == nil)
        }
    }

    @Test func `entries read during a transaction have all their elements after it`() throws {
        try withTemporarySession { session, _ in
            let joe = Person()
            try joe.save()
            try session.transaction {
                joe.tags = ["a"]
                try joe.save()
                #expect(try joe.history.all().map(\.elements.count) == [0, 1])
                try apart {
                    joe.tags = ["a", "b"]
                    try joe.save()
                }
                // On a server, the triggers add elements to the first entry of their object.
                if !TestEngine.isPostgres { #expect(try joe.history.all().map(\.elements.count) == [0, 1, 1]) }
            }
            let counts = try joe.history.all().map(\.elements.count)
            #expect(counts == [0, 2])
            let last = try #require(try joe.history.all().last)
            #expect(last.elements.allSatisfy { $0.entry === last } && last.transaction != nil)
        }
    }

    @Test func `concurrent writers have separate entries with their own changes`() async throws {
        let file = try TemporaryStore()
        // The writers wait for each other, on a busy machine for seconds.
        let store = try Store(file.path, configuration: .init(busyTimeout: .seconds(600)))
        defer { store.close() }
        let id = try store.withSession { _ in
            let joe = Person()
            joe.tags = ["0"]
            try joe.save()
            return try #require(joe.id)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 1...4 {
                group.addTask {
                    for step in 0..<20 {
                        try await store.perform { session in
                            session.author = "\(writer)"
                            try session.transaction(retries: TestEngine.isPostgres ? 50 : 0) {
                                let joe = try #require(try Person.find(id))
                                joe.tags.append("\(writer)-\(step)")
                                joe.codes.insert(writer * 100 + step)
                                if step % 3 == 0 { joe.name = "\(writer)-\(step)" }
                                try joe.save()
                            }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        try store.withSession { _ in
            let entries = try Person.query.single().history.all()
            #expect(entries.count == 81)
            for (place, entry) in entries.enumerated().dropFirst() {
                #expect(try entry.old(\Person.tags)?.count == place && entry.new(\Person.tags)?.count == place + 1)
                #expect(try entry.old(\Person.codes)?.count == place - 1)
                let added = entry.elements.compactMap { if case .text(let tag)? = $0.new { tag } else { nil } }
                #expect(added.count == 1 && added.allSatisfy { $0.hasPrefix("\(entry.author ?? "")-") })
            }
        }
    }

    @Test(.onSQLite("the test reads the file with SQLite"))
    func `changes of elements by other programs are recorded, with and without foreign keys`() throws {
        try withTemporarySession { session, file in
            let (joe, rex) = (Person(), Pet("Rex"))
            (joe.tags, joe.pets) = (["a"], [rex])
            try joe.save()
            let time = apart { Date() }
            _ = try file.sqlite(
                """
                INSERT INTO element_person_tags VALUES (1, 5000, 'z'), (1, 6000, 'zz');
                UPDATE element_person_tags SET position = 10 WHERE value = 'zz';
                UPDATE element_person_tags SET value = 'A' WHERE value = 'a';
                PRAGMA foreign_keys = ON;
                DELETE FROM element_pet;
                """)
            try session.refresh()
            #expect(joe.tags == ["zz", "A", "z"] && joe.pets.isEmpty)
            let last = try #require(try joe.history.all().last)
            #expect(last.author == nil && last.transaction == nil)
            try expect(joe.history.where { $0.elements.any { $0.new == .text("z") } }.count(), 1)
            try joe.revert(to: time)
            #expect(joe.tags == ["a"] && joe.pets.isEmpty)
            joe.revert()
            let before = apart { Date() }
            _ = try file.sqlite("PRAGMA foreign_keys = OFF; DELETE FROM element_person WHERE id = 1")
            // The elements are still in the file, so the restored row has them.
            try expect(Person.restored(1, to: before).tags, ["zz", "A", "z"])
            _ = try file.sqlite("DELETE FROM element_person_tags")
            let back = try Person.restored(1, to: before)
            expect(back.tags, ["zz", "A", "z"])
            try back.save()
            try expect(file.sqlite("SELECT group_concat(value) FROM element_person_tags"), "zz,A,z")
        }
    }

    @Test func `revert restores collections, and restored brings a deleted object back with them`() throws {
        try withTemporarySession { session, _ in
            let (joe, rex, tom) = (Worker(), Pet("Rex"), Pet("Tom"))
            (joe.tags, joe.days, joe.skills, joe.pets) = (["a", "b"], [Date()], [Data([1])], [rex, tom])
            (joe.byName, joe.notes) = (["r": rex, "t": tom], ["n"])
            try joe.save()
            let (time, days) = (apart { Date() }, joe.days)
            (joe.tags, joe.days, joe.skills, joe.pets) = (["c"], [], [], [])
            (joe.byName, joe.notes) = ([:], nil)
            try joe.save()
            try tom.delete()
            try session.reset()
            let again = try #require(try Worker.first())
            try again.revert(to: time)
            #expect(again.tags == ["a", "b"] && again.days == days && again.skills == [Data([1])])
            #expect(again.pets.map(\.name) == ["Rex"] && again.byName.keys.sorted() == ["r"] && again.notes == ["n"])
            #expect(again.hasChanges)
            try again.save()
            try session.reset()
            let saved = try #require(try Worker.first())
            #expect(saved.tags == ["a", "b"] && saved.days == days && saved.pets.count == 1 && saved.notes == ["n"])
            let (id, last) = (try #require(saved.id), apart { Date() })
            try saved.delete()
            let back = try Person.restored(id, to: last)
            #expect(back.tags == ["a", "b"] && (back as? Worker)?.skills == [Data([1])])
            #expect(back.pets.map(\.name) == ["Rex"] && back.notes == ["n"])
            try back.save()
            try expect(Worker.first()?.tags, ["a", "b"])
        }
    }

    @Test func `an unchanged lazy collection stays unloaded and is not an edit after revert`() throws {
        try withTemporarySession { session, _ in
            let joe = Person()
            (joe.days, joe.tags) = ([Date()], ["a"])
            try joe.save()
            let time = apart { Date() }
            joe.name = "other"
            try joe.save()
            try session.reset()
            let again = try #require(try Person.first())
            try again.revert(to: time)
            expect(again.changes.map(\.name), ["name"])
        }
    }

    @Test func `undo and redo of collections are recorded`() throws {
        try withTemporarySession { session, _ in
            let joe = Person()
            joe.tags = ["a", "b"]
            try joe.save()
            session.recordsUndo = true
            (joe.tags, joe.codes) = (["b", "c"], [1])
            try joe.save()
            let time = apart { Date() }
            try session.undo()
            expect(joe.tags, ["a", "b"])
            try session.redo()
            try joe.delete()
            try session.undo()
            let entries = try joe.history.all()
            expect(entries.map(\.change), [.created, .changed, .changed, .changed, .deleted, .created])
            #expect(try entries[2].old(\Person.tags) == ["b", "c"] && entries[2].new(\Person.tags) == ["a", "b"])
            try expect(entries[2].new(\Person.codes), [])
            try expect(entries[5].new(\Person.tags), ["b", "c"])
            try joe.revert(to: time)
            #expect(!joe.hasChanges)
        }
    }

    @Test func `rolled back changes leave no elements, and deleting entries deletes their elements`() throws {
        try withTemporarySession { session, file in
            struct Stop: Error {}
            let joe = Person()
            joe.tags = ["a"]
            try joe.save()
            #expect(throws: Stop.self) {
                try session.transaction {
                    joe.tags = ["b"]
                    try joe.save()
                    throw Stop()
                }
            }
            #expect(try joe.history.count() == 1 && HistoryElement.count() == 1)
            let error = #expect(throws: StoreError.self) {
                try HistoryElement.first()?.save(); try HistoryElement().save()
            }
            #expect(error?.code == .readOnly)
            #expect(try Person.history.delete() == 1)
            #expect(try file.sqlite("SELECT count(*) FROM po_history_element") == "0")
        }
    }

    @Test func `an update of a collection by a query is recorded and can be reverted`() throws {
        try withTemporarySession { session, _ in
            for number in 0..<20 {
                let person = Person()
                person.tags = ["t\(number)"]
                try person.save()
            }
            let time = apart { Date() }
            try Person.where { $0.id <= 10 }.update { $0.tags = ["all", "of them"] }
            let changed = try Person.history.where { $0.change == .changed }.all()
            #expect(changed.count == 10 && changed.allSatisfy { $0.transaction == changed[0].transaction })
            for (number, person) in try Person.query.order(by: \.id).all().enumerated() {
                #expect(person.tags == (number < 10 ? ["all", "of them"] : ["t\(number)"]))
                try person.revert(to: time)
                #expect(person.tags == ["t\(number)"])
            }
        }
    }
}
