import TestSupport
import Testing

@testable import PersistentObjects

/// Invalid names, and names that are used twice.
@Suite struct NameRefusalTests {
    private func refusal(_ type: PersistentObject.Type) -> SchemaError? {
        #expect(throws: SchemaError.self) { _ = try ClassMap.map(of: type) }
    }

    enum Twins {
        final class ByCase: PersistentObject {
            @Column("Name") var first = ""
            @Column("nAME") var second = ""
        }
        final class ByForm: PersistentObject {
            @Column("caf\u{e9}") var first = ""
            @Column("cafe\u{301}") var second = ""
        }
        final class BySnakeCase: PersistentObject {
            var userID = ""
            var userId = ""
        }
        final class ById: PersistentObject { @Column("ID") var number = 1 }
        final class ByTwin: PersistentObject {
            var first = ""
            var second = ""
            override class var columns: [String: String] { ["second": "FIRST"] }
        }
        class Base: PersistentObject { @Column("name") var baseName = "" }
        final class ByInheritance: Base { var name = "" }
    }

    @Test(
        arguments: [
            (Twins.ByCase.self, "nAME", ["first", "second"]), (Twins.ByForm.self, "cafe\u{301}", ["first", "second"]),
            (Twins.BySnakeCase.self, "user_id", ["userID", "userId"]), (Twins.ById.self, "ID", ["id", "number"]),
            (Twins.ByTwin.self, "FIRST", ["first", "second"]),
            (Twins.ByInheritance.self, "name", ["baseName", "name"]),
        ] as [(PersistentObject.Type, String, [String])])
    func `two properties with the same column are refused, and the error names both`(
        _ type: PersistentObject.Type, _ column: String, _ properties: [String]
    ) throws {
        let error = try #require(refusal(type))
        expect(error, .duplicateColumn(className: "\(type)", column: column, properties: properties))
        for name in properties + ["\(type)", column] { #expect(error.description.contains(name)) }
    }

    enum Bad {
        final class EmptyColumn: PersistentObject { @Column("") var value = 1 }
        final class NulColumn: PersistentObject { @Column("a\0b") var value = 1 }
        final class LongColumn: PersistentObject {
            override class var columns: [String: String] { ["value": String(repeating: "x", count: 1001)] }
            var value = 1
        }
        final class EmptyTable: PersistentObject { override class var tableName: String { "" } }
        final class NulTable: PersistentObject { override class var tableName: String { "a\0" } }
        final class ReservedTable: PersistentObject { override class var tableName: String { "SQLite_x" } }
        final class SqliteStat: PersistentObject { var value = 1 }
        final class JSONEach: PersistentObject { var value = 1 }
        final class PragmaTableInfo: PersistentObject { var value = 1 }
        final class Modules: PersistentObject { override class var tableName: String { "FTS5" } }
        final class JSON: PersistentObject { var tree: [String] = [] }
        final class JSONEachDay: PersistentObject { var value = 1 }
    }

    @Test func `a collection table named like an SQLite function is refused, and a longer name is not`() throws {
        let store = try Store.inMemory()
        let error = #expect(throws: SchemaError.self) { try store.prepare(Bad.JSON.self) }
        #expect(error?.description.contains("\"json_tree\"") == true && error?.description.contains("function") == true)
        try store.withSession { _ throws in
            try Bad.JSONEachDay().save()
            #expect(try Bad.JSONEachDay.find([1]).count == 1 && Bad.JSONEachDay.tableName == "json_each_day")
        }
    }

    @Test(
        arguments: [
            (Bad.EmptyColumn.self, "", "empty"), (Bad.NulColumn.self, "a\0b", "NUL"),
            (Bad.EmptyTable.self, "", "empty"),
            (Bad.NulTable.self, "a\0", "NUL"), (Bad.ReservedTable.self, "SQLite_x", "sqlite_"),
            (Bad.SqliteStat.self, "sqlite_stat", "sqlite_"),
            (Bad.JSONEach.self, "json_each", "function"), (Bad.Modules.self, "FTS5", "function"),
            (Bad.PragmaTableInfo.self, "pragma_table_info", "function"),
            (Bad.LongColumn.self, String(repeating: "x", count: 1001), "1,000 bytes"),
        ] as [(PersistentObject.Type, String, String)])
    func `names that SQLite does not accept are refused`(
        _ type: PersistentObject.Type, _ name: String, _ reason: String
    ) throws {
        guard case .invalidName(let className, let bad, let why)? = refusal(type) else {
            Issue.record("not refused as a name")
            return
        }
        #expect(className == "\(type)" && bad == name && why.contains(reason))
    }

    // MARK: Classes without a unique name

    private final class Hidden: PersistentObject { var value = 1 }
    private enum HiddenSpace {
        final class Inside: PersistentObject { var value = 1 }
    }
    final class Generic<T>: PersistentObject { var value = 1 }
    struct GenericSpace<T> {
        final class Inside: PersistentObject { var value = 1 }
    }
    private final class HiddenAndNamed: PersistentObject {
        override class var tableName: String { "hidden_and_named" }
        var value = 1
    }
    enum Deep {
        enum Deeper {
            final class NestedPerson: PersistentObject { var value = 1 }
        }
    }

    @Test func `private, local and generic classes need a table name, wherever they are nested`() throws {
        final class Local: PersistentObject { var value = 1 }
        let types: [PersistentObject.Type] = [
            Hidden.self, HiddenSpace.Inside.self, Local.self, Generic<Int>.self, GenericSpace<Int>.Inside.self,
        ]
        for type in types {
            guard case .needsTableName(let className, let reason)? = refusal(type) else {
                Issue.record("\(type) is accepted")
                continue
            }
            expect(className, "\(type)")
            #expect(reason.contains("generic") || reason.contains("private or local"))
        }
        expect(refusal(Hidden.self)?.description.contains("override class var tableName"), true)
    }

    @Test func `a private class can declare the table name that it would have had`() throws {
        try expect(ClassMap.map(of: HiddenAndNamed.self).table, "hidden_and_named")
    }

    @Test func `the table name of a nested class is derived from its own name only`() throws {
        try expect(ClassMap.map(of: Deep.Deeper.NestedPerson.self).table, "nested_person")
    }

    // MARK: Two classes with the same table

    enum One { final class Shared: PersistentObject { var value = 1 } }
    enum Other {
        final class Shared: PersistentObject { var value = 1 }
        final class AlsoShared: PersistentObject {
            override class var tableName: String { "SHARED" }
            var value = 1
        }
    }

    @Test func `two classes with the same table name in one store are refused, whatever its case`() throws {
        let file = try TemporaryStore()
        let store = try file.open()
        try store.withSession { _ throws in
            try One.Shared().save()
            let error = #expect(throws: SchemaError.self) { try Other.Shared().save() }
            let names = [String(reflecting: One.Shared.self), String(reflecting: Other.Shared.self)]
            #expect(error == .duplicateTable(table: "shared", classNames: names))
            let other = #expect(throws: SchemaError.self) { try Other.AlsoShared.all() }
            #expect(other == .duplicateTable(table: "SHARED", classNames: ["Shared", "AlsoShared"]))
            #expect(try One.Shared.count() == 1)
        }
        try Store.inMemory().withSession { _ in try Other.Shared().save() }
    }

    // MARK: Overrides instead of wrappers

    enum Unknown {
        final class Columns: PersistentObject {
            override class var columns: [String: String] { ["nmae": "x"] }
            var name = ""
        }
        final class Transients: PersistentObject {
            override class var transient: Set<String> { ["nmae"] }
            var name = ""
        }
        final class Indexes: PersistentObject {
            override class var indexes: [Index] { [Index("nmae")] }
            var name = ""
        }
        final class Paths: PersistentObject {
            override class var indexes: [Index] { [Index(\Paths.name.count)] }
            var name = ""
        }
        final class Computed: PersistentObject {
            override class var indexes: [Index] { [Index(\Computed.upper, \Computed.name)] }
            var name = ""
            var upper: String { name.uppercased() }
        }
        final class TransientIndex: PersistentObject {
            override class var indexes: [Index] { [Index("name")] }
            @Transient var name = ""
        }
    }

    @Test(
        arguments: [
            (Unknown.Columns.self, "columns", "nmae"), (Unknown.Transients.self, "transient", "nmae"),
            (Unknown.Indexes.self, "indexes", "nmae"), (Unknown.Paths.self, "indexes", "name"),
            (Unknown.Computed.self, "indexes", "Computed"), (Unknown.TransientIndex.self, "indexes", "name"),
        ] as [(PersistentObject.Type, String, String)])
    func `columns, transient and indexes are refused if they name no stored property`(
        _ type: PersistentObject.Type, _ place: String, _ property: String
    ) throws {
        guard case .unknownProperty(let className, let name, let where_)? = refusal(type) else {
            Issue.record("not refused")
            return
        }
        #expect(className == "\(type)" && where_ == place)
        #expect(name.contains(property), "\(name)")
    }

    // MARK: Abstract classes

    class Abstract: PersistentObject {
        override class var isAbstract: Bool { true }
        var name = "n"
    }
    final class Concrete: Abstract { var age = 1 }

    @Test func `an abstract class has no table, and its subclasses have tables`() throws {
        expect(refusal(Abstract.self), .isAbstract(className: "Abstract"))
        expect(refusal(PersistentObject.self), .isAbstract(className: "PersistentObject"))
        try withTemporarySession { _, file in
            #expect(throws: SchemaError.self) { try Abstract().save() }
            try Concrete().save()
            try expect(file.sqlite("SELECT * FROM concrete"), "1|n|1")
            try expect(file.sqlite("SELECT count(*) FROM sqlite_schema WHERE name = 'abstract'"), "0")
        }
    }
}
