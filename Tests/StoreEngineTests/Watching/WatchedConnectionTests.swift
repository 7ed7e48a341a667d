import StoreEngine
import TestSupport
import Testing

/// A watched connection does the same as the wrapped connection, and reports its statements.
struct WatchedConnectionTests {
    private final class Witness: StatementWatcher {
        let wantsArguments: Bool
        private(set) var begun = 0
        private(set) var reports: [StatementReport] = []

        init(wantsArguments: Bool) { self.wantsArguments = wantsArguments }

        func willRun() { begun += 1 }
        func didRun(_ report: StatementReport) { reports.append(report) }

        func take() -> [StatementReport] {
            defer { reports = [] }
            return reports
        }
    }

    private func withWatched(
        arguments: Bool = false, _ body: (WatchedConnection, Witness) throws -> Void
    ) throws {
        try withConnection { connection throws in
            let watched = WatchedConnection(connection)
            let witness = Witness(wantsArguments: arguments)
            watched.watcher = witness
            try watched.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, a, b)")
            _ = witness.take()
            try body(watched, witness)
            expect(watched.busyStatementCount, 0)
        }
    }

    @Test func `a watched connection writes and reads values of all kinds unchanged`() throws {
        try withWatched { connection, witness throws in
            let insert = try connection.statement("INSERT INTO t (a, b) VALUES (?, ?)")
            let values: [DatabaseValue] = [
                .null, .integer(.min), .real(0.1), .text("a\0é"), .blob([0, 255]), .text(""),
            ]
            for value in values {
                insert.beginBinding()
                try insert.bind(value, at: 1)
                try insert.bind(value, at: 2)
                try insert.run()
            }
            insert.finish()
            #expect(
                witness.take().map(\.changedRows) == Array(repeating: 1, count: 6) && connection.lastInsertedRowID == 6)
            let select = try connection.statement("SELECT a, b FROM t ORDER BY id")
            var read: [DatabaseValue] = []
            while try select.step() {
                try expect(select.column(0).value(), select.column(1).value())
                read.append(try select.column(0).value())
            }
            #expect(select.columnName(1) == "b" && select.columnCount == 2 && select.isReadOnly)
            select.finish()
            expect(read, values)
            let told = witness.take()
            #expect(told.map(\.rows) == [6] && told.map(\.changedRows) == [0] && told[0].scans.rows == 5)
            expect(witness.begun, 8)
        }
    }

    @Test func `each run is reported once, whether it completes, is abandoned or fails`() throws {
        try withWatched { connection, witness throws in
            try connection.execute("INSERT INTO t (id) VALUES (1), (2), (3)")
            let select = try connection.statement("SELECT id FROM t")
            #expect(try select.step() && select.step())
            select.reset()
            select.reset()
            #expect(try select.step())
            select.finish()
            #expect(witness.take().map(\.rows) == [0, 2, 1])
            let fail = try connection.statement("INSERT INTO t (id) VALUES (?)")
            fail.beginBinding()
            try fail.bind(3 as Int64, at: 1)
            #expect(throws: StoreError.self) { try fail.run() }
            fail.finish()
            #expect(witness.take().map { $0.error?.code } == [.notUnique])
            #expect(throws: StoreError.self) { try connection.statement("SELECT x FROM nowhere") }
            #expect(witness.take().map { $0.error?.code } == [.invalidSQL])
            let unused = try connection.statement("SELECT id FROM t")
            unused.finish()
            #expect(witness.take().isEmpty)
        }
    }

    @Test func `the arguments of each run are recorded only if the watcher requests them`() throws {
        for isWanted in [true, false] {
            try withWatched(arguments: isWanted) { connection, witness throws in
                let statement = try connection.statement("SELECT ?, ?")
                for number in 1...2 as ClosedRange<Int64> {
                    statement.beginBinding()
                    try statement.bind(number, at: 1)
                    if number == 1 { try statement.bind("x", at: 2) }
                    _ = try statement.step()
                    statement.reset()
                }
                statement.finish()
                let list = try connection.statement("SELECT value FROM json_each(?)")
                list.beginBinding()
                try list.bind(list: [1, 2] as [Int64], at: 1)
                #expect(try list.step() && list.integer(0) == 1)
                list.finish()
                let wanted: [[DatabaseValue]] = [[.integer(1), .text("x")], [.integer(2)], [.text("[1,2]")]]
                expect(witness.take().map(\.arguments), isWanted ? wanted : [[], [], []])
            }
        }
    }

    @Test func `the elements of a list of blobs can be read`() throws {
        try withWatched { connection, _ throws in
            let list = try connection.statement("SELECT po_value(value) FROM json_each(?)")
            list.beginBinding()
            try list.bind(list: [.blob([1, 2]), .blob([])] as [DatabaseValue], at: 1)
            #expect(try list.step() && list.column(0).value() == .blob([1, 2]))
            list.finish()
        }
    }

    @Test func `statements of transactions are reported with their number of changed rows`() throws {
        try withWatched { connection, witness throws in
            try connection.begin()
            try connection.execute("INSERT INTO t (id) VALUES (1)")
            try connection.setSavepoint()
            connection.rollBackToSavepoint()
            try connection.setSavepoint()
            try connection.releaseSavepoint()
            try connection.commit()
            try connection.beginReading()
            connection.rollback()
            connection.rollback()
            let told = witness.take()
            expect(
                told.map(\.sql),
                [
                    "BEGIN IMMEDIATE", "INSERT INTO t (id) VALUES (1)", "SAVEPOINT", "ROLLBACK TO", "SAVEPOINT",
                    "RELEASE", "COMMIT", "BEGIN", "ROLLBACK",
                ])
            expect(told.map(\.changedRows), [0, 1, 0, 0, 0, 0, 0, 0, 0])
            #expect(throws: StoreError.self) { try connection.commit() }
            #expect(witness.take().last?.error != nil)
        }
    }

    @Test func `scans, sorts and indexed rows are counted per run`() throws {
        try withConnection { connection throws in
            try connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, a)")
            try connection.execute("INSERT INTO t (a) VALUES (1), (2), (3)")
            let statement = try connection.statement("SELECT * FROM t ORDER BY a")
            for _ in 0..<2 {
                while try statement.step() {}
                statement.reset()
                let scans = statement.takeScans()
                #expect(scans.rows == 2 && scans.sorts == 1 && scans.indexedRows == 0)
                expect(statement.takeScans().rows, 0)
            }
            statement.finish()
        }
    }
}
