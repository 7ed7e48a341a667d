import Foundation
import PersistentObjects
import PersistentTransfer
import TestSupport
import Testing

/// Half of a UTF-16 surrogate pair is not a character. Programs with UTF-16 strings may write it nevertheless, as the
/// bytes ED A0 80 or as `\ud800` in JSON. It must be an error with its place, never a crash or a different string.
@Suite struct SurrogateTests {
    enum Kind: String { case plain }

    /// A Codable value whose column holds JSON.
    struct Notes: Codable, Equatable { var lines: [String: String] = ["a": "b"] }

    final class Sample: PersistentObject {
        override class var tableName: String { "sample" }
        var text = "text"
        var maybe: String? = "maybe"
        var kind = Kind.plain
        var sign: Character = "s"
        var link: URL? = URL(string: "https://example.org")
        var amount: Decimal = 1
        var notes = Notes()
        var tags = ["tag"]
        var marks: Set<String> = ["mark"]
        var counts = ["one": 1]
        var names = ["one": "name"]
        var number = 1
    }

    final class Keyed: PersistentObject {
        override class var tableName: String { "keyed" }
        override class var identity: Identity { .string }
        var number = 1
        var other: Keyed?
    }

    /// Calls `body` with a store that holds two samples, the first of which another program has changed.
    private func withSample(_ change: String, _ body: (Session, TemporaryStore) throws -> Void) throws {
        let file = try TemporaryStore()
        try file.open(configuration: .quiet).withSession { session throws in try session.save([Sample(), Sample()]) }
        _ = try file.sqlite(change)
        let before = try file.sqlite(".dump")
        try file.open(configuration: .quiet).withSession { session throws in try body(session, file) }
        try expect(file.sqlite(".dump"), before)
    }

    private static let half = "CAST(x'61eda08062' AS TEXT)"
    private static let rawJSON = "CAST('{\"lines\":{\"a\":\"' || \(half) || '\"}}' AS BLOB)"
    private static func escaped(_ text: String) -> String { "CAST('{\"lines\":{\"a\":\"\(text)\"}}' AS BLOB)" }

    private static let changes: [(property: String, change: String)] = [
        ("text", "UPDATE sample SET text = \(half) WHERE id = 1"),
        ("text", "UPDATE sample SET text = CAST(x'edbfbf' AS TEXT) WHERE id = 1"),
        // A surrogate pair in six bytes is not valid UTF-8.
        ("text", "UPDATE sample SET text = CAST(x'eda0bdedb082' AS TEXT) WHERE id = 1"),
        ("text", "UPDATE sample SET text = CAST(x'00eda080' AS TEXT) WHERE id = 1"),
        ("text", "UPDATE sample SET text = json_extract('\"\\ud800\"', '$') WHERE id = 1"),
        ("maybe", "UPDATE sample SET maybe = \(half) WHERE id = 1"),
        ("kind", "UPDATE sample SET kind = \(half) WHERE id = 1"),
        ("sign", "UPDATE sample SET sign = CAST(x'eda080' AS TEXT) WHERE id = 1"),
        ("link", "UPDATE sample SET link = \(half) WHERE id = 1"),
        ("amount", "UPDATE sample SET amount = \(half) WHERE id = 1"),
        ("notes", "UPDATE sample SET notes = \(rawJSON) WHERE id = 1"),
        ("notes", "UPDATE sample SET notes = \(escaped("\\ud800")) WHERE id = 1"),
        ("notes", "UPDATE sample SET notes = \(escaped("\\udc00\\ud800")) WHERE id = 1"),
        ("notes", "UPDATE sample SET notes = \(escaped("\\ud800\\u0041")) WHERE id = 1"),
        ("tags", "UPDATE sample_tags SET value = \(half) WHERE owner_id = 1"),
        ("marks", "UPDATE sample_marks SET value = \(half) WHERE owner_id = 1"),
        ("counts", "UPDATE sample_counts SET key = \(half) WHERE owner_id = 1"),
        ("names", "UPDATE sample_names SET value = \(half) WHERE owner_id = 1"),
    ]

