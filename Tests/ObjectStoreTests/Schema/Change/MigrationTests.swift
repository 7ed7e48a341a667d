import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Migration steps: each runs once, in order, completely or not at all.
struct MigrationTests {
    enum Old {
        final class Person: PersistentObject {
            override class var tableName: String { "person" }
            var fullName = ""
            var age = 0
        }
    }
    final class Person: PersistentObject {
        override class var tableName: String { "person" }
        var firstName = ""
        var lastName = ""
        var age = 0
    }

    final class Letter: PersistentObject { var to: Person? }

    private func fileWithRows(_ count: Int = 3) throws -> TemporaryStore {
        let file = try TemporaryStore()
        let store = try Store(file.path)
        defer { store.close() }
        try store.withSession { session throws in
            try session.save(
                (0..<count).map { index in
                    let person = Old.Person()
                    person.fullName = "First\(index) Last\(index)"
                    return person
                })
        }
        return file
    }

    private func split(_ session: Session) throws {
        for row in try session.old(Person.self).all() {
            let parts = try row.value("full_name", as: String.self).split(separator: " ").map(String.init)
            let id: Int64 = try row.value("id")
            let person = try #require(try Person.find(id))
            (person.firstName, person.lastName) = (parts[0], parts[1])
            try person.save()
        }
    }

    @Test func `a step runs once, and can read old columns by name and use new objects`() throws {
        let file = try fileWithRows()
        for attempt in 0..<3 {
            let store = try Store(file.path)
            defer { store.close() }
            let isDone = try store.migrate("2026-11 split names") { session in try split(session) }
            expect(isDone, attempt == 0)
            try store.withSession { _ throws in
                try expect(Person.findByLastName("Last1").map(\.firstName), ["First1"])
            }
        }
        try expect(
            file.sqlite("SELECT number, name, time > 0, length(checksum) FROM po_migration"),
            "1|2026-11 split names|1|16")
        try expect(file.sqlite("SELECT full_name FROM person WHERE id = 1"), "First0 Last0")
    }

