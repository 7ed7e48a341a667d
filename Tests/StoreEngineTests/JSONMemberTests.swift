import StoreEngine
import TestSupport
import Testing

/// `po_json` reads one value from a document, without loss.
struct JSONMemberTests {
    private func value(_ document: DatabaseValue, _ keys: String...) throws -> DatabaseValue {
        let places = Array(repeating: "?", count: keys.count + 1).joined(separator: ", ")
        return try withConnection { connection throws in
            let arguments = [document] + keys.map { DatabaseValue.text($0) }
            let statement = try connection.statement(SQL(raw: "SELECT po_json(\(places))"))
            defer { statement.finish() }
            statement.beginBinding()
            for (place, argument) in arguments.enumerated() { try statement.bind(argument, at: Int32(place) + 1) }
            _ = try statement.step()
            return try statement.column(0).value()
        }
    }

    static let documents: [(String, DatabaseValue)] = [
        (#"{"a":1}"#, .integer(1)), (#" { "b" : [1,{"a":2}] , "a" : "x" } "#, .text("x")),
        (#"{"b":{"a":{}},"a":true}"#, .integer(1)), (#"{"a":false}"#, .integer(0)), (#"{"a":null}"#, .null),
        (#"{"a":0.1}"#, .real(0.1)), (#"{"a":-1e-3}"#, .real(-0.001)), (#"{"a":{}}"#, .null), (#"{"a":[1]}"#, .null),
        (#"{"A":1}"#, .null), ("{}", .null), ("[1]", .null), ("7", .null),
        (#"{"b":"}{,\"","a":3}"#, .integer(3)), (#"{"\u0061":9223372036854775807}"#, .integer(.max)),
        (#"{"a":9223372036854775808}"#, .real(0x1p63)),
        (#"{"a":"\"\\\/\b\f\n\r\t\u0000\u00e9\ud83d\ude82é"}"#, .text("\"\\/\u{8}\u{c}\n\r\t\u{0}é🚂é")),
    ]

    @Test(arguments: documents) func `po_json reads the value of a key`(json: String, expected: DatabaseValue) throws {
        try expect(value(.text(json), "a"), expected)
        try expect(value(.blob(Array(json.utf8)), "a"), expected)
    }

    @Test func `po_json reads nested values, and the document itself`() throws {
        try expect(value(.text(#"{"a":{"x":1,"b\"":{"c":2.5}}}"#), "a", "b\"", "c"), .real(2.5))
        try expect(value(.text(#""all""#)), .text("all"))
        try expect(value(.null, "a"), .null)
    }

    @Test(arguments: [
        "", "{", #"{"a""#, #"{"a":"#, #"{"a":x}"#, #"{"a":"x"#, #"{"a":"\u12"}"#, #"{"b":[1"#, #"{"a" 1}"#,
        #"{"b":,"a":1}"#, #"{"a":"\"#,
    ])
    func `a document that is not valid JSON is rejected`(json: String) {
        #expect(throws: StoreError.self) { try value(.text(json), "a") }
    }

    @Test func `a number and invalid UTF-8 are rejected`() {
        #expect(throws: StoreError.self) { try value(.integer(1), "a") }
        #expect(throws: StoreError.self) { try value(.blob(Array("{\"a\":\"".utf8) + [0xFF] + Array("\"}".utf8)), "a") }
    }

    @Test func `a control character inside a container ends reading with an error`() {
        for document in ["{\"b\":[\u{1}],\"a\":1}", "{\"b\":{\"c\":\u{1f}},\"a\":1}", "{\"b\":[\u{0}"] {
            #expect(throws: StoreError.self) { try value(.blob(Array(document.utf8)), "a") }
        }
    }

    @Test func `a number reads back with all its digits`() throws {
        var random = SeededGenerator(seed: 1)
        try withConnection { connection throws in
            for _ in 0..<2000 {
                let number = Double(bitPattern: random.next())
                guard number.isFinite else { continue }
                let found = try connection.value(of: "SELECT po_json(?, 'a')", .text("{\"a\":\(number)}"))
                expect(found, .real(number))
            }
        }
    }
}
