import Foundation
import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// One way to damage a file, and the problem that a check must report.
struct Damage: Sendable, CustomTestStringConvertible {
    let sql: String
    let kind: IntegrityReport.Kind
    let className: String?
    let property: String?
    let table: String?
    let rowID: Int64?
    let words: String

    init(
        _ sql: String, _ kind: IntegrityReport.Kind, _ className: String? = nil, _ property: String? = nil,
        table: String? = nil, rowID: Int64? = nil, _ words: String = ""
    ) {
        (self.sql, self.kind, self.className, self.property) = (sql, kind, className, property)
        (self.table, self.rowID, self.words) = (table, rowID, words)
    }

    var testDescription: String { sql }

    func isTold(by problem: IntegrityReport.Problem) -> Bool {
        problem.kind == kind && problem.className == className && problem.property == property
            && problem.table == table && problem.rowID == rowID && problem.message.contains(words)
    }

    /// Damage that the SQLite shell can do with one statement. The shell leaves foreign keys off.
    static let all: [Damage] = [
        // Values that their types reject.
        Damage(
            "UPDATE care_person SET status = 'lost' WHERE id = 2", .value, "CarePerson", "status", table: "care_person",
            rowID: 2, "no case"),
        Damage(
            "UPDATE care_person SET price = 'dear' WHERE id = 5", .value, "CareEmployee", "price", table: "care_person",
            rowID: 5, "Decimal"),
        Damage(
            "UPDATE care_person SET email = CAST(x'ff' AS TEXT) WHERE id = 3", .value, "CarePerson", "email",
            table: "care_person", rowID: 3, "UTF-8"),
        Damage(
            "UPDATE care_person SET address = x'7b' WHERE id = 1", .value, "CarePerson", "address",
            table: "care_person", rowID: 1, "CareAddress"),
        Damage(
            "UPDATE care_person SET token = x'0102' WHERE id = 4", .value, "CareEmployee", "token",
            table: "care_person", rowID: 4, "UUID"),
        Damage(
            "UPDATE care_person SET is_active = 7 WHERE id = 2", .value, "CarePerson", "isActive",
            table: "care_person", rowID: 2, "Bool"),
        Damage(
            "UPDATE care_person SET salary = NULL WHERE id = 4", .value, "CareEmployee", "salary",
            table: "care_person", rowID: 4, "NULL"),
        Damage(
            "UPDATE care_person_tags SET value = CAST(x'ff' AS TEXT) WHERE owner_id = 3 AND position = 1024", .value,
            "CarePerson", "tags", table: "care_person_tags", rowID: 3, "an element"),
        Damage(
            "UPDATE care_person_ratings SET key = CAST(x'ff' AS TEXT) WHERE owner_id = 1 AND key = 'x'", .value,
            "CarePerson", "ratings", table: "care_person_ratings", rowID: 1, "a key or value"),
        // References.
        Damage(
            "UPDATE care_person SET employer_id = 99 WHERE id = 2", .reference, "CarePerson", "employer",
            table: "care_person", rowID: 2, "CareCompany #99"),
        Damage(
            "UPDATE care_person SET boss_id = 1 WHERE id = 5", .reference, "CareEmployee", "boss",
            table: "care_person", rowID: 5, "another class"),
        Damage(
            "INSERT INTO care_person_friends VALUES (1, 1024, 99)", .reference, "CarePerson", "friends",
            table: "care_person_friends", rowID: 1, "CarePerson #99"),
        Damage(
            "CREATE TABLE other (x REFERENCES care_person (id)); INSERT INTO other VALUES (99)", .reference,
            table: "other", rowID: 1, "x refers to a row of care_person"),
        // Collections.
        Damage(
            "INSERT INTO care_person_tags VALUES (77, 1024, 'x'), (77, 2048, 'y')", .orphan, "CarePerson", "tags",
            table: "care_person_tags", rowID: 77, "2 elements"),
        Damage(
            "INSERT INTO care_person_years VALUES (2, 2001)", .collection, "CarePerson", "years",
            table: "care_person_years", rowID: 2, "nil but has elements"),
        // Classes, keys and ids.
        Damage(
            "UPDATE care_person SET class = 'Gone' WHERE id = 5", .unknownClass, "CarePerson", table: "care_person",
            rowID: 5, "1 row is of class Gone"),
        Damage(
            "UPDATE care_country SET key = ''", .key, "CareCountry", "key", table: "care_country", rowID: 1, "empty"),
        Damage(
            "UPDATE sqlite_sequence SET seq = 2 WHERE name = 'care_person'", .idSequence, "CarePerson",
            table: "care_person", rowID: 5, "recorded largest id is 2"),
        Damage(
            "DELETE FROM sqlite_sequence WHERE name = 'care_person'", .idSequence, "CarePerson", table: "care_person",
            rowID: 5, "recorded largest id is 0"),
        // Tables and columns.
        Damage(
            "DROP TABLE care_country", .missingTable, "CareCountry", table: "care_country", "Prepare the class"),
        Damage(
            "DROP TABLE care_person_tags", .missingTable, "CarePerson", "tags", table: "care_person_tags",
            "care_person_tags"),
        Damage(
            "ALTER TABLE care_company DROP COLUMN name", .missingColumn, "CareCompany", "name", table: "care_company",
            "its column name"),
        // Full-text search.
        Damage(
            "DROP TRIGGER \"care_note.search.update\"; UPDATE care_note SET title = 'changed' WHERE id = 1", .search,
            "CareNote", table: "care_note_search", "rebuild"),
        Damage(
            "DROP TRIGGER \"care_note.search.insert\"; DROP TRIGGER \"care_note.search.delete\"; "
                + "DROP TRIGGER \"care_note.search.update\"; DROP TABLE care_note_search", .search, "CareNote",
            table: "care_note", "does not exist"),
    ]
}

