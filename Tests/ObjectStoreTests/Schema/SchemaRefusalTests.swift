import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Tables, columns and conversions that do not match the class and cannot be changed: each is reported with its
/// location, and the file stays unchanged.
struct SchemaRefusalTests {
    enum Old {
        final class Row: PersistentObject {
            override class var tableName: String { "row" }
            var text = "seven"
            var number = 7
            var list: [Other] = []
        }
    }

    final class Other: PersistentObject { override class var tableName: String { "other" } }
    final class Third: PersistentObject { override class var tableName: String { "third" } }

    private func file() throws -> TemporaryStore {
        let file = try TemporaryStore()
        let store = try Store(file.path)
        try store.withSession { _ in try Old.Row().save() }
        store.close()
        return file
    }

    private func refusal(_ type: PersistentObject.Type, _ sql: String = "") throws -> SchemaError? {
        let file = try file()
        if !sql.isEmpty { _ = try file.sqlite(sql) }
        let before = try file.sqlite(".dump")
        let store = try Store(file.path)
        let error = #expect(throws: SchemaError.self) { try store.prepare(type) }
        store.close()
        try expect(file.sqlite(".dump"), before)
        return error
    }

    enum Tagged {
        final class Row: PersistentObject {
            override class var tableName: String { "row" }
            var text = ""
            var tags: [String] = []
        }
    }

    @Test(arguments: [
        ("CREATE TABLE row_tags (owner_id INTEGER, position INTEGER, value TEXT)", "does not belong to table \"row\""),
        ("CREATE VIEW row_tags AS SELECT 1 AS owner_id", "is a view"),
        (
            "CREATE TABLE row_tags (owner_id INTEGER REFERENCES row (id), word TEXT)",
            "does not have the columns of a collection, which tags needs"
        ),
    ])
    func `an unsuitable table in place of a collection's table is refused`(sql: String, reason: String) throws {
        try expect(refusal(Tagged.Row.self, sql), .unsuitableTable(className: "Row", table: "row_tags", reason: reason))
    }

    enum Relisted {
        final class Row: PersistentObject {
            override class var tableName: String { "row" }
            var list: [Third] = []
        }
    }

    @Test func `the elements of a collection cannot change to another class`() throws {
        try expect(
            refusal(Relisted.Row.self),
            .columnTypeDiffers(
                className: "Row", property: "list", column: "row_list.value_id",
                found: "INTEGER with ids of table \"other\"", wanted: .integer))
    }

    enum Referring {
        final class Row: PersistentObject {
            override class var tableName: String { "row" }
            @Column("text") var other: Other?
        }
    }

    @Test func `a string does not become a reference without a conversion`() throws {
        try expect(
            refusal(Referring.Row.self),
            .columnTypeDiffers(className: "Row", property: "other", column: "text", found: "TEXT", wanted: .integer))
    }

    enum Numbered {
        final class Row: PersistentObject {
            override class var tableName: String { "row" }
            @Column("number") var other: Other?
        }
    }

    @Test func `integers that are not ids do not become references`() throws {
        try expect(refusal(Numbered.Row.self), .danglingReference(className: "Row", property: "other", rowIDs: [1]))
    }

    enum Ruled {
        final class Row: PersistentObject {
            override class var tableName: String { "row" }
            override class var columns: [String: String] { ["head": "kids"] }
            @OnDelete(.deny) var head: Kid? = nil
            @OnDelete(.deny) @Inverse(\Kid.row) var kids: [Kid] = []
        }
        final class Kid: PersistentObject {
            override class var tableName: String { "kid" }
            var row: Row?
        }
    }

    @Test func `two delete rules with the same trigger name are refused, and the error names both properties`() throws {
        let error = try refusal(Ruled.Row.self)
        expect(error, .duplicateColumn(className: "Row", column: "kids", properties: ["head", "kids"]))
    }

    enum Rated {
        final class Row: PersistentObject {
            override class var tableName: String { "row" }
            var rate = Double.nan
        }
    }

    @Test func `nil does not become a required value if the initial value cannot be stored`() throws {
        let error = try refusal(Rated.Row.self, "ALTER TABLE row ADD COLUMN rate REAL")
        expect(error, .nilInRequired(className: "Row", property: "rate", rowIDs: [1]))
    }
}

// Values that the library did not write.
extension SchemaRefusalTests {
    enum Unique {
        final class Row: PersistentObject {
            override class var tableName: String { "row" }
            @PersistentObjects.Unique var text = ""
        }
    }

    enum Halved {
        final class Row: PersistentObject {
            override class var tableName: String { "row" }
            var text = 0
        }
    }

