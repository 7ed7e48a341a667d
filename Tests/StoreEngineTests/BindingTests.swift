import StoreEngine
import TestSupport
import Testing

@Suite struct BindingTests {
    private static let values: [DatabaseValue] = [
        .null, .integer(0), .integer(.max), .integer(.min), .integer(-1),
        .real(0), .real(-0.0), .real(.infinity), .real(-.infinity), .real(.leastNonzeroMagnitude),
        .real(-.leastNonzeroMagnitude), .real(.leastNormalMagnitude), .real(.greatestFiniteMagnitude), .real(0.1),
        .text(""), .text("a"), .text("\0"), .text("a\0b"), .text("\0\0a"), .text("é"), .text("e\u{301}"), .text("🎉👨‍👩‍👧"),
        .text("\u{10FFFF}\u{FFFD}\u{FEFF}"), .text("1"), .text("x'00'"), .text(String(repeating: "x", count: 15)),
        .text(String(repeating: "x", count: 16)), .blob([]), .blob([0]), .blob([0xff, 0, 0xc3]), .blob(Array(0...255)),
    ]

    @Test(arguments: values)
    func `a bound value reads back unchanged`(_ value: DatabaseValue) throws {
        try withConnection { connection throws in try expect(connection.echo(value), value) }
    }

    @Test(arguments: values)
    func `a value stored in an ANY column reads back unchanged`(_ value: DatabaseValue) throws {
        let file = try TemporaryStore()
        do {
            let connection = try file.connect()
            try connection.run("CREATE TABLE t (x ANY) STRICT")
            let insert = try connection.prepare("INSERT INTO t VALUES (?)")
            insert.beginBinding()
            try insert.bind(value, at: 1)
            try insert.run()
        }
        try expect(file.connect().scalar("SELECT x FROM t"), value)
        try expect(file.sqlite("SELECT typeof(x) FROM t"), "\(value.storageClass)".lowercased())
    }

    @Test func `a REAL column stores minus zero as zero`() throws {
        try withConnection { connection throws in
            try connection.run("CREATE TABLE t (x REAL) STRICT")
            let insert = try connection.prepare("INSERT INTO t VALUES (?)")
            try insert.bind(-0.0, at: 1)
            try insert.run()
            try expect(connection.scalar("SELECT x FROM t"), .real(0))
        }
    }

    @Test func `an empty string and an empty blob are not NULL`() throws {
        try withConnection { connection throws in
            let statement = try connection.prepare("SELECT ? IS NULL, ? IS NULL, ? IS NULL, typeof(?1), typeof(?2)")
            statement.beginBinding()
            try statement.bind("", at: 1)
            try statement.bind(blob: UnsafeRawBufferPointer(start: nil, count: 0), at: 2)
            try statement.bindNull(at: 3)
            #expect(try statement.step())
            expect((0..<3).map { statement.integer($0) }, [0, 0, 1])
            try expect(statement.column(3).text(), "text")
            try expect(statement.column(4).text(), "blob")
        }
    }

    @Test func `binding NaN throws and keeps the earlier value`() throws {
        try withConnection { connection throws in
            let statement = try connection.prepare("SELECT ?")
            try statement.bind(1.5, at: 1)
            for number in [Double.nan, -.nan, .signalingNaN] {
                let fault = fault { try statement.bind(number, at: 1) }
                guard case .notStorable(let reason) = fault else {
                    Issue.record("\(String(describing: fault))")
                    continue
                }
                #expect(reason.contains("NaN"))
            }
            #expect(try statement.step())
            expect(statement.column(0).real, 1.5)
        }
    }

    @Test func `canonically equivalent strings are different values`() throws {
        try withConnection { connection throws in
            let statement = try connection.prepare("SELECT ? = ?, ?1, ?2")
            statement.beginBinding()
            try statement.bind("é", at: 1)
            try statement.bind("e\u{301}", at: 2)
            #expect(try statement.step())
            expect(statement.integer(0), 0)
            try expect(Array(statement.column(1).text().utf8), [0xc3, 0xa9])
            try expect(Array(statement.column(2).text().utf8), [0x65, 0xcc, 0x81])
        }
    }

    @Test func `a string that contains NUL is stored whole and found by equality`() throws {
        try withConnection { connection throws in
            try connection.run("CREATE TABLE t (x TEXT) STRICT")
            let insert = try connection.prepare("INSERT INTO t VALUES (?)")
            for text in ["a", "a\0b", "a\0c"] {
                insert.beginBinding()
                try insert.bind(text, at: 1)
                try insert.run()
            }
            let find = try connection.prepare("SELECT rowid, x, length(CAST(x AS BLOB)) FROM t WHERE x = ?")
            try find.bind("a\0b", at: 1)
            #expect(try find.step())
            expect(find.integer(0), 2)
            try expect(find.column(1).text(), "a\0b")
            expect(find.integer(2), 3)
            #expect(try !find.step())
        }
    }

    @Test func `binding again after a reset gives the new values`() throws {
        try withConnection { connection throws in
            let statement = try connection.prepare("SELECT ?, ?")
            for round in 0..<50 {
                statement.beginBinding()
                let text = String(repeating: "\(round)", count: round * round)
                try statement.bind(text, at: 1)
                try statement.bind(Int64(round), at: 2)
                #expect(try statement.step())
                try expect(statement.column(0).text(), text)
                expect(statement.column(1).integer, Int64(round))
                statement.reset()
            }
        }
    }

    @Test func `binding to a placeholder that does not exist throws`() throws {
        try withConnection { connection throws in
            let statement = try connection.prepare("SELECT ?")
            for index: Int32 in [0, 2, -1] {
                expect(fault { try statement.bind(1 as Int64, at: index) }, .engine(code: 25))
                expect(fault { try statement.bind("x", at: index) }, .engine(code: 25))
                expect(fault { try statement.bindNull(at: index) }, .engine(code: 25))
            }
            expect(statement.placeholderCount, 1)
        }
    }

    @Test func `binding while the statement is on a row throws`() throws {
        try withConnection { connection throws in
            let statement = try connection.prepare("SELECT ? UNION ALL SELECT 2")
            try statement.bind(1 as Int64, at: 1)
            #expect(try statement.step())
            expect(fault { try statement.bind(3 as Int64, at: 1) }, .engine(code: 21))
        }
    }

    @Test func `a statement accepts thirty thousand values`() throws {
        try withConnection { connection throws in
            let count = 30_000
            let list = Array(repeating: "(?)", count: count).joined(separator: ",")
            let statement = try connection.prepare(SQL(raw: "SELECT count(*), sum(column1) FROM (VALUES \(list))"))
            expect(statement.placeholderCount, count)
            for index in 1...count { try statement.bind(Int64(index), at: Int32(index)) }
            #expect(try statement.step())
            expect(statement.integer(0), Int64(count))
            expect(statement.integer(1), Int64(count * (count + 1) / 2))
        }
    }
}