@Suite(.hangLimit)
struct IntegrityTests {
    @Test func `in a sound store with many kinds of properties, the check finds no problems`() throws {
        try withCareStore { store, _ throws in
            let report = try store.checkIntegrity()
            expect(report.problems, [])
            #expect(report.isSound && report.isComplete && report.notChecked.isEmpty)
            // Five people, two companies, three notes, a country; ten tags, twelve years and further elements.
            #expect(report.checkedRowCount > 11 + 10)
            #expect(report.description.hasPrefix("no problem found, "))
        }
    }

    @Test func `a new store, an in-memory store and a store without classes are sound`() throws {
        let file = try TemporaryStore()
        #expect(try file.open().checkIntegrity().isSound)
        let memory = try Store.inMemory()
        defer { memory.close() }
        try memory.withSession { session in try CareModel.fill(session) }
        try expect(memory.checkIntegrity().problems, [])
    }

    @Test(arguments: Damage.all)
    func `each kind of damage is found and its location reported`(_ damage: Damage) throws {
        try withCareStore { store, file throws in
            _ = try file.sqlite(damage.sql)
            let report = try store.checkIntegrity()
            #expect(!report.isSound)
            #expect(report.problems.contains { damage.isTold(by: $0) }, "\(report)")
            // The damage is reported once, and nothing else is reported.
            expect(report.problems.count, 1, "\(report)")
        }
    }