    @Test(arguments: changes)
    func `reading a lone surrogate throws an error with class, property and row`(
        _ property: String, _ change: String
    ) throws {
        try withSample(change) { _, file throws in
            let ways: [() throws -> Void] = [
                { _ = try Sample.all().map(\.tags.count) }, { _ = try Sample.find(1) },
                { _ = try Sample.where { $0.number == 1 }.order(by: \.id).untracked().first() },
            ]
            for (place, way) in ways.enumerated() {
                let error = try #require(throws: StoreError.self, "way \(place)") { () throws in try way() }
                #expect(error.code == .typeMismatch, "way \(place)")
                #expect(error.className == "Sample" && error.property == property && error.rowID == 1, "way \(place)")
            }
            // Other rows can be read, and all rows can be counted.
            #expect(try Sample.find(2)?.text == "text" && Sample.count() == 2)
            let url = file.folder.appending(path: "samples")
            #expect(throws: (any Error).self) { try Store(file.path).export(Sample.self, to: url) }
        }
    }

    @Test func `a lone surrogate equals no string, and reading the column's values throws`() throws {
        let change = "UPDATE sample SET text = \(Self.half), maybe = \(Self.half) WHERE id = 1"
        try withSample(change) { session, _ throws in
            for text in ["\u{FFFD}", "a\u{FFFD}b", "a\u{FFFD}\u{FFFD}\u{FFFD}b", "ab"] {
                #expect(try Sample.where { $0.text == text }.count() == 0 && Sample.findByMaybe(text).isEmpty)
                #expect(try Sample.where { $0.text.contains(text) }.count() == 0)
            }
            #expect(code(of: { _ = try Sample.query.values(of: \.text) }) == .typeMismatch)
            #expect(code(of: { _ = try Sample.query.values(of: \.maybe) }) == .typeMismatch)
            #expect(code(of: { _ = try Sample.where { $0.id == 1 }.max(\.text) }) == .typeMismatch)
            #expect(throws: (any Error).self) { _ = try session.rows("SELECT text FROM sample WHERE id = 1") }
        }
    }

    @Test func `a lone surrogate in a key throws an error with the row`() throws {
        let file = try TemporaryStore()
        try file.open(configuration: .quiet).withSession { _ throws in
            let keyed = Keyed()
            try keyed.setKey("key")
            keyed.other = keyed
            try keyed.save()
        }
        _ = try file.sqlite("UPDATE keyed SET key = \(Self.half)")
        try file.open(configuration: .quiet).withSession { _ throws in
            let error = try #require(throws: StoreError.self) { () throws in _ = try Keyed.all() }
            #expect(error.code == .typeMismatch && error.className == "Keyed" && error.rowID == 1)
            #expect(try Keyed.find("a\u{FFFD}b") == nil && Keyed.find("key") == nil)
        }
    }

    @Test func `the replacement character that Swift makes of a lone surrogate is stored like any string`() throws {
        try withTemporarySession(.quiet) { _, file throws in
            let text = String(decoding: [0x61, 0xD800, 0x62] as [UInt16], as: UTF16.self)
            let sample = Sample()
            (sample.text, sample.maybe, sample.tags, sample.marks) = (text, text, [text], [text])
            (sample.counts, sample.names, sample.notes) = ([text: 1], [text: text], Notes(lines: [text: text]))
            try sample.save()
            try expect(file.sqlite("SELECT hex(text) FROM sample"), "61EFBFBD62")
            try sample.reload()
            #expect(!sample.hasChanges && sample.text == text && sample.maybe == text && sample.tags == [text])
            #expect(sample.names == [text: text] && sample.notes.lines == [text: text] && sample.counts == [text: 1])
            try expect(Sample.findByText(text), [sample])
            try expect(Sample(json: sample.json).notes, sample.notes)
        }
    }

    @Test(arguments: ["text", "maybe", "kind", "sign", "link", "notes", "tags", "marks", "counts", "names"])
    func `a lone surrogate in JSON is rejected, and no object is created`(_ property: String) throws {
        for half in [#"\ud800"#, #"\udc00"#, #"\ud800\ud800"#, #"\ud800\n"#] {
            let value =
                switch property {
                case "notes": #"{"lines":{"a":"\#(half)"}}"#
                case "tags", "marks": #"["\#(half)"]"#
                case "counts": #"{"\#(half)":1}"#
                case "names": #"{"a":"\#(half)"}"#
                default: "\"\(half)\""
                }
            let json = Data("{\"\(property)\":\(value)}".utf8)
            try withTemporarySession(.quiet) { session, file throws in
                #expect(throws: TransferError.self) { () throws in _ = try Sample(json: json) }
                let url = file.folder.appending(path: "samples.jsonl")
                try Data("{\"$class\":\"Sample\",\"\(property)\":\(value)}\n".utf8).write(to: url)
                #expect(throws: (any Error).self) { () throws in try session.store.import(Sample.self, from: url) }
                #expect(try Sample.count() == 0)
            }
        }
    }
}
