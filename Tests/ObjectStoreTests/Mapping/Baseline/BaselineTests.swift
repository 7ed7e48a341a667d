import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// The edits that count as changes of an object, and the values that revert restores.
@Suite struct BaselineTests {
    private let quiet = Store.Configuration(lostEdits: .ignore)

    private func subject() throws -> Subject {
        let subject = Subject()
        subject.byUUID = [UUID(): 6, UUID(): 7, UUID(): 8]
        subject.maybeSet = Set(0..<20)
        try subject.save()
        return subject
    }

    @Test(arguments: edits)
    func `each edit is detected in its property or is no change, and a save leaves no changes`(_ edit: Edit) throws {
        try Store.inMemory(configuration: quiet).withSession { _ in
            let subject = try subject()
            #expect(!subject.hasChanges)
            edit.change(subject)
            #expect(subject.hasChanges == edit.isSeen)
            #expect(subject.changes.map(\.name) == (edit.isSeen ? [edit.property] : []))
            #expect(subject.hasChanges == edit.isSeen, "asking must not change the answer")
            guard !edit.name.hasPrefix("NaN") else {
                #expect(throws: StoreError.self) { try subject.save() }
                return
            }
            try subject.save()
            #expect(!subject.hasChanges)
        }
    }

    @Test(arguments: edits)
    func `revert restores an edited property, and can be repeated`(_ edit: Edit) throws {
        try Store.inMemory(configuration: quiet).withSession { _ in
            let subject = try subject()
            let map = try ClassMap.map(of: Subject.self)
            let place = try #require(map.ordinal(of: edit.property))
            let start = ObjectMemory.start(of: subject)
            let stored = try map.properties[place].codec.encode(start + map.properties[place].offset)
            edit.change(subject)
            subject.revert()
            #expect(!subject.hasChanges)
            try expect(map.properties[place].codec.encode(start + map.properties[place].offset), stored)
            // The restored value must be independent of the baseline.
            edit.change(subject)
            expect(subject.hasChanges, edit.isSeen)
            subject.revert()
            #expect(!subject.hasChanges)
        }
    }

    @Test(arguments: edits)
    func `each edit of a fetched object is detected in its property`(_ edit: Edit) throws {
        let store = try Store.inMemory(configuration: quiet)
        try store.withSession { _ in _ = try subject() }
        try store.withSession { _ in
            let subject = try #require(try Subject.find(1))
            #expect(!subject.hasChanges, "\(subject.changes)")
            edit.change(subject)
            expect(subject.changes.map(\.name), edit.isSeen ? [edit.property] : [])
            subject.revert()
        }
    }

    private func changeEverything(of subject: Subject) {
        for edit in edits where edit.isSeen && !edit.name.hasPrefix("NaN") { edit.change(subject) }
    }

    @Test func `all edits together are detected, reverted and saved`() throws {
        let store = try Store.inMemory(configuration: quiet)
        let wanted = Set(edits.filter(\.isSeen).map(\.property))
        try store.withSession { session in
            let subject = try subject()
            changeEverything(of: subject)
            #expect(Set(subject.changes.map(\.name)) == wanted)
            subject.revert()
            #expect(!subject.hasChanges && subject.note.text == "n" && subject.data == Data([1, 2, 3]))
            changeEverything(of: subject)
            let values = subject.description
            try session.saveChanges()
            #expect(!subject.hasChanges && subject.description == values)
        }
        try store.withSession { _ in
            let subject = try #require(try Subject.find(1))
            #expect(subject.note.text == "m" && subject.notes[1].list == [1, 2] && subject.counter.count == 2)
            #expect(subject.accented.utf8.elementsEqual("cafe\u{301}".utf8) && subject.padded.number == 9)
            #expect(!subject.hasChanges)
        }
    }

    @Test func `revert by key path restores only that property`() throws {
        try Store.inMemory(configuration: quiet).withSession { _ in
            let subject = try subject()
            subject.text = "x"
            subject.numbers[0] = 7
            subject.counter.count = 7
            subject.shape = .none
            subject.revert(\.numbers)
            #expect(subject.numbers == [1, 2, 3] && subject.text == "x")
            subject.revert(\.counter)
            expect(subject.counter.count, 1)
            subject.revert(\.shape)
            expect(subject.changes.map(\.name), ["text"])
            subject.revert(\.description)
            expect(subject.changes.map(\.name), ["text"])
            subject.revert(\.text)
            #expect(!subject.hasChanges)
        }
    }

    @Test func `changes have the old and the new value, also of values that contain a class instance`() throws {
        try Store.inMemory(configuration: quiet).withSession { _ in
            let subject = try subject()
            subject.text = "x"
            subject.maybeNumber = 3
            subject.counter.count = 5
            subject.holder.note.text = "m"
            subject.temperature.degrees = 9
            let changes = Dictionary(uniqueKeysWithValues: subject.changes.map { ($0.name, ($0.old, $0.new)) })
            #expect(changes["text"]?.0 as? String == "plain" && changes["text"]?.1 as? String == "x")
            #expect(changes["maybeNumber"]?.0 == nil && changes["maybeNumber"]?.1 as? Int == 3)
            expect((changes["temperature"]?.0 as? Temperature)?.degrees, 20)
            let counters = [changes["counter"]?.0, changes["counter"]?.1].map { $0 as? Counter }
            expect(counters.map { $0?.count }, [1, 5])
            #expect(counters[1] !== subject.counter, "the value must be the receiver's own")
            let holders = [changes["holder"]?.0, changes["holder"]?.1].map { $0 as? NoteHolder }
            expect(holders.map { $0?.note.text }, ["n", "m"])
            #expect(holders[1]?.note !== subject.holder.note)
        }
    }

    @Test func `a value that can no longer be encoded is a change, and revert restores it`() throws {
        final class Moody: PersistentObject {
            override class var tableName: String { "moody" }
            final class Mood: Codable {
                var level = 1.0
            }
            var mood = Mood()
        }
        try Store.inMemory(configuration: quiet).withSession { _ in
            let moody = Moody()
            try moody.save()
            moody.mood.level = .nan
            #expect(moody.changes.map(\.name) == ["mood"])
            let error = #expect(throws: StoreError.self) { try moody.save() }
            #expect(error?.code == .notRepresentable && error?.property == "mood" && error?.rowID == 1)
            moody.revert()
            #expect(moody.mood.level == 1 && !moody.hasChanges)
        }
    }

    @Test func `a scan of many unchanged objects finds no changes, and then finds the one changed object`() throws {
        final class Item: PersistentObject {
            override class var tableName: String { "item" }
            var name = "an item with a name"
            var number = 0
        }
        let count = Scale.of(100_000)
        try Store.inMemory(configuration: quiet).withSession { session in
            let items = (0..<count).map { number in
                let item = Item()
                item.number = number
                return item
            }
            try session.save(items)
            let map = try session.space(of: Item.self).identity
            #expect(map.possiblyChangedObjects().isEmpty)
            items[count / 2].number += 1
            expect(map.possiblyChangedObjects().map(\.id), [Int64(count / 2 + 1)])
            #expect(map.brokenInvariant() == nil)
            withExtendedLifetime(items) {}
        }
    }
}
