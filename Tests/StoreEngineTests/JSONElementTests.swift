import StoreEngine
import TestSupport
import Testing

/// `po_json_count` and `po_json_has` query lists in JSON.
struct JSONElementTests {
    private func run(_ call: String, _ arguments: DatabaseValue...) throws -> DatabaseValue {
        try withConnection { connection throws in
            let statement = try connection.statement(SQL(raw: "SELECT \(call)"))
            defer { statement.finish() }
            statement.beginBinding()
            for (place, argument) in arguments.enumerated() { try statement.bind(argument, at: Int32(place) + 1) }
            _ = try statement.step()
            return try statement.column(0).value()
        }
    }

    @Test(
        arguments: [
            ("[]", 0), ("[1]", 1), (#"[1,[2,3],{"a":[4]}]"#, 3), ("{}", 0), (#"{"a":1,"b":{"c":2}}"#, 2),
            (" [ 1 , 2 ] ", 2),
        ] as [(String, Int64)])
    func `the elements of a list or an object are counted`(json: String, count: Int64) throws {
        try expect(run("po_json_count(?)", .text(json)), .integer(count))
        try expect(run("po_json_count(?, 'k')", .blob(Array("{\"k\":\(json)}".utf8))), .integer(count))
    }

    @Test func `a value that is not a list has no count and no elements`() throws {
        for json in ["1", "\"a\"", "null", "{}", #"{"k":null}"#, #"{"k":3}"#] {
            try expect(run("po_json_count(?, 'k')", .text(json)), .null)
            try expect(run("po_json_has(?, '3', 'k')", .text(json)), .integer(0))
        }
        try expect(run("po_json_count(NULL)"), .null)
        try expect(run("po_json_has(NULL, '1')"), .integer(0))
    }

    @Test(
        arguments: [
            ("[1,2]", "2", true), ("[1,2]", "2.0", true), ("[20e-1]", "2", true), ("[0.1]", "0.10", true),
            ("[-0]", "0", true), ("[1]", "-1", false), ("[12345678901234567890.5]", "12345678901234567890.4", false),
            (#"["a"]"#, #""\u0061""#, true), (#"["a"]"#, #""b""#, false), ("[\"1\"]", "1", false),
            ("[true]", "1", false),
            ("[null]", "null", true), (#"[{"a":1,"b":[2]}]"#, #"{"b":[2],"a":1}"#, true),
            (#"[{"a":1}]"#, #"{"a":1,"b":null}"#, false), ("[[1,2]]", "[2,1]", false), ("[[1,2]]", "[1, 2]", true),
            (#"{"x":5}"#, "5", true), (#"{"5":1}"#, "5", false), ("[100]", "1e2", true),
            ("[10e9223372036854775807]", "10e9223372036854775807", true), ("[1e-9223372036854775808]", "1", false),
            (#"["\ud800\n"]"#, #""\ud800\n""#, true), (#"["\ud800\n"]"#, #""\ud800n""#, false),
        ] as [(String, String, Bool)])
    func `elements are found by their value, not their spelling`(list: String, element: String, isThere: Bool) throws {
        try expect(run("po_json_has(?, ?)", .text(list), .text(element)), .integer(isThere ? 1 : 0))
    }

    @Test(arguments: ["[1", "[1 2]", "[,", "{\"a\":1", "{1:2}", "[x]", "[\u{1}]"])
    func `a string that is not valid JSON is rejected`(list: String) {
        #expect(throws: StoreError.self) { try run("po_json_has(?, '7')", .text(list)) }
    }

    @Test func `an argument that is not JSON and excessive nesting are rejected`() {
        #expect(throws: StoreError.self) { try run("po_json_count(1)") }
        let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
        #expect(throws: StoreError.self) { try run("po_json_has(?, '1')", .text(deep)) }
    }
}
