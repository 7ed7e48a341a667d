import Foundation
import PersistentObjects
import PersistentTransfer
import TestSupport
import Testing

/// Embedded values with concurrent writers, rollbacks, undo, events, released objects, files and subclasses.
@Suite struct EmbeddedLifeTests {
    struct Point: Codable, Equatable {
        var x = 0
        var y: Int?
    }
    struct Frame: Codable, Equatable {
        var title = ""
        var origin = Point()
        var color: String?
    }

    class Shape: PersistentObject {
        override class var tableName: String { "embedded_shape" }
        @Embedded var frame = Frame()
        var note = ""
    }
    final class Star: Shape {
        @Embedded var tip = Point()
        var inner: Shape?
    }

    private func shape(_ title: String) throws -> Shape {
        let shape = Shape()
        shape.frame = Frame(title: title, origin: Point(x: 1, y: 2), color: "red")
        try shape.save()
        return shape
    }

    @Test func `changes of different fields are merged, and changes of the same field conflict`() throws {
        try withTemporaryStore { store, _ in
            try store.withSession { session in
                let mine = try shape("a")
                try store.withSession { _ in
                    let theirs = try #require(try Shape.find(mine.id ?? 0))
                    theirs.frame.origin.x = 10
                    theirs.frame.color = nil
                    try theirs.save()
                }
                mine.frame.title = "b"
                mine.frame.origin.y = nil
                try mine.save()
                try mine.reload()
                #expect(mine.frame == Frame(title: "b", origin: Point(x: 10, y: nil), color: nil))
                try store.withSession { _ in
                    let theirs = try #require(try Shape.find(mine.id ?? 0))
                    theirs.frame.title = "theirs"
                    try theirs.save()
                }
                mine.frame.title = "mine"
                let error = #expect(throws: StoreError.self) { try mine.save() }
                #expect(error?.code == .staleObject && "\(String(describing: error))".contains("frame.title"))
                #expect(mine.frame.title == "mine")
            }
        }
    }

