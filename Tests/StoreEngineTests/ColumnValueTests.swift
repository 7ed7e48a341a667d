import Foundation
@_spi(Columns) import StoreEngine
import TestSupport
import Testing

@Suite struct ColumnValueTests {
    private func withRow<R>(_ sql: String, _ body: (Statement) throws -> R) throws -> R {
        try withConnection { connection throws in
            let statement = try connection.prepare(SQL(raw: sql))
            #expect(try statement.step())
            return try body(statement)
        }
    }

    @Test func `each accessor reads only its own storage class`() throws {
        try withRow("SELECT NULL, 7, 1.5, 'x', x'01'") { row throws in
            let classes: [StorageClass] = [.null, .integer, .real, .text, .blob]
            for (place, expected) in classes.enumerated() {
                check(row.column(Int32(place)), expected)
                check(row.columns[Int32(place)], expected)
            }
        }
    }

    private func check(_ column: some RowColumn, _ expected: StorageClass) {
        expect(column.storageClass, expected)
        expect(column.isNull, expected == .null)
        expect(column.integer, expected == .integer ? 7 : nil)
        expect(column.real, expected == .real ? 1.5 : nil)
        expect(column.byteCount, expected == .text || expected == .blob ? 1 : 0)
        let text = fault { _ = try column.text() }
        expect(text, expected == .text ? nil : .typeMismatch(expected: "TEXT", found: expected))
        let blob = fault { _ = try column.withBlob { $0.count } }
        expect(blob, expected == .blob ? nil : .typeMismatch(expected: "BLOB", found: expected))
    }

    @Test(arguments: 1...5)
    func `the columns are the same where only the last one is asked for`(_ count: Int) throws {
        try withRow("SELECT NULL, 7, 1.5, 'x', x'01'") { row throws in
            guard let columns = row.columns(from: row.firstColumn, count: count) else { return }
            let classes: [StorageClass] = [.null, .integer, .real, .text, .blob]
            for (place, expected) in classes.prefix(count).enumerated() { check(columns[Int32(place)], expected) }
        }
    }

    @Test func `columns beyond the row's last are NULL`() throws {
        try withRow("SELECT 1, 2, 3") { row throws in
            guard let columns = row.columns(from: row.firstColumn, count: 5) else { return }
            expect(columns[2].integer, 3)
            #expect(columns[3].isNull && columns[4].isNull)
        }
    }

    @Test func `reading converts nothing: a string of digits is not a number, nor a number a string`() throws {
        try withRow("SELECT '12', 12, 12.0, 3.7, 1e300, 9223372036854775807") { row throws in
            #expect(row.column(0).integer == nil)
            #expect(row.column(0).real == nil)
            #expect(row.column(1).real == nil)
            #expect(row.column(2).integer == nil)
            #expect(row.column(3).integer == nil)
            #expect(row.column(4).integer == nil)
            expect(row.column(5).integer, .max)
        }
    }

    @Test func `a column index that does not exist reads as NULL`() throws {
        try withRow("SELECT 1") { row throws in
            expect(row.columnCount, 1)
            #expect(row.column(1).isNull)
            #expect(row.column(-1).isNull)
        }
    }

    @Test(arguments: ["ff", "c3", "eda080", "f4908080", "c080", "61ff", "6100ff", "ff0061", "e28228", "80"])
    func `a string that is not valid UTF-8 is a fault and is never repaired`(_ hex: String) throws {
        try withRow("SELECT CAST(x'\(hex)' AS TEXT)") { row throws in
            expect(row.column(0).storageClass, .text)
            expect(fault { _ = try row.column(0).text() }, .invalidText)
            expect(fault { _ = try row.column(0).value() }, .invalidText)
        }
    }

    @Test func `valid UTF-8 of all lengths is read, with NUL at either end`() throws {
        try withRow("SELECT CAST(x'c3a9e282acf09f8e89' AS TEXT), CAST(x'006100' AS TEXT), CAST(x'00' AS TEXT), ''") {
            row throws in
            try expect(row.column(0).text(), "é€🎉")
            try expect(row.column(1).text(), "\0a\0")
            try expect(row.column(2).text(), "\0")
            #expect(try row.column(3).text().isEmpty)
        }
    }

    @Test func `an empty blob has no bytes and is not NULL`() throws {
        try withRow("SELECT x'', zeroblob(3)") { row throws in
            try expect(row.column(0).withBlob { $0.count }, 0)
            try expect(row.column(0).value(), .blob([]))
            try expect(row.column(1).value(), .blob([0, 0, 0]))
        }
    }
}
