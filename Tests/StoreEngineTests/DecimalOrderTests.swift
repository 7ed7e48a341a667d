import StoreEngine
import TestSupport
import Testing

/// `COLLATE po_decimal` sorts strings of digits as numbers.
struct DecimalOrderTests {
    /// Compares two strings in SQL.
    private static func order(_ a: String, _ b: String, _ connection: SQLiteConnection) throws -> String {
        let sql = """
            SELECT CASE WHEN ?1 = ?2 COLLATE po_decimal THEN '=' WHEN ?1 < ?2 COLLATE po_decimal THEN '<' ELSE '>' END
            """
        guard case .text(let text) = try connection.value(of: sql, .text(a), .text(b)) else { return "" }
        return text
    }

    @Test func `numbers sort by value, however they are written, and before strings that are not numbers`() throws {
        // From least to greatest; the strings in a line are equal.
        let lines = [
            ["-" + String(repeating: "9", count: 200)], ["-10", "-010.00"], ["-9.5"], ["-0.01", "-.01"],
            ["0", "-0", "+0", "00", "0.0", "-.000", "0."], ["0.0000000000000000000000000000000000000000000000001"],
            ["0.5", ".5", "+0.50"], ["1", "1.", "01"], ["1.05"], ["1.5"], ["9"], ["10"], ["12345678901234567890.1"],
            ["12345678901234567890.10000000000000000000000000000000000000000001"],
            ["1" + String(repeating: "0", count: 300)],
            // The rest sorts byte by byte.
            [""], ["+"], ["-"], ["."], ["1.2.3"], ["1e5"], ["Infinity"], ["x"], ["٣"],
        ]
        try withConnection { connection throws in
            for (first, as_) in lines.enumerated() {
                for (second, bs) in lines.enumerated() {
                    let wanted = first == second ? "=" : first < second ? "<" : ">"
                    for a in as_ {
                        for b in bs { try expect(Self.order(a, b, connection), wanted, "\(a) and \(b)") }
                    }
                }
            }
        }
    }

    @Test(arguments: SeededGenerator.seeds(20))
    func `random numbers sort like their digits aligned at the decimal point`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        func digits(_ most: Int) -> String {
            String(
                (0..<Int.random(in: 0...most, using: &random)).map { _ in "00159".randomElement(using: &random) ?? "0" }
            )
        }
        try withConnection { connection throws in
            for _ in 0..<200 {
                // Integers with the same number of digits sort like their strings.
                let (a, b) = ((digits(3) + "1", digits(3)), (digits(3) + "1", digits(3)))
                func aligned(_ number: (String, String)) -> String {
                    String(repeating: "0", count: 4 - number.0.count) + number.0 + number.1
                        + String(repeating: "0", count: 3 - number.1.count)
                }
                let (x, y) = (aligned(a), aligned(b))
                let wanted = x == y ? "=" : x < y ? "<" : ">"
                try expect(Self.order("\(a.0).\(a.1)", "\(b.0).\(b.1)", connection), wanted)
                let opposite = x == y ? "=" : x < y ? ">" : "<"
                try expect(Self.order("-\(a.0).\(a.1)", "-\(b.0).\(b.1)", connection), opposite)
            }
        }
    }
}
