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

    /// A file in which a subclass with a list became a separate class, whose list became a single value.
    private func file() throws -> TemporaryStore {
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
        try StorageKinds.open(file) { try $0.prepare(Separate<Int>.Root.self, Separate<Int>.Item.self) }
        return file
    }

    @Test func `a class that joins its superclass keeps values despite an empty table of a former list`() throws {
        let file = try file()
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
        let file = try file()
        try StorageKinds.open(file) { try $0.prepare(Separate<[Int]>.Root.self, Separate<[Int]>.Item.self) }
        try StorageKinds.open(file) { store in
            try store.prepare(Below<[Int]>.Item.self)
            try store.withSession { _ throws in
                try expect(Below<[Int]>.Item.all().map { $0.notes }.sorted { $0[0] < $1[0] }, [[7], [12]])
            }
        }
    }

    @Test func `a class that joins its superclass is refused if the former list has elements`() throws {
        let file = try file()
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
}
