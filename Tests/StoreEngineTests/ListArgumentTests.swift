import StoreEngine
import TestSupport
import Testing

/// Lists passed as one argument, and `po_value`, which decodes their elements.
@Suite struct ListArgumentTests {
    private static let edges: [DatabaseValue] = [
        .null, .integer(0), .integer(.min), .integer(.max), .integer(-1), .real(0), .real(-0.0), .real(0.1),
        .real(.infinity), .real(-.infinity), .real(.leastNonzeroMagnitude), .real(.greatestFiniteMagnitude),
        .real(9_007_199_254_740_991),
        .text(""), .text("a"), .text("7"), .text("n"), .text("t"), .text("\0"), .text("a\0"), .text("\0\0b"),
        .text("\"\\/\u{8}\u{1F}\u{7F}\n\t"), .text("é"), .text("e\u{301}"), .text("👍🏽\u{2028}"), .text("null"),
        .blob([]), .blob([0]), .blob([0x61, 0xFF, 0]),
    ]

    @Test func `a tagged list of numbers, blobs and NULL is decoded, and other lists are not`() {
        let values: [DatabaseValue] = [
            .null, .integer(.min), .real(-0.5), .real(.infinity), .blob([]), .blob([0, 255]),
        ]
        expect(ListArgument.values(ofTagged: ListArgument.tagged(values)), values)
        expect(ListArgument.values(ofTagged: ListArgument.json(of: [.real(1)]).text), [.real(1)])
        expect(ListArgument.values(ofTagged: ListArgument.tagged([])), [])
        for other in ["", "[1,2]", ListArgument.tagged([.text("a")]), "[\"r\"]", "[\"x7\"]"] {
            #expect(ListArgument.values(ofTagged: other) == nil, "\(other)")
        }
    }

    private static func random(_ generator: inout SeededGenerator) -> DatabaseValue {
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: return .integer(Int64.random(in: .min ... .max, using: &generator))
        case 1:
            let number = Double(bitPattern: generator.next())
            return .real(number.isNaN ? 1 : number)
        case 2:
            let scalars = (0..<Int.random(in: 0...9, using: &generator)).compactMap { _ in
                Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &generator))
            }
            return .text(scalars.reduce(into: "") { $0.unicodeScalars.append($1) })
        case 3:
            let count = Int.random(in: 0...9, using: &generator)
            return .blob((0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) })
        default: return edges.randomElement(using: &generator) ?? .null
        }
    }

    /// Returns the elements that SQLite reads from the list.
    private func elements(_ values: [DatabaseValue], _ connection: SQLiteConnection) throws -> [DatabaseValue] {
        let (text, needsDecoding) = ListArgument.json(of: values)
        let value = needsDecoding ? "po_value(value)" : "value"
        let statement = try connection.statement(SQL(raw: "SELECT \(value) FROM json_each(?) ORDER BY key"))
        defer { statement.finish() }
        statement.beginBinding()
        try statement.bind(text, at: 1)
        var found: [DatabaseValue] = []
        while try statement.step() { found.append(try statement.column(0).value()) }
        return found
    }

    @Test func `each value reads back bit for bit, alone and together with other values`() throws {
        try withConnection { connection throws in
            for value in Self.edges {
                try expect(elements([value], connection), [value], "\(value)")
                try expect(elements([.null, value], connection), [.null, value], "\(value)")
            }
            try expect(elements(Self.edges, connection), Self.edges)
            try expect(elements([], connection), [])
            var generator = SeededGenerator(seed: 3)
            for round in 0..<300 {
                let values = (0..<Int.random(in: 0...20, using: &generator)).map { _ in Self.random(&generator) }
                try expect(elements(values, connection), values, "round \(round)")
            }
        }
    }

    @Test func `a list can have a hundred thousand elements`() throws {
        var generator = SeededGenerator(seed: 4)
        let values = (0..<100_000).map { _ in Self.random(&generator) }
        let numbers = (0..<100_000).map { _ in DatabaseValue.integer(Int64(bitPattern: generator.next())) }
        try withConnection { connection throws in
            try expect(elements(values, connection), values)
            try expect(elements(numbers, connection), numbers)
        }
    }

    @Test func `integers and strings are stored as they are, and any other value tags all elements`() {
        func json(_ values: DatabaseValue...) -> String {
            let (text, needsDecoding) = ListArgument.json(of: values)
            return needsDecoding ? "* \(text)" : text
        }
        expect(json(), "[]")
        #expect(json(.integer(-7), .text("a\"\n")) == #"[-7,"a\"\n"]"#)
        #expect(json(.integer(-7), .text("a\"\n"), .null) == #"* ["i-7","ta\"\n","n"]"#)
        expect(json(.text("J\0"), .text("J")), #"* ["u4a00","tJ"]"#)
        expect(json(.real(1), .blob([]), .blob([0, 255])), #"* ["r3ff0000000000000","b","b00ff"]"#)
    }

    @Test func `a query by a list finds the values of the list and no other values`() throws {
        try withConnection { connection throws in
            try connection.run("CREATE TABLE t (x)")
            let insert = try connection.prepare("INSERT INTO t VALUES (?)")
            let values: [DatabaseValue] = [.real(0.1), .text("a\0"), .text("a"), .blob([0x61]), .integer(1), .null]
            for value in values {
                insert.beginBinding()
                try insert.bind(value, at: 1)
                try insert.run()
            }
            let sql = "SELECT count(*) FROM t WHERE x IN (SELECT po_value(value) FROM json_each(?))"
            for value in values {
                let list = ListArgument.json(of: [value, .real(99)]).text
                let isNull = value == .null
                try expect(connection.value(of: sql, .text(list)), .integer(isNull ? 0 : 1), "\(value)")
            }
        }
    }

    @Test(arguments: [
        "", "x", "n1", "i", "i1.5", "i9223372036854775808", "i 1", "r", "r3ff", "r3ff00000000000000",
        "rzzzzzzzzzzzzzzzz",
        "b1", "bGG", "u4", "uff", "u+1", "r7ff8000000000000",
    ])
    func `an element with an invalid tag is rejected`(element: String) throws {
        try withConnection { connection throws in
            let error = try #require(throws: StoreError.self) {
                _ = try connection.value(of: "SELECT po_value(?)", .text(element))
            }
            #expect(error.message.hasPrefix("po_value: "))
        }
    }

    @Test func `reading a NaN element throws`() throws {
        try withConnection { connection throws in
            let error = try #require(throws: StoreError.self) { _ = try elements([.real(.nan)], connection) }
            expect(error.message, "po_value: the result is NaN, which SQLite cannot represent")
        }
    }
}