    @Test func `several kinds of damage are found in one check`() throws {
        try withCareStore { store, file throws in
            let kinds: Set<IntegrityReport.Kind> = [.value, .reference, .orphan, .collection, .key]
            let damages = Damage.all.filter { kinds.contains($0.kind) }
            for damage in damages { _ = try file.sqlite(damage.sql) }
            let report = try store.checkIntegrity()
            for damage in damages { #expect(report.problems.contains { damage.isTold(by: $0) }, "\(damage.sql)") }
            #expect(report.description.split(separator: "\n").count == report.problems.count + 1)
        }
    }

    /// Lets the shell make a change that the schema would reject, then restores the schema.
    private func damage(_ file: TemporaryStore, table: String, without words: String, _ sql: String) throws {
        let text = try file.sqlite("SELECT quote(sql) FROM sqlite_schema WHERE name = '\(table)'")
        let open = ".dbconfig defensive off\nPRAGMA writable_schema = ON;\n"
        _ = try file.sqlite(
            open + "UPDATE sqlite_schema SET sql = replace(sql, '\(words)', '') WHERE name = '\(table)';")
        _ = try file.sqlite(sql)
        _ = try file.sqlite(open + "UPDATE sqlite_schema SET sql = \(text) WHERE name = '\(table)';")
    }

    @Test func `a value of another storage class is found by SQLite's check and by the property's check`() throws {
        try withCareStore { store, file throws in
            try damage(
                file, table: "care_person", without: " STRICT", "UPDATE care_person SET age = 'old' WHERE id = 3")
            let problems = try store.checkIntegrity().problems
            let value = Damage("", .value, "CarePerson", "age", table: "care_person", rowID: 3, "expected INTEGER")
            #expect(problems.contains { value.isTold(by: $0) }, "\(problems)")
            let structure = Damage("", .fileStructure, "CarePerson", "age", table: "care_person", "care_person.age")
            #expect(problems.contains { structure.isTold(by: $0) }, "\(problems)")
        }
    }

    @Test func `a missing value is found by SQLite's check`() throws {
        try withCareStore { store, file throws in
            try damage(
                file, table: "care_company", without: " NOT NULL",
                "UPDATE care_company SET name = NULL WHERE id = 2")
            let problems = try store.checkIntegrity().problems
            #expect(problems.contains { $0.kind == .fileStructure && $0.property == "name" }, "\(problems)")
        }
    }

    @Test func `a row missing from an index is found`() throws {
        try withCareStore { store, file throws in
            let name = "care_person.last_name.index"
            let row = try file.sqlite(
                "SELECT rootpage || ', ' || quote(sql) FROM sqlite_schema WHERE name = '\(name)'")
            let open = ".dbconfig defensive off\nPRAGMA writable_schema = ON;\n"
            _ = try file.sqlite(open + "DELETE FROM sqlite_schema WHERE name = '\(name)';")
            _ = try file.sqlite("UPDATE care_person SET last_name = 'Other' WHERE id = 2")
            _ = try file.sqlite(
                open + "INSERT INTO sqlite_schema VALUES ('index', '\(name)', 'care_person', \(row));")
            let problems = try store.checkIntegrity().problems
            let missing = Damage("", .fileStructure, "CarePerson", table: "care_person", rowID: 2, "missing from index")
            #expect(problems.contains { missing.isTold(by: $0) }, "\(problems)")
        }
    }

    @Test(.onPlainFiles("an encrypted page that was overwritten cannot be read"))
    func `an overwritten page is found, and the check continues after it`() throws {
        try withCareStore { store, file throws in
            _ = try file.sqlite("UPDATE care_country SET key = ''")
            store.close()
            let page = try #require(
                Int(try file.sqlite("SELECT rootpage FROM sqlite_schema WHERE name = 'care_person_ratings'")))
            let handle = try FileHandle(forWritingTo: URL(filePath: file.path))
            try handle.seek(toOffset: UInt64(page - 1) * 4096)
            try handle.write(contentsOf: Data(repeating: 0xEE, count: 4096))
            try handle.close()
            let damaged = try file.open()
            defer { damaged.close() }
            try CareModel.prepare(damaged)
            let report = try damaged.checkIntegrity()
            #expect(report.problems.contains { $0.kind == .fileStructure }, "\(report)")
            #expect(report.problems.contains { $0.kind == .key && $0.className == "CareCountry" }, "\(report)")
        }
    }

    private final class Words: PersistentObject {
        override class var tableName: String { "integrity_words" }
        var words: Set<String> = []
    }

