import StoreEngine
import TestSupport
import Testing

@Suite struct DatabaseValueTests {
    private static let distinct: [DatabaseValue] = [
        .null, .integer(0), .integer(1), .real(0), .real(-0.0), .real(1), .real(.infinity), .text(""), .text("0"),
        .text("é"), .text("e\u{301}"), .text("a"), .text("a\0"), .text("A"), .blob([]), .blob([0]), .blob([0x61]),
    ]

    @Test func `values are equal if and only if a column would hold the same bytes`() {
        for (place, value) in Self.distinct.enumerated() {
            for (other, different) in Self.distinct.enumerated() {
                expect(value == different, place == other, "\(value) and \(different)")
            }
        }
        expect(Set(Self.distinct).count, Self.distinct.count)
    }

    @Test func `equal values have equal hashes`() {
        // The same characters in different storage: small, large, and copied from a slice.
        let long = "a text that is longer than fifteen bytes"
        expect(DatabaseValue.text(long).hashValue, DatabaseValue.text(String(long.dropLast(0))).hashValue)
        expect(DatabaseValue.text("ab").hashValue, DatabaseValue.text(String(long.prefix(0)) + "ab").hashValue)
        expect(DatabaseValue.real(.nan), .real(.nan))
        expect(DatabaseValue.real(.nan).hashValue, DatabaseValue.real(.nan).hashValue)
    }

    @Test func `each value has its storage class`() {
        let values: [DatabaseValue] = [.null, .integer(1), .real(1), .text("1"), .blob([1])]
        expect(values.map(\.storageClass), [.null, .integer, .real, .text, .blob])
    }

    @Test(arguments: [
        ("a", "a", true), ("é", "e\u{301}", false), ("", "", true), ("a", "a\0", false), ("\0", "\0", true),
    ])
    func `strings are compared byte by byte`(_ a: String, _ b: String, _ isSame: Bool) {
        expect(a.hasSameUTF8(as: b), isSame)
        expect(b.hasSameUTF8(as: a), isSame)
    }
}