    @Test func `rollback and revert restore fields, and reload reads the row`() throws {
        try withTemporarySession { session, _ in
            struct Refused: Error {}
            let shape = try shape("a")
            shape.frame.color = "edited"
            #expect(throws: Refused.self) {
                try session.transaction {
                    shape.frame.title = "b"
                    shape.frame.origin = Point(x: 9, y: 9)
                    try shape.save()
                    throw Refused()
                }
            }
            #expect(shape.frame == Frame(title: "a", origin: Point(x: 1, y: 2), color: "edited"))
            #expect(shape.changes.map(\.name) == ["frame.color"])
            shape.revert()
            #expect(shape.frame.color == "red" && !shape.hasChanges)
            shape.frame.origin.x = 5
            try shape.reload()
            #expect(shape.frame.origin.x == 1)
        }
    }

    @Test func `changed and original work for embedded values and their fields`() throws {
        try withTemporarySession { _, _ in
            let new = Shape()
            #expect(new.changed(\.frame) && new.changed(\.frame.title))
            #expect(try new.original(\.frame) == nil)
            let shape = try shape("a")
            let saved = shape.frame
            #expect(!shape.changed(\.frame))
            try expect(shape.original(\.frame), saved)
            shape.frame.origin.y = 7
            #expect(shape.changed(\.frame) && shape.changed(\.frame.origin.y) && !shape.changed(\.frame.title))
            #expect(try shape.original(\.frame) == saved && shape.original(\.frame.origin.y) == 2)
            expect(shape.frame.origin.y, 7)
            try shape.save()
            #expect(!shape.changed(\.frame) && shape.previousChanges.map(\.name) == ["frame.origin.y"])
            try shape.delete()
            #expect(!shape.changed(\.frame))
            #expect(try shape.original(\.frame) == nil)
        }
    }

    @Test func `undo and redo write the fields that a save changed`() throws {
        try withTemporarySession { session, file in
            try session.store.prepare(Shape.self, Star.self)
            session.recordsUndo = true
            let shape = try shape("a")
            shape.frame.title = "b"
            shape.frame.origin.y = nil
            try shape.save()
            try session.undo()
            expect(shape.frame, Frame(title: "a", origin: Point(x: 1, y: 2), color: "red"))
            try expect(file.sqlite("SELECT frame_title, frame_origin_y FROM embedded_shape"), "a|2")
            try session.redo()
            expect(shape.frame, Frame(title: "b", origin: Point(x: 1, y: nil), color: "red"))
            try expect(file.sqlite("SELECT frame_title, frame_origin_y FROM embedded_shape"), "b|")
        }
    }

    @Test(.onSQLite("PostgreSQL does not tell which rows a transaction writes yet"), .hangLimit)
    func `events contain the names of the changed fields`() async throws {
        let file = try TemporaryStore()
        let store = try file.open()
        try await store.withSession { _ in
            let shape = try shape("a")
            var events = Shape.events.makeAsyncIterator()
            shape.frame.origin.x = 7
            shape.frame.color = "blue"
            try shape.save()
            let event = try #require(await events.next())
            expect(Set(event.properties ?? []), ["frame.origin.x", "frame.color"])
        }
    }

    @Test func `unsaved fields of a released object are kept`() throws {
        try withTemporarySession(.init(lostEdits: .keep)) { session, _ in
            let id = try #require(try { try shape("a").id }())
            do {
                let shape = try #require(try Shape.find(id))
                shape.frame.origin.x = 42
                shape.frame.color = nil
            }
            let again = try #require(try Shape.find(id))
            #expect(again.frame == Frame(title: "a", origin: Point(x: 42, y: 2), color: nil))
            try again.save()
            try session.reset()
            #expect(try Shape.find(id)?.frame.origin.x == 42)
        }
    }

    @Test func `embedded values of subclasses are found, read and written like those of the class`() throws {
        try withTemporarySession { session, _ in
            let (plain, star) = (try shape("a"), Star())
            star.frame.title = "s"
            star.tip = Point(x: 3, y: nil)
            star.inner = plain
            try star.save()
            try session.reset()
            let all = try Shape.query.order(by: \.id).all()
            #expect(all.map(\.frame.title) == ["a", "s"] && (all[1] as? Star)?.tip == Point(x: 3, y: nil))
            try expect(Star.where { $0.tip.x == 3 && $0.inner.frame.origin.x == 1 }.count(), 1)
            try expect(Star.findByTipXAndFrameTitle(3, "s").count, 1)
            try Star.query.update {
                $0.tip.y = 8
                $0.frame.color = "gold"
            }
            #expect(((all[1] as? Star)?.tip.y, all[1].frame.color, all[0].frame.color) == (8, "gold", "red"))
        }
    }

    @Test func `an exported CSV file has a column for each field`() throws {
        try withTemporaryStore { store, file in
            let url = file.folder.appending(path: "out.csv")
            _ = try store.withSession { _ in try shape("b,\"c\"") }
            try expect(store.export(Shape.self, to: url, as: .csv), 1)
            let text = try String(contentsOf: url, encoding: .utf8)
            #expect(text.contains("frame.title") && text.contains("frame.origin.y") && text.contains("\"b,\"\"c\"\"\""))
        }
    }

    @Test(arguments: [TransferFormat.json, .jsonLines])
    func `exported embedded values are imported unchanged`(format: TransferFormat) throws {
        try withTemporaryStore { first, file in
            let url = file.folder.appending(path: "out")
            try first.withSession { _ in
                for title in ["a", "b,\"c\"\n"] { _ = try shape(title) }
                let shape = Shape()
                shape.frame.color = nil
                try shape.save()
            }
            try expect(first.export(Shape.self, to: url, as: format), 3)
            try withTemporaryStore { second, _ in
                try expect(second.import(Shape.self, from: url).count, 3)
                let wanted = try first.withSession { _ in try Shape.query.order(by: \.id).all().map(\.frame) }
                try expect(second.withSession { _ in try Shape.query.order(by: \.id).all().map(\.frame) }, wanted)
            }
        }
    }
}
