import Foundation
import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// `Fixtures/format-2-signed.sql` is the SQL text of a file in format 2, with history, search, a class hierarchy,
/// collections, keys and embedded values. The file can be opened without changes, and a new file with the same
/// objects has the same content. `Fixtures/format-2-history.sql` has the same objects, and triggers that do not sign the
/// entries of its history. `Fixtures/format-2.sql` also has a row for each value in its history.
///
/// If the test of new files fails, the format has changed, which affects old programs and old files.
@Suite(.hangLimit)
struct KeptFormatTests {
    private static let folder = SwiftCompiler.packageFolder.appending(path: "Tests/ObjectStoreTests/Fixtures")

    private static let classes: [PersistentObject.Type] = [
        KeptFormat.Town.self, KeptFormat.Person.self, KeptFormat.Worker.self,
    ]

    /// Runs `body` with a store created from the SQL text.
    private func withKeptStore(
        _ name: String = "format-2-signed.sql", _ body: (Session, TemporaryStore) throws -> Void
    ) throws {
        let file = try TemporaryStore()
        let text = try String(contentsOf: KeptFormatTests.folder.appending(path: name), encoding: .utf8)
        try expect(SQLiteTool.run(file.path, text), "")
        let store = try Store(file.path)
        defer { store.close() }
        try store.withSession { session in try body(session, file) }
    }