    @Test func `a step that throws leaves the file unchanged, and runs at the next call`() throws {
        struct Stop: Error {}
        let file = try fileWithRows()
        let before = try file.sqlite("SELECT * FROM person; SELECT sql FROM sqlite_schema")
        let store = try Store(file.path)
        defer { store.close() }
        #expect(throws: Stop.self) {
            try store.migrate("a") { session in
                try session.execute("UPDATE person SET full_name = 'gone'")
                throw Stop()
            }
        }
        #expect(try file.sqlite("SELECT * FROM person; SELECT sql FROM sqlite_schema") == before)
        #expect(try store.migrate("a") { session in try session.execute("UPDATE person SET full_name = 'done'") })
        #expect(try file.sqlite("SELECT DISTINCT full_name FROM person") == "done")
    }

    @Test func `a step that throws leaves no table, column or converted value behind`() throws {
        struct Stop: Error {}
        let file = try fileWithRows()
        let store = try Store(file.path)
        defer { store.close() }
        let before = try file.sqlite(".dump")
        for _ in 0..<2 {
            #expect(throws: Stop.self) {
                try store.migrate("2026-11 split names") { session in
                    try split(session)
                    // After its own rollback, the step continues with its tables.
                    try? session.transaction {
                        try Letter().save()
                        throw Stop()
                    }
                    let letter = Letter()
                    letter.to = try Person.first()
                    try letter.save()
                    throw Stop()
                }
            }
            try expect(file.sqlite(".dump"), before)
        }
        #expect(try store.migrate("2026-11 split names") { session in try split(session) })
        let after = try file.sqlite(".dump")
        #expect(throws: Stop.self) {
            try store.migrate("2026-12 write letters") { _ in
                try Letter().save()
                throw Stop()
            }
        }
        try expect(file.sqlite(".dump"), after)
        try store.withSession { _ throws in
            // The delete rules of a class without a table do not apply.
            try #require(try Person.first()).delete()
            try Letter().save()
            try #require(try Person.first()).delete()
            try expect(Person.count(), 1)
        }
    }

    @Test func `two steps with the same name are an error, and no step runs`() throws {
        let file = try fileWithRows()
        let store = try Store(file.path)
        defer { store.close() }
        let ran = Recorder<String>()
        func step(_ name: String) -> Migration { Migration(name) { _ in ran.add(name) } }
        let error = #expect(throws: StoreError.self) { try store.migrate([step("a"), step("b"), step("a")]) }
        expect(error?.code, .misuse)
        #expect(error?.message.contains("\"a\"") == true)
        expect(ran.all, [])
        try store.migrate([step("a"), step("b")])
        expect(ran.all, ["a", "b"])
    }

    @Test func `a step with before: runs before the class's table changes`() throws {
        let file = try fileWithRows()
        let store = try Store(file.path)
        defer { store.close() }
        try store.migrate("upper", before: Person.self) { session in
            #expect(try session.old(Person.self).columnNames == ["id", "full_name", "age"])
            try session.old(Person.self).forEach { row in
                let name: String = try row.value("full_name")
                try session.execute("UPDATE person SET full_name = ? WHERE id = ?", name.uppercased(), row["id"])
            }
        }
        #expect(try file.sqlite("SELECT count(*) FROM pragma_table_info('person') WHERE name = 'last_name'") == "0")
        try store.prepare(Person.self)
        #expect(try file.sqlite("SELECT full_name FROM person WHERE id = 3") == "FIRST2 LAST2")
        let error = #expect(throws: SchemaError.self) { try store.migrate("later", before: Person.self) { _ in } }
        #expect(error == .migrationTooLate(name: "later", className: "Person"))
    }

    private func run(_ file: TemporaryStore, _ names: [String], revisions: [String: Int] = [:]) throws -> [String] {
        let store = try Store(file.path)
        defer { store.close() }
        return try names.filter { name in try store.migrate(name, revision: revisions[name] ?? 1) { _ in } }
    }

    @Test func `a changed, removed or moved step is an error that names the step`() throws {
        let file = try fileWithRows()
        #expect(try run(file, ["a", "b"]) == ["a", "b"])
        #expect(try run(file, ["a", "b", "c"]) == ["c"])
        func error(_ names: [String], _ revisions: [String: Int] = [:]) -> String? {
            let error = #expect(throws: SchemaError.self) { try run(file, names, revisions: revisions) }
            guard case .migrationChanged(let name, _)? = error else { return nil }
            return name
        }
        #expect(error(["a", "c"]) == "b")
        #expect(error(["b", "a", "c"]) == "a")
        #expect(error(["a", "new", "b", "c"]) == "b")
        #expect(error(["a", "b", "c"], ["b": 2]) == "b")
        #expect(try run(file, ["a", "b", "c"]) == [])
    }

    @Test func `SQL steps are identified by their SQL`() throws {
        let file = try fileWithRows()
        func run(_ sql: String...) throws {
            let store = try Store(file.path)
            defer { store.close() }
            try store.migrate([Migration("one", sql: sql[0])] + sql.dropFirst().map { Migration("two", sql: $0) })
        }
        try run("UPDATE person SET age = age + 1")
        try run("UPDATE person SET age = age + 1", "UPDATE person SET age = age * 10")
        #expect(try file.sqlite("SELECT DISTINCT age FROM person") == "10")
        let changed = #expect(throws: SchemaError.self) { try run("UPDATE person SET age = age + 2", "") }
        guard case .migrationChanged("one", _)? = changed else { throw changed ?? .isAbstract(className: "") }
        let newer = #expect(throws: StoreError.self) { try run("UPDATE person SET age = age + 1") }
        #expect(newer?.code == .foreignFile)
        #expect(newer?.message.contains("two") == true && newer?.message.contains("one") == true)
    }

    @Test func `if several stores open the same file, each step runs once`() async throws {
        let file = try fileWithRows()
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    // The stores wait for each other, on a busy machine for seconds.
                    let store = try Store(file.path, configuration: .init(busyTimeout: .seconds(600)))
                    defer { store.close() }
                    return try store.migrate("once") { session in
                        try session.execute("UPDATE person SET age = age + 1")
                    }
                }
            }
            var done = 0
            for try await isDone in group where isDone { done += 1 }
            expect(done, 1)
        }
        try expect(file.sqlite("SELECT DISTINCT age FROM person"), "1")
    }

    @Test func `progress is reported, and an error thrown by the closure ends the step`() throws {
        struct Stop: Error {}
        let file = try fileWithRows(2500)
        let store = try Store(file.path)
        defer { store.close() }
        #expect(throws: Stop.self) {
            try store.migrate("a", progress: { if $0.completedRows > 1500 { throw Stop() } }) { session in
                try session.old(Person.self).forEach { row in
                    try session.execute("UPDATE person SET age = 9 WHERE id = ?", row["id"])
                }
            }
        }
        #expect(try file.sqlite("SELECT DISTINCT age FROM person") == "0")
        let told = Recorder<Int>()
        try store.migrate("a", progress: { told.add($0.completedRows * 100 / $0.totalRows) }) { session in
            try session.old(Person.self).forEach { _ in }
        }
        #expect(told.all == [40, 80, 100])
    }
}
