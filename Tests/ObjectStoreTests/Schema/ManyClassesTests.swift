import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Many classes that are prepared together: the schema is read once for all of them, and each difference is detected.
struct ManyClassesTests {
    /// A generic class, to have many classes.
    final class Shelf<T>: PersistentObject {
        override class var tableName: String { "shelf_\(T.self)".lowercased() }
        var title = ""
        @Indexed var place = 0
        var tags: [String] = []
    }

    class Animal: PersistentObject {
        override class var tableName: String { "animal" }
        @Searchable var name = ""
    }
    final class Dog: Animal { var tricks = 0 }

    static let classes: [PersistentObject.Type] = [
        Shelf<Int>.self, Shelf<Bool>.self, Shelf<Double>.self, Shelf<String>.self, Shelf<Float>.self, Shelf<Data>.self,
        Animal.self, Dog.self,
    ]

    private static func preparedFile() throws -> TemporaryStore {
        let file = try TemporaryStore()
        let store = try file.open()
        try store.prepare(classes)
        try store.withSession { session throws in
            let dog = Dog()
            dog.name = "Rex"
            try session.save([dog, Shelf<Bool>()])
        }
        store.close()
        return file
    }

    /// The number of statements that a preparation takes in a newly opened store.
    private static func count(_ classes: [PersistentObject.Type], in file: TemporaryStore) throws -> Int {
        let store = try file.open()
        defer { store.close() }
        return try store.withSession { session throws in
            try statements(of: session) {
                try TablePreparation(session).prepare(try classes.map { try ClassMap.map(of: $0) })
            }
            .count
        }
    }

    /// SQL that damages the file, and a query that returns 1 after the repair.
    static let damages: [(String, String)] = [
        (
            "DROP INDEX \"shelf_bool.place.index\"",
            "SELECT count(*) FROM sqlite_schema WHERE name = 'shelf_bool.place.index'"
        ),
        (
            "DROP TABLE shelf_data_tags; DROP TABLE shelf_data",
            "SELECT count(*) FROM sqlite_schema WHERE name = 'shelf_data'"
        ),
        ("DROP TABLE shelf_float_tags", "SELECT count(*) FROM sqlite_schema WHERE name = 'shelf_float_tags'"),
        (
            "ALTER TABLE shelf_double DROP COLUMN title",
            "SELECT count(*) FROM pragma_table_info('shelf_double') WHERE name = 'title'"
        ),
        (
            "DROP TRIGGER \"animal.search.insert\"",
            "SELECT count(*) FROM sqlite_schema WHERE name = 'animal.search.insert'"
        ),
        (
            "ALTER TABLE shelf_int RENAME COLUMN place TO spot",
            "SELECT count(*) FROM pragma_table_info('shelf_int') WHERE name = 'place'"
        ),
    ]

    @Test(.enabled(if: !TestEngine.isPostgres, "the SQL of it is SQLite's"), arguments: damages.indices)
    func `a change by another program to one of many tables is detected and repaired`(_ index: Int) throws {
        let (damage, question) = Self.damages[index]
        let file = try Self.preparedFile()
        _ = try file.sqlite(damage)
        let store = try file.open()
        try store.prepare(Self.classes)
        try store.withSession { _ throws in
            try expect(Animal.all().map { "\(type(of: $0)) \($0.name)" }, ["Dog Rex"])
        }
        store.close()
        try expect(file.sqlite(question), "1")
        try expect(file.sqlite("SELECT count(*) FROM shelf_bool"), "1")
    }

    @Test(.enabled(if: !TestEngine.isPostgres, "the SQL of it is SQLite's"))
    func `a view that replaced one of many tables is refused`() throws {
        let file = try Self.preparedFile()
        _ = try file.sqlite("DROP TABLE shelf_int; CREATE VIEW shelf_int AS SELECT 1 AS id, '' AS title, 0 AS place")
        let store = try file.open()
        #expect(throws: SchemaError.self) { try store.prepare(Self.classes) }
        store.close()
    }

    @Test(.enabled(if: !TestEngine.isPostgres, "the SQL of it is SQLite's"))
    func `an unchanged file is read with a few statements, however many classes are prepared`() throws {
        let file = try Self.preparedFile()
        let count = try Self.count(Self.classes, in: file)
        let fewer = try Self.count(Array(Self.classes.dropLast(2)), in: file)
        #expect(count <= fewer + 2 && fewer < 12, "\(count), \(fewer)")
    }

    @Test func `a new class is created together with many existing classes`() throws {
        let file = try Self.preparedFile()
        let store = try file.open()
        try store.prepare(Self.classes + [Shelf<Int8>.self])
        try store.withSession { _ throws in
            try Shelf<Int8>().save()
            #expect(try Shelf<Int8>.count() == 1 && Shelf<Bool>.count() == 1 && Dog.count() == 1)
        }
        store.close()
    }
}