    @Test func `rows of a set whose values are equal in Swift are found`() throws {
        let file = try TemporaryStore()
        let store = try file.open()
        defer { store.close() }
        try store.withSession { session throws in
            let words = Words()
            words.words = ["\u{e9}"]
            try session.save(words)
        }
        _ = try file.sqlite("INSERT INTO integrity_words_words VALUES (1, 'e' || char(0x301))")
        let problem = try #require(try store.checkIntegrity().problems.first)
        #expect(problem.kind == .value && problem.property == "words" && problem.message.contains("equal in Swift"))
    }

    @Test func `the report contains at most as many problems as the limit, and states whether there are more`() throws {
        try withCareStore { store, file throws in
            _ = try file.sqlite("UPDATE care_person SET price = 'dear', status = 'lost'")
            let few = try store.checkIntegrity(limit: 3)
            #expect(few.problems.count == 3 && !few.isComplete && !few.isSound)
            #expect(few.description.contains("3 problems found, and there are more"))
            let all = try store.checkIntegrity()
            #expect(all.problems.count == 10 && all.isComplete)
            #expect(try store.checkIntegrity(limit: 10).isComplete)
            try expect(store.checkIntegrity(limit: 0).problems.count, 1)
        }
    }

    @Test func `a check writes nothing`() throws {
        try withCareStore { store, file throws in
            func bytes() -> [Data?] { ["", "-wal"].map { FileManager.default.contents(atPath: file.path + $0) } }
            let before = bytes()
            _ = try store.checkIntegrity()
            expect(bytes(), before)
        }
    }

    @Test func `a read-only store is checked except for its full-text search, and the report states it`() throws {
        try withCareStore { store, file throws in
            store.close()
            let reader = try file.open(configuration: .init(isReadOnly: true))
            defer { reader.close() }
            try CareModel.prepare(reader)
            let report = try reader.checkIntegrity()
            #expect(report.isSound)
            #expect(report.notChecked.count == 1 && report.notChecked[0].contains("CareNote"))
            #expect(report.description.contains("not checked: the search of CareNote"))
        }
    }

    private struct Enough: Error {}

    @Test func `progress is reported, and an error thrown by the closure ends the check`() throws {
        try withCareStore { store, _ throws in
            var steps: [IntegrityProgress] = []
            let report = try store.checkIntegrity { steps.append($0) }
            #expect(steps.first?.fractionCompleted == 0 && steps.last?.fractionCompleted == 1)
            #expect(steps.map(\.fractionCompleted) == steps.map(\.fractionCompleted).sorted())
            #expect(steps.last?.checkedRowCount == report.checkedRowCount)
            #expect(Set(steps.map(\.step)).isSuperset(of: ["CarePerson", "references", "the search of CareNote"]))
            #expect(throws: Enough.self) { _ = try store.checkIntegrity { _ in throw Enough() } }
            #expect(try store.checkIntegrity().isSound)
        }
    }

    @Test func `the asynchronous method checks too, and cancelling a task ends its check`() async throws {
        let store = try Store.temporary(configuration: .init(lostEdits: .ignore))
        defer { store.close() }
        try store.withSession { session in try CareModel.fill(session) }
        let report = try await store.background.checkIntegrity()
        #expect(report.isSound)
        let task = Task {
            try store.checkIntegrity { _ in withUnsafeCurrentTask { $0?.cancel() } }
        }
        await #expect(throws: CancellationError.self) { _ = try await task.value }
    }

    @Test func `writes are possible while a check runs`() throws {
        try withCareStore { store, _ throws in
            var count = 0
            let report = try store.checkIntegrity { progress in
                guard progress.step == "CarePerson" else { return }
                try store.withSession { session throws in
                    let company = CareCompany()
                    company.name = "meanwhile"
                    try session.save(company)
                }
                count += 1
            }
            #expect(report.isSound && count > 0)
        }
    }
}
