import TestSupport
import Testing

@testable import StoreEngine

/// Lists for `json_each` contain exactly the given values, or are an error.
struct JSONListTests {
    @Test func `each kind of value has its JSON form`() throws {
        let list = try JSONList([
            .null, .integer(.min), .real(1.5), .real(-.infinity), .real(Double.leastNonzeroMagnitude),
            .text("a\"\\\u{1}é\u{2028}"),
            .text(""),
        ])
        expect(list.text, "[null,-9223372036854775808,1.5,-9e999,5e-324,\"a\\\"\\\\\\u0001é\u{2028}\",\"\"]")
        try expect(JSONList([]).text, "[]")
    }

    @Test func `values that JSON cannot represent are faults`() {
        for value in [DatabaseValue.blob([1]), .text("a\0b"), .real(.nan)] {
            #expect(throws: ValueFault.self) { try JSONList([.integer(1), value]) }
        }
    }

    @Test func `reading the cell of a value returns the value unchanged`() throws {
        let values: [DatabaseValue] = [
            .null, .integer(.max), .real(-0.0), .real(.infinity), .text("a\0é"), .text(""), .blob([]), .blob([0, 255]),
        ]
        for value in values {
            let read = try value.withCell { (cell) throws(ValueFault) in try cell.value() }
            expect(read, value)
        }
    }
}
