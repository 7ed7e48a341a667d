import TestSupport
import Testing

@testable import PersistentObjects

/// Columns that get the name of a table of a former collection, which the file keeps.
struct LeftOverStorageTests {
    /// Versions of a class and its subclass, or of two separate classes.
    enum Listed {
        class Root: PersistentObject {
            override class var tableName: String { "left_root" }
            var number = 0
        }
        final class Item: Root {
            var notes: [String] = []
            var size = 1
        }
    }
    enum Separate<Notes: Equatable & Sendable & HasStart> {
        final class Root: PersistentObject {
            override class var tableName: String { "left_root" }
            var number = 0
        }
        final class Item: PersistentObject {
            override class var tableName: String { "left_item" }
            var notes = Notes.start
            var size = 1
        }
    }
    enum Below<Notes: Equatable & Sendable & HasStart> {
        class Root: PersistentObject {
            override class var tableName: String { "left_root" }
            var number = 0
        }
        final class Item: Root {
            override class var formerTableNames: [String] { ["left_item"] }
            var notes = Notes.start
            var size = 1
        }
    }

    /// A list that moves from a class to its subclass and becomes optional.
    enum High {
        class Root: PersistentObject {
            override class var tableName: String { "left_high" }
            var notes: [String] = []
        }
        final class Item: Root {}
    }
    enum Low {
        class Root: PersistentObject { override class var tableName: String { "left_high" } }
        final class Item: Root { var notes: [String]? }
    }

    /// A file in which a subclass with a list became a separate class, whose list became a value of another type.
    private func file<Notes: Equatable & Sendable & HasStart>(_: Notes.Type) throws -> TemporaryStore {
        let file = try TemporaryStore()
        try StorageKinds.open(file) { store in
            try store.withSession { _ throws in
                for text in ["12", "7"] {
                    let item = Listed.Item()
                    item.notes = [text]
                    try item.save()
                }
                try Listed.Root().save()
            }
        }
        try StorageKinds.open(file) { try $0.prepare(Separate<[String]>.Root.self, Separate<[String]>.Item.self) }
        try StorageKinds.open(file) { try $0.prepare(Separate<Notes>.Root.self, Separate<Notes>.Item.self) }
        return file
    }

    @Test func `a class that joins its superclass keeps values despite an empty table of a former list`() throws {
        let file = try file(Int.self)
        try expect(file.sqlite("SELECT count(*) FROM left_root_notes"), "0")
        try StorageKinds.open(file) { store in
            let plan = try store.schemaPlan(for: [Below<Int>.Item.self])
            expect(plan.losses, [])
            try store.run(plan)
            try expect(store.schemaPlan(for: [Below<Int>.Item.self]).isEmpty, true)
            try store.withSession { _ throws in
                try expect(Below<Int>.Item.all().map { $0.notes }.sorted(), [7, 12])
            }
            try expect(store.checkIntegrity().problems.isEmpty, true)
        }
        try expect(file.sqlite("SELECT count(*) FROM sqlite_schema WHERE name = 'left_root_notes'"), "0")
    }

    @Test func `a class that joins its superclass and has a list again keeps it`() throws {
        let file = try file(Int.self)
        try StorageKinds.open(file) { try $0.prepare(Separate<[Int]>.Root.self, Separate<[Int]>.Item.self) }
        try StorageKinds.open(file) { store in
            try store.prepare(Below<[Int]>.Item.self)
            try store.withSession { _ throws in
                try expect(Below<[Int]>.Item.all().map { $0.notes }.sorted { $0[0] < $1[0] }, [[7], [12]])
            }
        }
    }

    @Test func `a class that joins its superclass is refused if the former list has elements`() throws {
        let file = try file(Int.self)
        _ = try file.sqlite("INSERT INTO left_root_notes SELECT id, 0, 'kept' FROM left_root LIMIT 1")
        let before = try file.sqlite(".dump")
        try StorageKinds.open(file) { store in
            let error = #expect(throws: SchemaError.self) { try store.prepare(Below<Int>.Item.self) }
            let text = error.map { "\($0)" } ?? ""
            #expect(
                text.contains("Item") && text.contains("\"left_root_notes\"") && text.contains("\"notes\""), "\(text)")
        }
        try expect(file.sqlite(".dump"), before)
    }

    @Test func `an optional list moves next to the table of a former list, and may become required`() throws {
        for isOptional in [true, false] {
            let file = try file([String]?.self)
            try StorageKinds.open(file) { store in
                let type: PersistentObject.Type = isOptional ? Below<[String]?>.Item.self : Below<[String]>.Item.self
                try store.run(store.schemaPlan(for: [type]))
                try expect(store.schemaPlan(for: [type]).isEmpty, true)
                try store.withSession { _ throws in
                    let notes: [[String]?] =
                        isOptional
                        ? try Below<[String]?>.Item.all().map { $0.notes }
                        : try Below<[String]>.Item.all().map { $0.notes }
                    expect(notes.compactMap { $0?.first }.sorted(), ["12", "7"])
                }
                try expect(store.checkIntegrity().problems.isEmpty, true)
            }
        }
    }

    @Test func `elements of other rows stay in the file if a list moves to a subclass and becomes optional`() throws {
        let file = try TemporaryStore()
        try StorageKinds.open(file) { store in
            try store.withSession { _ throws in
                for object in [High.Root(), High.Item()] {
                    object.notes = ["a"]
                    try object.save()
                }
            }
        }
        try StorageKinds.open(file) { store in
            try store.run(store.schemaPlan(for: [Low.Item.self]))
            try store.withSession { _ throws in try expect(Low.Item.query.single().notes, ["a"]) }
            let problems = try store.checkIntegrity().problems
            #expect(problems.isEmpty, "\(problems)")
        }
        try expect(file.sqlite("SELECT count(*) FROM left_high_notes"), "2")
    }
}
