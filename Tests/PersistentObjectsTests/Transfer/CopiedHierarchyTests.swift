import Foundation
import PersistentObjects
import PersistentTransfer
import TestSupport
import Testing

class CopiedShape: PersistentObject {
    override class var tableName: String { "copied_shape" }
    var name = ""
}

final class CopiedCircle: CopiedShape {
    var radius = 1.0
    var colours: [String] = []
}

/// Copies of classes with subclasses, of which not all have rows.
@Suite struct CopiedHierarchyTests {
    private static func shape<T: CopiedShape>(_ type: T.Type, _ name: String) -> T {
        let shape = T()
        shape.name = name
        return shape
    }

    private static func names(_ store: Store) throws -> [String] {
        try store.withSession { _ in try CopiedShape.query.order(by: \.name).all().map { "\(type(of: $0)) \($0.name)" }
        }
    }

    /// Copies the store, and saves an object of the subclass in the copy.
    private static func expectCopy(_ source: Store, _ names: [String]) throws {
        let target = try TemporaryStore()
        let copy = try target.open()
        defer { copy.close() }
        try expect(source.copy([CopiedShape.self], to: copy), names.count)
        try expect(self.names(copy), names)
        try copy.withSession { _ in
            let circle = shape(CopiedCircle.self, "new")
            circle.colours = ["red"]
            try circle.save()
        }
        try expect(self.names(copy).count, names.count + 1)
    }

    @Test func `a subclass that is used and has no rows is copied`() throws {
        try withTemporaryStore { store, _ in
            try store.prepare(CopiedShape.self, CopiedCircle.self)
            try Self.expectCopy(store, [])
            try store.withSession { _ in try Self.shape(CopiedShape.self, "a").save() }
            try Self.expectCopy(store, ["CopiedShape a"])
            try store.withSession { _ in try Self.shape(CopiedCircle.self, "b").save() }
            try Self.expectCopy(store, ["CopiedShape a", "CopiedCircle b"])
        }
    }

    @Test func `a subclass whose rows were deleted, and that is not used again, is left out`() throws {
        let file = try TemporaryStore()
        let first = try file.open()
        try first.withSession { _ in
            try Self.shape(CopiedShape.self, "a").save()
            let circle = Self.shape(CopiedCircle.self, "b")
            try circle.save()
            try circle.delete()
        }
        first.close()
        let store = try file.open()
        defer { store.close() }
        try Self.expectCopy(store, ["CopiedShape a"])
    }

    @Test(.onSQLite("every store is on the server, also the copy"))
    func `a backup of all classes contains a class whose subclass has no rows`() throws {
        try withTemporaryStore { store, file in
            try store.prepare(CopiedShape.self, CopiedCircle.self)
            try store.withSession { _ in try Self.shape(CopiedShape.self, "a").save() }
            let path = file.folder.appending(path: "backup.sqlite").path(percentEncoded: false)
            try expect(store.backupClasses(to: path), 1)
            let backup = try Store(path)
            defer { backup.close() }
            try expect(Self.names(backup), ["CopiedShape a"])
        }
    }
}
