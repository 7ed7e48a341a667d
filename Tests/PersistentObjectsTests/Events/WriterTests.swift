import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Each way to write, its undo and its redo, with each type of listener.
@Suite(.hangLimit, .onSQLite("PostgreSQL does not tell which rows a transaction writes yet"))
struct WriterTests {
    class Item: PersistentObject {
        override class var tableName: String { "written_item" }
        var name = ""
        var tags: [String] = []
        var marks: [String: Int]?
        var friends: Set<Item> = []
        var partner: Item?
    }

    final class Gem: Item { var carats = 0 }

    final class Box: PersistentObject {
        override class var tableName: String { "written_box" }
        @OnDelete(.cascade) var items: [Item] = []
    }

    final class Note: PersistentObject {
        override class var tableName: String { "written_note" }
        override class var softDeletes: Bool { true }
        var deletedAt: Date?
        var lines: [String] = []
    }

    /// The initial state: item 1 has tags and is a friend and the partner of item 2; gem 3 and item 1 are in box 1;
    /// item 2 is a friend of gem 3.
    struct World {
        let session: Session
        let first = Item()
        let second = Item()
        let gem = Gem()
        let box = Box()
        let note = Note()

        init(_ session: Session) throws {
            self.session = session
            (first.name, second.name, gem.name) = ("first", "second", "gem")
            first.tags = ["x"]
            second.friends = [first]
            second.partner = first
            gem.friends = [second]
            box.items = [first, gem]
            note.lines = ["a"]
            try session.save([first, second, gem])
            try session.save([box, note])
            session.recordsUndo = true
        }
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The events of the write and of its redo, in any order.
        let told: Set<String>
        /// The events of the undo.
        let undone: Set<String>
        /// Whether the write itself is reported differently: as two events, or without properties like raw SQL.
        var isToldOtherwise = false
        let write: @Sendable (World) throws -> Void

        init(
            _ name: String, _ told: Set<String>, undone: Set<String>? = nil, isToldOtherwise: Bool = false,
            _ write: @escaping @Sendable (World) throws -> Void
        ) {
            testDescription = name
            self.told = told
            self.undone = undone ?? told
            self.isToldOtherwise = isToldOtherwise
            self.write = write
        }
    }

    static let cases = [
        Case("save of elements", ["Item #1 updated: tags"]) { world in
            world.first.tags.append("y")
            try world.first.save()
        },
        Case("save of a dictionary that was nil", ["Gem #3 updated: marks"]) { world in
            world.gem.marks = ["a": 1]
            try world.gem.save()
        },
        Case("save of a set of objects and a column", ["Item #1 updated: name, friends"]) { world in
            world.first.friends = [world.gem]
            world.first.name = "1"
            try world.first.save()
        },
        Case("save of a subclass's column", ["Gem #3 updated: carats"]) { world in
            world.gem.carats = 5
            try world.gem.save()
        },
        Case("update of a query, of elements", ["Item #1 updated: tags", "Item #2 updated: tags"]) { world in
            try Item.where { $0.name != "gem" }.update { $0.tags = ["q", "r"] }
        },
        Case("update of a query, of a column", ["Item #2 updated: name"]) { world in
            try Item.where { $0.name == "second" }.update { $0.name = "2" }
        },
        Case("insertion", ["Gem #4 inserted"], undone: ["Gem #4 deleted"]) { _ in
            let gem = Gem()
            gem.tags = ["new"]
            try gem.save()
        },
        Case(
            "deletion of an element",
            ["Item #1 deleted", "Item #2 updated: friends, partner", "Box #1 updated: items"],
            undone: ["Item #1 inserted", "Item #2 updated: friends, partner", "Box #1 updated: items"]
        ) { try $0.first.delete() },
        Case(
            "deletion by a query",
            ["Item #2 deleted", "Gem #3 updated: friends"], undone: ["Item #2 inserted", "Gem #3 updated: friends"]
        ) { _ in try Item.where { $0.name == "second" }.delete() },
        Case(
            "cascade", ["Box #1 deleted", "Item #1 deleted", "Gem #3 deleted", "Item #2 updated: friends, partner"],
            undone: [
                "Box #1 inserted", "Item #1 inserted", "Gem #3 inserted", "Item #2 updated: friends, partner",
            ]
        ) { try $0.box.delete() },
        Case(
            "deletion of all",
            ["Item #1 deleted", "Item #2 deleted", "Gem #3 deleted", "Box #1 updated: items"],
            undone: ["Item #1 inserted", "Item #2 inserted", "Gem #3 inserted", "Box #1 updated: items"]
        ) { _ in try Item.deleteAll() },
        Case("merge of a snapshot", ["Item #1 updated: tags"]) { world in
            var snapshot = world.first.snapshot()
            try snapshot.set(\.tags, to: ["m"])
            try world.session.merge(snapshot).save()
        },
        Case("soft deletion", ["Note #1 updated: deletedAt"]) { try $0.note.delete() },
        Case("restoration", ["Note #1 updated: deletedAt"]) { world in
            world.session.recordsUndo = false
            try world.note.delete()
            world.session.recordsUndo = true
            try world.note.restore()
        },
        Case("two commits of a group", ["Item #1 updated: name, tags"], isToldOtherwise: true) {
            world in
            try world.session.undoGroup {
                world.first.tags = []
                try world.first.save()
                world.first.name = "1"
                try world.first.save()
            }
        },
        Case("raw SQL, of elements", ["Item #1 updated: tags"], isToldOtherwise: true) { world in
            try world.session.execute("DELETE FROM written_item_tags WHERE owner_id = 1")
        },
        Case(
            "raw SQL, of rows that are not in memory", ["Gem #5 inserted"], undone: ["Gem #5 deleted"],
            isToldOtherwise: true
        ) { world in
            try world.session.execute("INSERT INTO written_item (id, class, name, carats) VALUES (5, 'Gem', 'five', 5)")
        },
    ]

    enum Phase: CaseIterable { case write, undo, redo }

    @MainActor @Test(arguments: cases, Phase.allCases)
    func `each listener receives the events of a write, its undo and its redo`(_ example: Case, _ phase: Phase)
        async throws
    {
        if example.isToldOtherwise, phase == .write { return }
        try await withSession { session, _ in
            let world = try World(session)
            if phase != .write { try example.write(world) }
            if phase == .redo { try session.undo() }
            let other = try Session(session.store)
            defer { other.end(isHere: true) }
            let held = try CurrentSession.with(other) { try Item.all() }
            let listeners = try await WriteListeners(world, other)
            switch phase {
            case .write: try example.write(world)
            case .undo: #expect(try session.undo())
            case .redo: #expect(try session.redo())
            }
            session.store.hub.finish()
            try await listeners.check(phase == .undo ? example.undone : example.told)
            withExtendedLifetime(held) {}
        }
    }
}
