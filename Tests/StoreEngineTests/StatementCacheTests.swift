import StoreEngine
import TestSupport
import Testing

@Suite struct StatementCacheTests {
    @Test func `a finished statement is reused for the same text`() throws {
        try withConnection { connection throws in
            let first = try connection.statement("SELECT 1")
            first.finish()
            let second = try connection.statement("SELECT 1")
            #expect(first === second)
            second.finish()
            let other = try connection.statement("SELECT  1")
            #expect(other !== first)
            other.finish()
        }
    }

    @Test func `a busy statement is never returned a second time`() throws {
        try withConnection { connection throws in
            var all: [Statement] = []
            for _ in 0..<5 { all.append(try connection.statement("SELECT 1 UNION SELECT 2")) }
            expect(Set(all.map { ObjectIdentifier($0) }).count, 5)
            for statement in all { #expect(try statement.step()) }
            for statement in all { expect(statement.integer(0), 1) }
            all[3].finish()
            #expect(try connection.statement("SELECT 1 UNION SELECT 2") === all[3])
            for statement in all { statement.finish() }
            let again = try (0..<5).map { _ in try connection.statement("SELECT 1 UNION SELECT 2") }
            expect(Set(again.map { ObjectIdentifier($0) }), Set(all.map { ObjectIdentifier($0) }))
            for statement in again { statement.finish() }
        }
    }

    @Test func `a statement from the cache counts as busy before its first step`() throws {
        try withConnection { connection throws in
            let statement = try connection.statement("SELECT 1")
            #expect(statement.isBusy)
            expect(connection.busyStatementCount, 0)
            #expect(try statement.step())
            expect(connection.busyStatementCount, 1)
            statement.reset()
            #expect(statement.isBusy)
            statement.finish()
            #expect(!statement.isBusy)
            expect(connection.busyStatementCount, 0)
        }
    }

    @Test func `the cache does not grow with texts that differ each time`() throws {
        try withConnection { connection throws in
            weak var first: Statement?
            var peak = 0
            for number in 0..<2000 {
                let statement = try connection.statement("SELECT \(number: number)")
                #expect(try statement.step())
                expect(statement.integer(0), Int64(number))
                statement.finish()
                if number == 0 { first = statement }
                if number % 100 == 0 { peak = max(peak, keptCount(connection)) }
            }
            #expect(first == nil)
            // 256 statements, the statements that the connection keeps for transactions, and the counting statement.
            #expect(peak <= 260)
        }
    }

    private func keptCount(_ connection: SQLiteConnection) -> Int {
        // The table `sqlite_stmt` lists the prepared statements, if it is compiled in.
        guard case .integer(let count)? = try? connection.scalar("SELECT count(*) FROM sqlite_stmt") else { return 0 }
        return Int(count)
    }

    @Test func `a busy statement survives any number of other texts`() throws {
        try withConnection { connection throws in
            let busy = try connection.statement("SELECT 1 UNION SELECT 2 UNION SELECT 3")
            #expect(try busy.step())
            for number in 0..<600 { try connection.statement("SELECT \(number: number)").finish() }
            #expect(try busy.step())
            expect(busy.integer(0), 2)
            #expect(try connection.statement("SELECT 1 UNION SELECT 2 UNION SELECT 3") !== busy)
            #expect(try busy.step())
            expect(busy.integer(0), 3)
            #expect(try !busy.step())
            busy.finish()
            try connection.statement("SELECT 1 UNION SELECT 2 UNION SELECT 3").finish()
            connection.releaseStatements()
        }
    }

    @Test func `a statement in frequent use stays in the cache when others are dropped`() throws {
        try withConnection { connection throws in
            let often = try connection.statement("SELECT 'often'")
            often.finish()
            for number in 0..<1000 {
                try connection.statement("SELECT \(number: number)").finish()
                let again = try connection.statement("SELECT 'often'")
                #expect(again === often)
                again.finish()
            }
        }
    }

    @Test func `released statements are prepared again, and busy statements are not released`() throws {
        try withConnection { connection throws in
            weak var free: Statement?
            do {
                let statement = try connection.statement("SELECT 1")
                statement.finish()
                free = statement
            }
            let busy = try connection.statement("SELECT 2")
            connection.releaseStatements()
            #expect(free == nil)
            busy.finish()
            #expect(try connection.statement("SELECT 2") === busy)
            busy.finish()
            try connection.statement("SELECT 1").finish()
        }
    }

    @Test func `a cached statement works after a schema change`() throws {
        try withConnection { connection throws in
            try connection.run("CREATE TABLE t (x)")
            try connection.run("INSERT INTO t VALUES (1)")
            let select = try connection.statement("SELECT * FROM t")
            #expect(try select.step())
            select.finish()
            try connection.run("ALTER TABLE t ADD COLUMN y DEFAULT 2")
            let again = try connection.statement("SELECT * FROM t")
            #expect(again === select)
            #expect(try again.step())
            expect(again.columnCount, 2)
            expect(again.integer(1), 2)
            again.finish()
        }
    }
}
