import StoreEngine
import TestSupport
import Testing

/// A reader that is kept between calls sees every change, also the changes of other connections.
@Suite struct KeptSchemaTests {
    private static let names = ["a", "b", "c", "d", "e", "words", "v"]

    private static func description(_ schema: any SchemaReader) throws -> String {
        var lines: [String] = []
        for name in names {
            // A view of a dropped table has no columns.
            do { lines.append("\(name): \(try schema.table(name).map { "\($0)" } ?? "none")") } catch {
                lines.append("\(name): \(error)")
            }
            lines.append(try schema.definition(of: name) ?? "none")
            lines.append(try schema.definitions(of: [name], triggersBeginning: name + "."))
            lines.append("\(try schema.triggers(on: name))")
            lines.append("\(try schema.triggers(beginning: name))")
        }
        return lines.joined(separator: "\n")
    }

    private static func expectSame(_ connection: SQLiteConnection, _ comment: String) throws {
        let kept = connection.schema.readAhead(for: 1)
        try expect(description(kept), description(connection.schema), "\(comment)")
    }

    /// A change of the schema; it fails where it makes no sense.
    private static func change(_ generator: inout SeededGenerator) -> String {
        let name = names[Int.random(in: 0..<5, using: &generator)]
        switch Int.random(in: 0..<12, using: &generator) {
        case 0...2: return "CREATE TABLE \(name) (id INTEGER PRIMARY KEY AUTOINCREMENT, x TEXT UNIQUE, y)"
        case 3: return "CREATE INDEX \"\(name).y\" ON \(name) (y)"
        case 4: return "CREATE INDEX \"\(name).x\" ON \(name) (x)"
        case 5: return "CREATE TRIGGER \"\(name).t\" AFTER DELETE ON \(name) BEGIN SELECT 1; END"
        case 6: return "CREATE TRIGGER \"\(name).a\" AFTER INSERT ON \(name) BEGIN SELECT 1; END"
        case 7: return "ALTER TABLE \(name) ADD COLUMN z\(Int.random(in: 0..<9, using: &generator)) TEXT"
        case 8: return "DROP TABLE \(name)"
        case 9: return "CREATE VIRTUAL TABLE words USING fts5(text)"
        case 10: return "CREATE VIEW v AS SELECT * FROM \(name)"
        default:
            return ["DROP TABLE words", "DROP VIEW v", "VACUUM", "ANALYZE", "DROP INDEX \"\(name).y\""]
                .randomElement(using: &generator) ?? ""
        }
    }

    @Test(arguments: SeededGenerator.seeds(6))
    func `random changes of two connections, committed and rolled back`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let file = try TemporaryStore()
        let connections = [try file.connect(), try file.connect()]
        _ = connections[0].schema.readAhead(for: 5)
        for round in 0..<150 {
            let connection = connections[Int.random(in: 0..<2, using: &generator)]
            let isTransaction = Int.random(in: 0..<3, using: &generator) == 0
            if isTransaction { try connection.begin() }
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let change = Self.change(&generator)
                try? connection.run(change)
                if Int.random(in: 0..<3, using: &generator) == 0 {
                    try Self.expectSame(connection, "\(round): \(change)")
                }
            }
            if isTransaction {
                if Bool.random(using: &generator) { try connection.commit() } else { connection.rollback() }
            }
            for connection in connections where Bool.random(using: &generator) {
                try Self.expectSame(connection, "\(round)")
            }
        }
    }

    @Test func `few tables are read one by one, many at once`() throws {
        try withConnection { connection throws in
            try connection.run("CREATE TABLE a (id)")
            for _ in 0..<4 { #expect(!(connection.schema.readAhead(for: 1) is SQLiteSchemaSnapshot)) }
            #expect(connection.schema.readAhead(for: 1) is SQLiteSchemaSnapshot)
            try connection.run("CREATE TABLE b (id)")
            let created = try statements(of: connection) {
                try expect(connection.schema.readAhead(for: 1).table("b")?.name, "b")
            }
            #expect(!created.contains { $0.contains("ORDER BY type, name") && !$0.contains("rowid >") }, "\(created)")
            try connection.run("ALTER TABLE b ADD COLUMN x")
            let altered = statements(of: connection) { _ = connection.schema.readAhead(for: 1) }
            #expect(altered.contains { $0.contains("ORDER BY type, name") && !$0.contains("rowid >") }, "\(altered)")
        }
    }

    @Test func `what is kept does not keep the connection`() throws {
        weak var connection: SQLiteConnection?
        let file = try TemporaryStore()
        do {
            let made = try file.connect()
            #expect(made.schema.readAhead(for: 9) is SQLiteSchemaSnapshot)
            connection = made
        }
        #expect(connection == nil)
    }
}
