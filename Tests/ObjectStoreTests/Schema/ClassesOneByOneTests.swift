import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Many classes that are used one after another: the cost of each does not grow with their number, and what the file
/// has is seen as for one class.
struct ClassesOneByOneTests {
    final class Box<A, B>: PersistentObject {
        override class var tableName: String { "box_\(A.self)_\(B.self)".lowercased() }
        var title = ""
        @Indexed var place = 0
    }

    private static let classes: [PersistentObject.Type] =
        row(Int.self) + row(Bool.self) + row(Double.self) + row(String.self) + row(Float.self) + row(Data.self)

    private static func row<A>(_: A.Type) -> [PersistentObject.Type] {
        [Box<A, Int>.self, Box<A, Bool>.self, Box<A, Double>.self, Box<A, String>.self, Box<A, Data>.self]
    }

    /// The statements that the first use of each class takes.
    private static func statementsOfEach(in store: Store, _ classes: [PersistentObject.Type]) throws -> [[String]] {
        try store.withSession { session in
            try classes.map { type in
                try statements(of: session) { try TablePreparation(session).prepare([try ClassMap.map(of: type)]) }
            }
        }
    }

    private static func readsEverything(_ statement: String) -> Bool {
        statement.contains("sqlite_schema") && !statement.contains("rowid >")
    }

    @Test(.onSQLite("The statements are SQLite's"))
    func `the schema is not read again for each class of a file`() throws {
        let file = try TemporaryStore()
        let first = try file.open()
        try first.prepare(Self.classes)
        first.close()
        let store = try file.open()
        defer { store.close() }
        let all = try Self.statementsOfEach(in: store, Self.classes)
        for statements in all.dropFirst(5) {
            #expect(!statements.contains(where: Self.readsEverything), "\(statements)")
            #expect(statements.count <= 3, "\(statements)")
        }
    }

    @Test(.onSQLite("The statements are SQLite's")) func `each class of a new file takes as many statements`() throws {
        let file = try TemporaryStore()
        let store = try file.open()
        defer { store.close() }
        let all = try Self.statementsOfEach(in: store, Self.classes)
        let counts = all.dropFirst(5).map(\.count)
        #expect(Set(counts).count == 1, "\(counts)")
        for statements in all.dropFirst(5) {
            let plan = statements.prefix { !$0.hasPrefix("BEGIN IMMEDIATE") }
            #expect(!plan.contains(where: Self.readsEverything), "\(plan)")
            #expect(!plan.contains { $0.contains("po_property") }, "\(plan)")
        }
        // The result is that of all at once.
        let second = try TemporaryStore()
        let other = try second.open()
        defer { other.close() }
        try other.prepare(Self.classes)
        let query = "SELECT group_concat(name || coalesce(sql, '')) FROM (SELECT * FROM sqlite_schema ORDER BY name)"
        let texts = try [store, other].map { store in
            try store.withSession { session in try session.rows(query).map { try $0.value(0) as String } }
        }
        expect(texts[0], texts[1])
    }

    @Test func `what another program changes meanwhile is seen`() throws {
        let file = try TemporaryStore()
        let first = try file.open()
        try first.prepare(Self.classes)
        first.close()
        let (store, other) = (try file.open(), try file.open())
        defer {
            store.close()
            other.close()
        }
        for (place, type) in Self.classes.enumerated() {
            guard place > 10, place % 4 == 0 else {
                _ = try Self.statementsOfEach(in: store, [type])
                continue
            }
            let map = try ClassMap.map(of: type)
            let change =
                place % 8 == 0
                ? "ALTER TABLE \"\(map.table)\" DROP COLUMN title" : "DROP INDEX \"\(map.table).place.index\""
            _ = try other.withSession { session in try session.execute(change) }
            _ = try Self.statementsOfEach(in: store, [type])
            try store.withSession { session in
                let table = try #require(try session.connection.schema.table(map.table))
                expect(table.columns.map(\.name).sorted(), ["id", "place", "title"])
                try expect(session.connection.schema.indexNames(of: map.table).count, 1)
            }
        }
    }

    @Test func `a rolled back table is made again`() throws {
        struct Failure: Error {}
        let file = try TemporaryStore()
        let store = try file.open()
        defer { store.close() }
        try store.withSession { session in
            for (place, type) in Self.classes.enumerated() {
                try? session.transaction {
                    _ = try session.space(of: type)
                    if place % 3 == 0 { throw Failure() }
                }
                _ = try session.space(of: type)
                let map = try ClassMap.map(of: type)
                try #expect(session.connection.schema.table(map.table)?.columns.count == 3)
            }
        }
    }

    final class Client: PersistentObject {
        override class var tableName: String { "one_client" }
        var name = ""
        var fax: String?
    }
    final class Customer: PersistentObject {
        override class var tableName: String { "one_customer" }
        var name = ""
        var fax: String?
    }

    @Test func `a renamed class is noted after many others`() throws {
        let file = try TemporaryStore()
        let first = try file.open()
        try first.prepare(Client.self)
        first.close()
        let notes = Recorder<String>()
        var configuration = Store.Configuration()
        configuration.onNote = { notes.add($0) }
        let store = try file.open(configuration: configuration)
        defer { store.close() }
        try store.withSession { session in
            for type in Self.classes { _ = try session.space(of: type) }
            _ = try session.space(of: Customer.self)
        }
        #expect(notes.all.contains { $0.contains("Customer: The file has a class Client") }, "\(notes.all)")
    }
}