    @Test(arguments: [
        (
            Unique.Row.self as PersistentObject.Type,
            "INSERT INTO row (text) VALUES (CAST(x'ff' AS TEXT)), (CAST(x'ff' AS TEXT))"
        ),
        (Halved.Row.self, "UPDATE row SET text = CAST(x'ff' AS TEXT)"),
        (Tagged.Row.self, "UPDATE po_class SET name = CAST(x'ff' AS TEXT) WHERE name = 'Other'"),
    ])
    func `invalid UTF-8 is an error of a change that reads it, and nothing changes`(
        type: PersistentObject.Type, sql: String
    ) throws {
        let file = try file()
        _ = try file.sqlite(sql)
        let before = try file.sqlite("SELECT hex(text), number FROM row; SELECT sql FROM sqlite_schema")
        let store = try Store(file.path, configuration: .init(showsValuesInErrors: true))
        let error = #expect(throws: (any Error).self) { try store.prepare(type) }
        store.close()
        #expect("\(error.map { "\($0)" } ?? "")".contains("UTF-8"), "\(String(describing: error))")
        if type == Halved.Row.self {
            let error = error as? StoreError
            #expect(error?.className == "Row" && error?.property == "text" && error?.rowID == 1)
        }
        try expect(file.sqlite("SELECT hex(text), number FROM row; SELECT sql FROM sqlite_schema"), before)
    }
}

// Conversions declared by the class.
extension SchemaRefusalTests {
    struct Stop: Error {}
    struct Nothing { var thing: Any? }

    enum Unreadable {
        final class Row: PersistentObject {
            override class var tableName: String { "row" }
            var size = 0
            override class var conversions: [PropertyConversion] {
                [PropertyConversion(\Row.size, from: "text") { (_: Nothing) in 1 }]
            }
        }
    }

    enum Calculated {
        final class Row: PersistentObject {
            override class var tableName: String { "row" }
            var size = 0
            var double: Int {
                get { size * 2 }
                set { size = newValue / 2 }
            }
            override class var conversions: [PropertyConversion] {
                [PropertyConversion(\Row.double, from: "text") { (text: String) in text.count }]
            }
        }
    }

    @Test func `a conversion must read a type that a column can hold and fill a stored property`() throws {
        guard case .notStorable("Row", "size", "Nothing", let reason)? = try refusal(Unreadable.Row.self) else {
            Issue.record("another error")
            return
        }
        #expect(reason.hasPrefix("a conversion cannot read it from column \"text\": "), "\(reason)")
        guard case .unknownProperty("Row", _, "conversions")? = try refusal(Calculated.Row.self) else {
            Issue.record("another error")
            return
        }
    }

    enum Counting<Source: Sendable, Way: ConversionWay> where Way.Source == Source {
        final class Row: PersistentObject {
            override class var tableName: String { "row" }
            var size: Way.Value = Way.initial
            override class var conversions: [PropertyConversion] {
                [PropertyConversion(\Row.size, from: "text") { (source: Source) in try Way.convert(source) }]
            }
        }
    }

    protocol ConversionWay: SendableMetatype {
        associatedtype Source: Sendable
        associatedtype Value: Sendable
        static var initial: Value { get }
        static func convert(_ source: Source) throws -> Value
    }

    enum Own {
        final class Row: PersistentObject {
            override class var tableName: String { "row" }
            var size = 0
            override class var conversions: [PropertyConversion] {
                [PropertyConversion(\Row.size, from: "text") { (_: String) in try Row.all().count }]
            }
        }
    }

    @Test func `a conversion cannot use the class that is being changed`() throws {
        guard case .notConvertible("Row", "size", 1, nil, _, let reason)? = try refusal(Own.Row.self) else {
            Issue.record("another error")
            return
        }
        #expect(reason.contains("A conversion must not use the class that is being changed"), "\(reason)")
    }

    enum Stopping: ConversionWay {
        static var initial: Int { 0 }
        static func convert(_ source: String) throws -> Int { throw Stop() }
    }
    enum ReadingNumbers: ConversionWay {
        static var initial: Int { 0 }
        static func convert(_ source: Int) -> Int { source }
    }
    enum GivingNaN: ConversionWay {
        static var initial: Double { 0 }
        static func convert(_ source: String) -> Double { .nan }
    }

    @Test func `a conversion that throws or returns an invalid value is an error with the row`() throws {
        let cases: [(PersistentObject.Type, String, String)] = [
            (Counting<String, Stopping>.Row.self, "", "the conversion threw Stop()"),
            (Counting<Int, ReadingNumbers>.Row.self, "", "expected INTEGER, but the column holds TEXT"),
            (Counting<String, GivingNaN>.Row.self, "", "the conversion returned a value that the column cannot hold"),
            (
                Counting<String, Stopping>.Row.self,
                "ALTER TABLE row DROP COLUMN text; ALTER TABLE row ADD COLUMN text TEXT",
                "the conversion does not accept nil. Give it an optional"
            ),
        ]
        for (type, sql, reason) in cases {
            guard case .notConvertible("Row", "size", 1, nil, _, let text)? = try refusal(type, sql) else {
                Issue.record("another error than: \(reason)")
                continue
            }
            expect(text, reason)
        }
    }
}
