#if PostgreSQL
    import Foundation
    @testable import PersistentObjects
    import StoreEngine
    import TestSupport
    import Testing

    private final class Leaf: PersistentObject {
        override class var tableName: String { "leaf" }
        var number = 0
        var text = ""
        var bytes: Data?
        var weight = 0.0
        var next: Leaf?
    }

    /// Very many rows are streamed, with the same result.
    @Suite(.onPostgres("files are read row by row anyway")) struct StreamTests {
        /// So many rows that they are streamed.
        private static let many: SQL = "SELECT n, 'row ' || n FROM generate_series(1, 5000) AS n"

        private static func texts(_ number: Int) -> String {
            ["", "é", "日本 🚂", "a\"b'c\\", "\\x41", "\u{1}$1?"][number % 6] + "\(number)"
        }

        private static func fill(_ session: Session) throws {
            let leaves = (0..<3000).map { number in
                let leaf = Leaf()
                (leaf.number, leaf.text) = (number, texts(number))
                leaf.bytes = number % 4 == 0 ? nil : Data((0..<number % 5).map { UInt8($0 + 250) })
                leaf.weight = [0, -0.5, .infinity, .leastNonzeroMagnitude, 1e300][number % 5]
                return leaf
            }
            for (place, leaf) in leaves.enumerated() where place % 3 == 1 { leaf.next = leaves[place * 7 % 3000] }
            try session.save(leaves)
        }

        @Test("streamed rows have the same values, with all kinds of conditions")
        func values() throws {
            let file = try TemporaryStore()
            try file.open().withSession { session in
                try Self.fill(session)
                // The server knows the statistics of the table.
                try session.execute("ANALYZE")
            }
            for _ in 0..<2 {
                let store = try file.open()
                try store.withSession { session in
                    // The second time, the number of rows of a condition is known.
                    for _ in 0..<2 {
                        let all = try Leaf.query.order(by: \.number).all()
                        #expect(all.map(\.text) == (0..<3000).map(Self.texts))
                        let sizes = all.map { $0.bytes.map { $0.count } ?? -1 }
                        #expect(sizes == (0..<3000).map { $0 % 4 == 0 ? -1 : $0 % 5 })
                        #expect(all[3].weight == .leastNonzeroMagnitude && all[2].weight == .infinity)
                        #expect(all[1].next === all[7] && all[0].next == nil)
                        let text = Self.texts(3)
                        let some = try Leaf.where { $0.text != text && $0.weight < 1e301 && $0.number != 5 }.all()
                        let same = all.filter { $0.text != text && $0.weight < 1e301 && $0.number != 5 }
                        #expect(some.count == same.count)
                        let others = try Leaf.where { $0.text != "\\" && $0.bytes != Data([250]) }.all()
                        #expect(others.count == all.filter { $0.bytes != Data([250]) }.count)
                        let ids = try Leaf.query.ids()
                        #expect(try Leaf.find(ids).count == 3000)
                        #expect(try Leaf.query.values(of: \.number).sorted() == Array(0..<3000))
                    }
                }
                store.close()
            }
        }

        @Test("arguments have the same values when they are written into the statement")
        func arguments() throws {
            let file = try TemporaryStore()
            try file.open().withSession { session throws in
                let statement = try session.connection.statement(
                    """
                    SELECT n, ?::text, ?::bytea, ?::float8, ?::int8, ?::uuid, ?::int4, 'a''?' \
                    FROM generate_series(1, ?) AS n WHERE n <> ALL (?/*list*/::int8[])
                    """)
                let uuid = (0..<16).map { UInt8($0 * 17) }
                for text in ["", "a\"b'c\\", "\\x41", "$1 ? '::text; --", "日本\u{1}\n"] {
                    for number in [Int64.min, -1, .max] {
                        let values: [DatabaseValue] = [
                            .text(text), .blob(Array(text.utf8)), .real(Double(number) / 3), .integer(number),
                            .blob(uuid),
                            .null, .integer(3000),
                        ]
                        var seen: [String] = []
                        // The second time, the number of rows is known.
                        for round in 0..<2 {
                            statement.beginBinding()
                            for (place, value) in values.enumerated() {
                                try statement.bind(value, at: Int32(place + 1))
                            }
                            try statement.bind(list: [4, -7] as [Int64], at: 8)
                            #expect(try statement.step())
                            if round == 1 { #expect(try isStreaming(file, "a''?")) }
                            seen.append(try (Int32(1)..<8).map { "\(try statement.column($0).value())" }.joined())
                            var count = 1
                            while try statement.step() { count += 1 }
                            #expect(count == 2999)
                            statement.finish()
                        }
                        #expect(seen[0] == seen[1])
                    }
                }
            }
        }

        /// Whether the result of a query that contains a string is being streamed.
        private func isStreaming(_ file: TemporaryStore, _ text: String) throws -> Bool {
            try file.open().withSession { session throws in
                let sql = "SELECT 1 FROM pg_stat_activity WHERE strpos(query, ?) > 0 AND strpos(query, 'COPY (') > 0"
                return try !session.rows(sql, text).isEmpty
            }
        }

        /// Runs `body` with a statement of many rows.
        private func withMany(_ body: (any Connection, Statement) throws -> Void) throws {
            try withTemporarySession { session, _ throws in
                let statement = try session.connection.statement(Self.many)
                defer { statement.finish() }
                statement.beginBinding()
                try body(session.connection, statement)
            }
        }

        private func numbers(_ statement: Statement) throws -> [Int64] {
            var numbers: [Int64] = []
            while try statement.step() {
                numbers.append(statement.integer(0))
                #expect(try statement.column(1).text() == "row \(statement.integer(0))")
            }
            return numbers
        }

        @Test("another statement during a stream loses no rows")
        func other() throws {
            try withMany { connection, statement throws in
                for number in 1...10 {
                    #expect(try statement.step() && statement.integer(0) == number)
                }
                #expect(try connection.value("SELECT 7") == .integer(7))
                #expect(try statement.step() && statement.integer(0) == 11)
                // A second transaction that is rolled back.
                try connection.begin()
                connection.rollback()
                let others = try connection.statement("SELECT n, 'row ' || n FROM generate_series(1, 4999) AS n")
                others.beginBinding()
                #expect(try others.step() && statement.step() && statement.integer(0) == 12)
                #expect(try numbers(statement) == Array(13...5000))
                #expect(try numbers(others) == Array(2...4999))
                others.finish()
            }
        }

        @Test("a stream can be abandoned")
        func abandoned() throws {
            try withMany { connection, statement throws in
                for _ in 0..<3 {
                    #expect(try statement.step() && statement.integer(0) == 1)
                    statement.finish()
                    #expect(connection.busyStatementCount == 0)
                    #expect(try connection.value("SELECT 7") == .integer(7))
                }
            }
        }

        @Test("an error during a stream is thrown, and the connection remains usable")
        func errors() throws {
            try withTemporarySession { session, _ throws in
                let sql: SQL = "SELECT 1 / (n - 4500) FROM generate_series(1, 5000) AS n"
                for inside in [false, true] {
                    if inside { try session.connection.beginReading() }
                    let statement = try session.connection.statement(sql)
                    statement.beginBinding()
                    var count = 0
                    let error = #expect(throws: StoreError.self) { () throws in
                        while try statement.step() { count += 1 }
                    }
                    statement.finish()
                    #expect(error?.message.contains("22012") == true && count == 4499)
                    if inside { session.connection.rollback() }
                    #expect(try session.connection.value("SELECT 7") == .integer(7))
                }
            }
        }

        @Test("cancelling the task ends a stream")
        func cancelled() async throws {
            let store = try TemporaryStore().open()
            let task = Task {
                try store.withSession { session in
                    // So slow that the remaining rows, a minute's worth, have not arrived when the task is cancelled.
                    let sql: SQL = "SELECT n, pg_sleep(0.01) FROM generate_series(1, 6000) AS n"
                    let statement = try session.connection.statement(sql)
                    defer { statement.finish() }
                    statement.beginBinding()
                    guard try statement.step() else { return false }
                    withUnsafeCurrentTask { $0?.cancel() }
                    do { while try statement.step() {} } catch { return (error as? StoreError)?.code == .cancelled }
                    return false
                }
            }
            #expect(try await task.value)
            let after = try store.withSession { try $0.rows("SELECT 7").first?[0] }
            #expect(after == .integer(7))
        }

        @Test("statements that cannot be streamed are sent unchanged")
        func others() throws {
            try withTemporarySession { session, _ throws in
                let ended = try session.rows("SELECT n FROM generate_series(1, 3000) AS n;")
                #expect(ended.count == 3000)
                #expect(try session.rows("SELECT n FROM generate_series(1, 3000) AS n -- all").count == 3000)
                #expect(try session.rows("VALUES (1), (2)").count == 2)
            }
        }
    }

    extension ProxyTests {
        /// Streams whose connection is cut.
        @Suite struct CutStreamTests {
            @Test("losing the connection during a stream throws, and the next call reconnects")
            func cut() throws {
                let schema = try PostgresProxy().makeSchema()
                let store = try Store(.postgres(schema.directAddress))
                try store.withSession { session in
                    let statement = try session.connection.statement(
                        "SELECT n, repeat('x', 10000) FROM generate_series(1, 100000) AS n")
                    statement.beginBinding()
                    #expect(try statement.step())
                    let end = """
                        SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
                        WHERE query LIKE '%, 100000)%' AND pid <> pg_backend_pid()
                        """
                    #expect(try schema.psql(end) == "t")
                    let error = #expect(throws: StoreError.self) { () throws in while try statement.step() {} }
                    #expect(error?.code == .connectionLost)
                    statement.finish()
                    #expect(try session.rows("SELECT 7").first?[0] == .integer(7))
                }
                store.close()
            }
        }
    }
#endif
