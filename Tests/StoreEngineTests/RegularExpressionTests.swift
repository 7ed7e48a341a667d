import StoreEngine
import TestSupport
import Testing

/// `X REGEXP Y`.
@Suite struct RegularExpressionTests {
    private func matches(_ text: DatabaseValue, _ pattern: DatabaseValue) throws -> DatabaseValue {
        try withConnection { connection in try connection.value(of: "SELECT ? REGEXP ?", text, pattern) }
    }

    @Test(
        arguments: [
            ("Joe Smith", "Smi", true), ("Joe Smith", "^Smi", false), ("Joe Smith", "smi", false),
            ("Joe Smith", "(?i)smi", true), ("Joe Smith", "^J.* S", true), ("", "", true), ("", "^$", true),
            ("abc", "", true), ("a\nb", "^b", false), ("a\nb", "(?m)^b", true), ("Zürich", "Z.rich$", true),
            ("e\u{301}", "^.$", false), ("é", "^.$", true), ("é", "e\u{301}", false), ("👍🏽", "^..$", true),
            ("ΣΑΣ", #"\p{Lu}{3}"#, true), ("a\0b", "b$", true), ("2026-11-21", #"^\d{4}-\d\d"#, true),
            ("aa", #"(.)\1"#, true), ("ab", #"(.)\1"#, false), ("x", "[", nil), ("x", "(", nil), ("x", "*", nil),
            ("x", #"\"#, nil), ("x", "(?<=a*)b", nil),
        ] as [(String, String, Bool?)])
    func `REGEXP is true if the pattern is found anywhere`(text: String, pattern: String, isFound: Bool?) throws {
        guard let isFound else {
            let error = try #require(throws: StoreError.self) { _ = try matches(.text(text), .text(pattern)) }
            expect(error.code, .misuse)
            expect(error.message, "regexp: The pattern is not a regular expression (in ICU syntax)")
            return
        }
        try expect(matches(.text(text), .text(pattern)), .integer(isFound ? 1 : 0))
    }

    @Test func `NULL gives NULL, and an argument that is not a string is rejected`() throws {
        try expect(matches(.null, .text("a")), .null)
        try expect(matches(.text("a"), .null), .null)
        try expect(matches(.null, .null), .null)
        try expect(matches(.null, .text("(")), .null)
        for value in [.integer(1), .real(1), .blob([0x61])] as [DatabaseValue] {
            let error = try #require(throws: StoreError.self) { _ = try matches(value, .text("a")) }
            expect(error.message, "regexp: Argument 2 is \(value.storageClass), expected TEXT")
            let other = try #require(throws: StoreError.self) { _ = try matches(.text("a"), value) }
            expect(other.message, "regexp: Argument 1 is \(value.storageClass), expected TEXT")
        }
    }

    @Test func `the pattern can be a column`() throws {
        try withConnection { connection throws in
            try connection.run("CREATE TABLE t (x, pattern)")
            try connection.run("INSERT INTO t VALUES ('abc', 'b'), ('abc', 'd'), ('d', 'd'), ('abc', NULL)")
            try expect(connection.scalar("SELECT count(*) FROM t WHERE x REGEXP pattern"), .integer(2))
            try expect(connection.scalar("SELECT count(*) FROM t WHERE NOT x REGEXP pattern"), .integer(1))
        }
    }

    @Test func `a pattern that exceeds the memory limit throws instead of not matching`() throws {
        let long = String(repeating: "ab\n", count: 1_000_000) + "x"
        let error = try #require(throws: StoreError.self) { _ = try matches(.text(long), .text(#"(a|b|\n)*x"#)) }
        expect(error.message, "regexp: The pattern needs too much memory for a string of 3000001 bytes")
        try expect(matches(.text(long), .text("x$")), .integer(1))
    }

    @Test(
        arguments: Scale.cases([
            ("(a|aa)+$", String(repeating: "a", count: 40) + "b"), ("(a*)*b", String(repeating: "a", count: 40)),
            ("(a+)+$", String(repeating: "a", count: 60) + "!"),
        ]))
    func `a pattern that needs too many steps throws`(pattern: String, text: String) throws {
        let error = try #require(throws: StoreError.self) { _ = try matches(.text(text), .text(pattern)) }
        #expect(error.message.hasPrefix("regexp: The pattern needs too many steps for a string of \(text.count) bytes"))
        let whole = try WholePattern(pattern)
        #expect(throws: (any Error).self) { _ = try whole.matches(text) }
        try expect(whole.matches("aab"), pattern == "(a*)*b")
    }

    @Test func `long strings are searched to their end`() throws {
        let long = String(repeating: "ab ", count: 1_000_000)
        try expect(matches(.text(long + "x"), .text("[xyz]$")), .integer(1))
        try expect(matches(.text(long), .text("[xyz]$")), .integer(0))
    }

    @Test func `running a statement again uses the new pattern`() throws {
        try withConnection { connection throws in
            for (pattern, isFound) in [("a", 1), ("b", 0), ("a", 1)] as [(String, Int64)] {
                let found = try connection.value(of: "SELECT 'xax' REGEXP ?", .text(pattern))
                expect(found, .integer(isFound))
            }
        }
    }
}
