import Foundation
import PersistentObjects
import TestSupport
import Testing

/// Values that other programs have written are read exactly, or are an error with its place. They are never replaced
/// by a default or approximated.
@Suite struct StrangeValueTests {
    final class Sample: PersistentObject {
        override class var tableName: String { "sample" }
        var number = 0
        var small: Int8 = 0
        var flag = false
        var real = 0.0
        var text = ""
        var bytes: [UInt8] = []
        var list = Lists()
    }

    /// A Codable value whose column holds JSON.
    struct Lists: Codable {
        var values: [String: [Int]] = [:]

        init() {}
        init(from decoder: any Decoder) throws {
            values = try decoder.singleValueContainer().decode([String: [Int]].self)
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(values)
        }
    }

    /// A store whose table is not STRICT, with one row in which a column holds the value.
    private func reading(_ column: String, _ value: String) throws -> TemporaryStore {
        let file = try TemporaryStore()
        _ = try file.sqlite(
            """
            CREATE TABLE sample (id INTEGER PRIMARY KEY AUTOINCREMENT, number INTEGER DEFAULT 1, small INTEGER DEFAULT 1,
                flag INTEGER DEFAULT 1, real REAL DEFAULT 1, text TEXT DEFAULT 'x', bytes BLOB DEFAULT x'01',
                list BLOB DEFAULT x'7b7d');
            INSERT INTO sample (id, \(column)) VALUES (7, \(value));
            """)
        return file
    }

    private static let refused: [(property: String, value: String)] = [
        ("number", "'x12'"), ("number", "''"), ("number", "x'01'"), ("number", "3.7"),
        ("number", "1e300"), ("number", "9e999"), ("number", "9223372036854775808"),
        ("small", "128"), ("small", "-129"), ("small", "9223372036854775807"), ("small", "0.5"),
        ("flag", "2"), ("flag", "-1"), ("flag", "'true'"),
        ("real", "'abc'"), ("real", "x''"),
        ("text", "x'78'"), ("text", "CAST(x'ff' AS TEXT)"), ("text", "CAST(x'6180' AS TEXT)"),
        ("bytes", "'text'"), ("bytes", "7"),
        ("list", "CAST('{' AS BLOB)"), ("list", "CAST('[]' AS BLOB)"), ("list", "x''"), ("list", "'{}'"),
        ("list", "CAST('{\"a\": [1, \"b\"]}' AS BLOB)"), ("list", "CAST('{\"a\": [1e99]}' AS BLOB)"), ("list", "x'ff'"),
    ]

    @Test(arguments: refused)
    func `a value that the property cannot hold throws an error with class, property and row`(
        _ property: String, _ value: String
    ) throws {
        let file = try reading(property, value)
        let before = try file.sqlite("SELECT typeof(\(property)), hex(\(property)) FROM sample")
        try file.open(configuration: .quiet).withSession { _ throws in
            for find in [{ _ = try Sample.all() }, { _ = try Sample.find(7) }] as [() throws -> Void] {
                let error = try #require(throws: StoreError.self) { try find() }
                #expect(error.code == .typeMismatch)
                #expect(error.className == "Sample")
                #expect(error.property == property)
                #expect(error.rowID == 7)
                #expect(!"\(error)".contains("\n"))
            }
            // The session remains usable.
            #expect(try Sample.count() == 1)
            let new = Sample()
            try new.save()
            #expect(try Sample.find(8) === new)
        }
        #expect(try file.sqlite("SELECT typeof(\(property)), hex(\(property)) FROM sample WHERE id = 7") == before)
    }

    @Test(arguments: ["number", "flag", "real", "text", "bytes", "list"])
    func `NULL in a column that the library did not create becomes the initial value`(_ property: String) throws {
        let file = try reading(property, "NULL")
        try file.open(configuration: .quiet).withSession { _ throws in #expect(try Sample.find(7) != nil) }
        try expect(file.sqlite("SELECT \(property) IS NULL FROM sample"), "0")
    }

    @Test func `the extreme values of a type are read`() throws {
        let file = try reading("number", "-9223372036854775808")
        _ = try file.sqlite("UPDATE sample SET small = -128, real = 9e999, flag = 0")
        try file.open(configuration: .quiet).withSession { _ throws in
            let sample = try #require(try Sample.find(7))
            #expect(sample.number == .min && sample.small == -128 && sample.real == .infinity && !sample.flag)
        }
    }

    @Test func `a row that cannot be read does not affect other rows`() throws {
        let file = try reading("number", "1")
        _ = try file.sqlite("INSERT INTO sample (id, number) VALUES (8, 'bad'), (9, 3)")
        try file.open(configuration: .quiet).withSession { _ throws in
            let first = try #require(try Sample.find(7))
            #expect(throws: StoreError.self) { _ = try Sample.all() }
            #expect(try Sample.find(7) === first)
            try expect(Sample.find(9)?.number, 3)
            try expect(Sample.findByCriteria("WHERE id <> 8").count, 2)
        }
    }

    @Test func `reading a truncated Codable column throws, wherever it is truncated`() throws {
        let whole = "{\"a\":[1,2,3],\"b\":[]}"
        let file = try reading("list", "CAST('\(whole)' AS BLOB)")
        try file.open(configuration: .quiet).withSession { _ throws in
            try expect(Sample.find(7)?.list.values, ["a": [1, 2, 3], "b": []])
        }
        for count in 0..<whole.count {
            let file = try reading("list", "CAST('\(whole.prefix(count))' AS BLOB)")
            try file.open(configuration: .quiet).withSession { _ throws in
                expect(code(of: { _ = try Sample.find(7) }), .typeMismatch, "\(count)")
            }
        }
    }

    @Test func `large values read back unchanged`() throws {
        try withTemporarySession(.quiet) { _, file throws in
            let joe = person(String(repeating: "é", count: 500_000))
            let size = Scale.of(100_000_000)
            joe.picture = [UInt8](repeating: 7, count: size)
            try joe.save()
            try expect(file.sqlite("SELECT length(last_name), length(picture) FROM person"), "500000|\(size)")
            try joe.reload()
            #expect(joe.picture.count == size && joe.picture[size - 1] == 7)
            #expect(try Person.findByLastName(joe.lastName).first === joe)
        }
    }
}
