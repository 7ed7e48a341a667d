import StoreEngine
import TestSupport
import Testing

/// Strings and blobs are bound in a memory arena that belongs to the statement. These tests verify that the arena has
/// no visible effect.
@Suite struct ArenaTests {
    private func check(_ statement: Statement, _ values: [DatabaseValue], _ comment: Comment) throws {
        statement.beginBinding()
        for (index, value) in values.enumerated() { try statement.bind(value, at: Int32(index) + 1) }
        #expect(try statement.step(), comment)
        for (index, value) in values.enumerated() {
            try expect(statement.column(Int32(index)).value(), value, "\(comment) column \(index)")
        }
        statement.reset()
    }

    private func select(_ count: Int, on connection: SQLiteConnection) throws -> Statement {
        try connection.prepare("SELECT \(placeholders: count)")
    }

    private func text(_ count: Int, _ seed: Int) -> DatabaseValue {
        .text(String(decoding: (0..<count).map { UInt8(97 + ($0 + seed) % 26) }, as: UTF8.self))
    }

    @Test(arguments: [0, 1, 127, 128, 129, 255, 256, 65_535, 65_536, 131_071, 131_072, 131_073, 1_000_000])
    func `a string of any size reads back, alone and between other values, in each round`(_ size: Int) throws {
        try withConnection { connection throws in
            let statement = try select(3, on: connection)
            for round in 0..<3 {
                try check(statement, [.text("before"), text(size, round), .blob([1, 2, 3])], "round \(round)")
            }
        }
    }

    @Test func `binding many values in one round outgrows the arena without damage`() throws {
        try withConnection { connection throws in
            let statement = try select(500, on: connection)
            for round in 0..<4 {
                try check(statement, (0..<500).map { text($0, round) }, "round \(round)")
            }
        }
    }

    @Test func `rounds with values of different sizes do not affect each other`() throws {
        try withConnection { connection throws in
            let statement = try select(4, on: connection)
            var random = SeededGenerator(seed: 3)
            for round in 0..<200 {
                let sizes = (0..<4).map { _ in
                    Int.random(in: 0...(1 << Int.random(in: 0...15, using: &random)), using: &random)
                }
                let values = sizes.enumerated().map { place, size in
                    place == 2
                        ? DatabaseValue.blob((0..<size).map { UInt8(truncatingIfNeeded: $0 + round) })
                        : text(size, round)
                }
                try check(statement, values, "round \(round)")
            }
        }
    }

    @Test func `each statement binds in its own memory`() throws {
        try withConnection { connection throws in
            let a = try connection.statement("SELECT ?")
            let b = try connection.statement("SELECT ?")
            a.beginBinding()
            try a.bind("of a", at: 1)
            b.beginBinding()
            try b.bind("of b", at: 1)
            #expect(try a.step())
            #expect(try b.step())
            try expect(a.column(0).text(), "of a")
            try expect(b.column(0).text(), "of b")
            a.finish()
            b.finish()
        }
    }

    @Test func `bound values survive a schema change that makes SQLite prepare the statement again`() throws {
        try withConnection { connection throws in
            try connection.run("CREATE TABLE t (x)")
            let statement = try connection.prepare("SELECT ?, count(*) FROM t")
            statement.beginBinding()
            try statement.bind("kept", at: 1)
            try connection.run("CREATE TABLE u (x)")
            #expect(try statement.step())
            try expect(statement.column(0).text(), "kept")
        }
    }

    @Test func `the string of a row remains valid while other statements run`() throws {
        try withConnection { connection throws in
            try connection.run("CREATE TABLE t (x TEXT) STRICT")
            let insert = try connection.statement("INSERT INTO t VALUES (?)")
            for text in ["one", "two", "three"] {
                insert.beginBinding()
                try insert.bind(text, at: 1)
                try insert.run()
            }
            let select = try connection.statement("SELECT x FROM t WHERE x <> ? ORDER BY rowid")
            select.beginBinding()
            try select.bind("two", at: 1)
            var found: [String] = []
            while try select.step() {
                insert.beginBinding()
                try insert.bind(String(repeating: "two", count: 100), at: 1)
                found.append(try select.column(0).text())
                insert.reset()
            }
            expect(found, ["one", "three"])
            insert.finish()
            select.finish()
        }
    }
}
