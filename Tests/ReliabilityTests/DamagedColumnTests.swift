import Foundation
import PersistentObjects
import TestSupport
import Testing

/// A column of a STRICT table whose page was damaged holds a value of another type: it is an error at every place of the
/// row, not a number.
@Suite struct DamagedColumnTests {
    final class Wide: PersistentObject {
        override class var tableName: String { "wide" }
        var first = 11
        var second = 22
        var third = 0.5
        var fourth: Int? = 44
        var fifth: Double? = 5.5
        var sixth = true
        var seventh = Date(timeIntervalSinceReferenceDate: 7)
        var eighth: String? = "eight"
        var ninth: Int64 = 99
        var tenth = "ten"
        var eleventh = 111
    }

    final class Two: PersistentObject {
        override class var tableName: String { "two" }
        var first = 11
        var second = 22
    }

    final class Linked: PersistentObject {
        override class var tableName: String { "linked" }
        var number = 1
        var one: Two?
        var other: Two?
        var last = 2
    }

    /// Changes values of a row in a way that the table forbids.
    private func damage(_ file: TemporaryStore, _ table: String, _ change: String) throws {
        let text = try file.sqlite("SELECT quote(sql) FROM sqlite_schema WHERE name = '\(table)'")
        let open = ".dbconfig defensive off\nPRAGMA writable_schema = ON;\n"
        _ = try file.sqlite(
            open + "UPDATE sqlite_schema SET sql = replace(replace(sql, ' STRICT', ''), ' NOT NULL', '') "
                + "WHERE name = '\(table)';")
        _ = try file.sqliteWithoutForeignKeys("UPDATE \(table) SET \(change)")
        _ = try file.sqlite(open + "UPDATE sqlite_schema SET sql = \(text) WHERE name = '\(table)';")
    }

    private func stored<T: PersistentObject>(_ objects: [T]) throws -> TemporaryStore {
        let file = try TemporaryStore()
        let store = try file.open(configuration: .quiet)
        try store.withSession { session in try session.save(objects) }
        store.close()
        return file
    }

    private static let changes: [(property: String, value: String)] = [
        ("first", "'x'"), ("first", "x'00'"), ("first", "1.5"), ("first", "NULL"), ("first", "''"),
        ("second", "'2x'"), ("third", "'0.5x'"), ("third", "x''"), ("third", "NULL"), ("fourth", "'4x'"),
        ("fourth", "x'34'"), ("fourth", "4.5"), ("fifth", "'5.5x'"), ("fifth", "x'35'"), ("sixth", "'true'"),
        ("sixth", "x'01'"), ("sixth", "NULL"), ("seventh", "'today'"), ("seventh", "NULL"), ("eighth", "x'38'"),
        ("ninth", "'x99'"), ("ninth", "NULL"), ("tenth", "x'31'"), ("tenth", "NULL"), ("eleventh", "'x111'"),
        ("eleventh", "x''"), ("eleventh", "NULL"),
    ]

    @Test(.enabled(if: !TestEngine.isPostgres), arguments: changes)
    func `a value of another storage class is an error that names its property`(
        _ property: String, _ value: String
    ) throws {
        let file = try stored([Wide(), Wide()])
        try damage(file, "wide", "\(property) = \(value) WHERE id = 2")
        try file.open(configuration: .quiet).withSession { _ throws in
            let reads: [() throws -> Void] = [
                { _ = try Wide.all() }, { _ = try Wide.find(2) }, { _ = try Wide.query.untracked().all() },
            ]
            for read in reads {
                let error = try #require(throws: StoreError.self) { try read() }
                expect(error.code, .typeMismatch)
                expect(error.property, property)
                expect(error.rowID, 2)
            }
            let sound = try #require(try Wide.find(1))
            #expect(sound.first == 11 && sound.fourth == 44 && sound.tenth == "ten" && sound.eleventh == 111)
        }
    }

    @Test(.enabled(if: !TestEngine.isPostgres), arguments: ["first", "second"])
    func `in a row of few columns too`(_ property: String) throws {
        let file = try stored([Two()])
        try damage(file, "two", "\(property) = 'x'")
        try file.open(configuration: .quiet).withSession { _ throws in
            expect(code(of: { _ = try Two.all() }), .typeMismatch)
            expect(code(of: { _ = try Two.query.values(of: \.first, \.second) }), .typeMismatch)
        }
    }

    @Test(.enabled(if: !TestEngine.isPostgres), arguments: ["one_id = 'x1'", "other_id = x'31'", "other_id = 1.5"])
    func `a reference that is no integer is an error`(_ change: String) throws {
        let linked = Linked()
        (linked.one, linked.other) = (Two(), Two())
        let file = try stored([linked])
        try damage(file, "linked", change)
        try file.open(configuration: .quiet).withSession { _ throws in
            expect(code(of: { _ = try Linked.all() }), .typeMismatch)
            expect(code(of: { _ = try Linked.find(1) }), .typeMismatch)
        }
    }

    @Test func `values of several properties come from their columns`() throws {
        try withTemporarySession { session, _ in
            try session.save([Wide(), Wide()])
            let values = try Wide.query.values(of: \.first, \.third, \.tenth, \.eleventh)
            expect(values.count, 2)
            #expect(values.allSatisfy { $0.0 == 11 && $0.1 == 0.5 && $0.2 == "ten" && $0.3 == 111 })
        }
    }
}