    @Test(.onSQLite("the file is SQLite's"))
    func `a file in the kept format needs no change and contains its objects`() throws {
        try withKeptStore { session, file in
            for type in KeptFormatTests.classes { #expect(try session.store.schemaPlan(for: type).isEmpty, "\(type)") }
            try checkObjects()
        }
    }

    @Test(.onSQLite("the file is SQLite's"))
    func `the triggers of a file that do not sign entries are replaced once, and its objects stay`() throws {
        try withKeptStore("format-2-history.sql") { session, file in
            let rows = "SELECT * FROM po_history_entry; SELECT * FROM kept_person; SELECT * FROM po_history_element"
            let before = try file.sqlite(rows)
            try session.store.prepare(KeptFormatTests.classes)
            try expect(file.sqlite(rows), before)
            let signed = "SELECT count(*) FROM sqlite_schema WHERE name LIKE 'kept_%.history.%' AND sql LIKE '%sign(%'"
            try expect(file.sqlite(signed), file.sqlite(signed.replacing(" AND sql LIKE '%sign(%'", with: "")))
            let schema = try file.sqlite("PRAGMA schema_version")
            session.author = "ann"
            try checkObjects()
            try expect(KeptFormat.Person.history.all().last?.author, "ann")
            for type in KeptFormatTests.classes { #expect(try session.store.schemaPlan(for: type).isEmpty, "\(type)") }
            try expect(file.sqlite("PRAGMA schema_version"), schema)
        }
    }

    @Test(.onSQLite("the file is SQLite's"))
    func `a file with a row for each value of its history is converted, and has its objects`() throws {
        try withKeptStore("format-2.sql") { session, file in
            try checkObjects()
            for type in KeptFormatTests.classes { #expect(try session.store.schemaPlan(for: type).isEmpty, "\(type)") }
            try expect(file.sqlite("SELECT type FROM sqlite_schema WHERE name = 'po_history_value'"), "view")
        }
    }

    private func checkObjects() throws {
        let people = try KeptFormat.Person.query.order(by: \.name).all()
        try #require(people.count == 2)
        expect(people.map { "\(type(of: $0)) \($0.name)" }, ["Worker Ann", "Person Joe"])
        let joe = people[1]
        #expect(joe.tags == ["b", "a"] && joe.marks == [2] && joe.years == ["first": 2001])
        #expect(joe.address == KeptFormat.Address(city: "Bonn", zip: "53111") && joe.holiday == nil)
        #expect(joe.town?.key == "bonn" && joe.friends == [people[0]])
        let ann = try #require(people[0] as? KeptFormat.Worker)
        #expect(ann.salary == Decimal(string: "12.5") && ann.boss === joe)
        #expect(ann.holiday == KeptFormat.Address(city: "Rome", zip: "") && ann.tags == [])
        try expect(KeptFormat.Person.search("gardens").all(), [joe])
        let changes = try joe.history.order(by: \.id).all()
        expect(changes.map(\.change), [.created, .changed])
        try expect(changes[1].old(\KeptFormat.Person.note), "likes gardens")
        joe.note = "likes rivers"
        try joe.save()
        try expect(joe.history.count(), 3)
        try expect(KeptFormat.Person.search("gardens").count(), 0)
    }

    @Test(.onSQLite("the file is SQLite's")) func `a new file with the same objects has the same content`() throws {
        try withKeptStore { session, kept in
            let made = try TemporaryStore()
            let store = try Store(made.path)
            try store.withSession { session in
                try store.prepare(KeptFormatTests.classes)
                try KeptFormatTests.fill(session)
            }
            store.close()
            try expect(KeptFormatTests.content(made.path), KeptFormatTests.content(kept.path))
        }
    }

    @Test func `class names of the history in files do not depend on the module`() throws {
        for type in [HistoryEntry.self, HistoryValue.self, HistoryElement.self] as [PersistentObject.Type] {
            try expect(HistoryNames.className(of: ClassMap.map(of: type).table), "PersistentObjects.\(type)")
            try expect(ClassMap.map(of: type).name, "PersistentObjects.\(type)")
        }
        expect(HistoryNames.className(of: "person"), nil)
    }

    /// Saves the objects of the kept file.
    private static func fill(_ session: Session) throws {
        let bonn = try KeptFormat.Town(key: "bonn")
        bonn.area = 141.06
        let joe = KeptFormat.Person()
        (joe.name, joe.note, joe.town) = ("Joe", "likes gardens", bonn)
        (joe.tags, joe.marks, joe.years) = (["b", "a"], [2], ["first": 2001])
        joe.address = KeptFormat.Address(city: "Bonn", zip: "53111")
        let ann = KeptFormat.Worker()
        (ann.name, ann.salary, ann.boss) = ("Ann", Decimal(string: "12.5"), joe)
        ann.holiday = KeptFormat.Address(city: "Rome", zip: "")
        joe.friends = [ann]
        try session.save([bonn, joe, ann])
        joe.note = "likes gardens and rivers"
        try joe.save()
    }

    /// The schema and all rows, except times, names of programs, and the history, whose entries have no fixed ids.
    private static func content(_ path: String) throws -> [String] {
        let header = try SQLiteTool.run(path, "PRAGMA application_id; PRAGMA user_version")
        let schema = try SQLiteTool.run(
            path, "SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY name")
        let tables = try SQLiteTool.run(
            path,
            "SELECT name FROM pragma_table_list WHERE type = 'table' AND schema = 'main' AND name NOT LIKE 'sqlite_%' ORDER BY name"
        )
        var lines = [header, schema]
        for table in tables.split(separator: "\n") where !table.hasPrefix("po_history") {
            let list = try SQLiteTool.run(path, "SELECT name FROM pragma_table_info('\(table)')")
            let columns = list.split(separator: "\n").filter { !["date", "time", "app", "library"].contains($0) }
                .map { "quote(\"\($0)\")" }.joined(separator: ", ")
            try lines.append("\(table): " + SQLiteTool.run(path, "SELECT \(columns) FROM \"\(table)\" ORDER BY 1, 2"))
        }
        return lines
    }
}

enum KeptFormat {
    struct Address: Codable, Equatable {
        var city = ""
        var zip = ""
    }

    final class Town: PersistentObject {
        override class var tableName: String { "kept_town" }
        override class var identity: Identity { .string }
        var area = 0.0
    }

    class Person: PersistentObject {
        override class var tableName: String { "kept_person" }
        override class var keepsHistory: Bool { true }
        var name = ""
        @Searchable var note = ""
        @Indexed var town: Town?
        @Embedded var address = Address()
        @Embedded var holiday: Address?
        var tags: [String] = []
        var marks: Set<Int> = []
        var years: [String: Int] = [:]
        var friends: [Person] = []
    }

    final class Worker: Person {
        var salary: Decimal?
        @OnDelete(.nullify) var boss: Person?
    }
}
