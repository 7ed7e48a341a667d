import Foundation
import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// Queries that skip and report rows that cannot be decoded.
@Suite struct UndecodableTests {
    /// Runs `body` in a session on a file in which row 2 of the people cannot be decoded.
    private func withDamage<R>(
        _ sql: String = "UPDATE care_person SET status = 'lost' WHERE id = 2",
        _ body: (Session, TemporaryStore) throws -> R
    ) throws -> R {
        try withCareStore { store, file throws in
            _ = try file.sqlite(sql)
            return try store.withSession { session in try body(session, file) }
        }
    }

    @Test func `without skippingUndecodable, one undecodable row fails the whole query`() throws {
        try withDamage { _, _ throws in #expect(careCode { _ = try CareNote.all() + [] } == nil) }
        try withDamage { _, _ throws in #expect(careCode { _ = try CarePerson.all() } == .typeMismatch) }
    }

    @Test func `undecodable rows are skipped and reported with class, row, property and reason`() throws {
        // No row refers to row 5.
        try withDamage("UPDATE care_person SET price = 'dear' WHERE id = 5") { _, _ throws in
            var rows: [UndecodableRow] = []
            let people = try CarePerson.all(.skippingUndecodable { rows.append($0) })
            expect(people.map(\.id), [1, 2, 3, 4])
            let row = try #require(rows.first)
            expect(rows.count, 1)
            #expect(row.className == "CarePerson" && row.rowID == 5 && row.property == "price")
            #expect(row.reason.contains("Decimal") && !row.description.contains("dear"))
            #expect(row.description.hasPrefix("CarePerson.price #5: "))
            expect(row.error.code, .typeMismatch)
        }
    }

    @Test func `a row that refers to an undecodable row is skipped too`() throws {
        // Rows 3, 4 and 5 have row 2 among their friends.
        try withDamage { _, _ throws in
            var rows: [UndecodableRow] = []
            let people = try CarePerson.all(.skippingUndecodable { rows.append($0) })
            expect(people.map(\.id), [1])
            expect(rows.map(\.rowID), [2, 3, 4, 5])
            #expect(rows[0].property == "status" && rows[1].property == nil)
            #expect(rows[1].reason.contains("CarePerson.status #2"))
        }
    }

    @Test func `rows with unknown classes and broken references are reported too`() throws {
        try withDamage("UPDATE care_person SET class = 'Gone' WHERE id = 5") { _, _ throws in
            var rows: [UndecodableRow] = []
            try expect(CarePerson.all(.skippingUndecodable { rows.append($0) }).count, 4)
            #expect(rows.map(\.rowID) == [5] && rows[0].error.code == .unknownClass)
        }
        try withDamage("UPDATE care_person SET employer_id = 99 WHERE id = 5") { _, _ throws in
            var rows: [UndecodableRow] = []
            try expect(CarePerson.all(.skippingUndecodable { rows.append($0) }).count, 4)
            #expect(rows.map(\.rowID) == [5] && rows[0].property == "employer")
        }
    }

    @Test func `a row with an undecodable collection is skipped`() throws {
        try withDamage("UPDATE care_person_tags SET value = CAST(x'ff' AS TEXT) WHERE owner_id = 5") { _, _ throws in
            var rows: [UndecodableRow] = []
            try expect(CarePerson.all(.skippingUndecodable { rows.append($0) }).map(\.id), [1, 2, 3, 4])
            expect(rows.map(\.property), ["tags"])
        }
    }

    private final class Item: PersistentObject {
        override class var tableName: String { "undecodable_item" }
        var price = Decimal(0)
        var group = 0
    }

    /// Saves items 1 to 2,000, of which every two hundredth cannot be decoded.
    private func withItems<R>(_ body: (Session) throws -> R) throws -> R {
        let file = try TemporaryStore()
        let store = try file.open(configuration: .init(lostEdits: .ignore))
        defer { store.close() }
        try store.withSession { session throws in
            let items = (1...2000).map { number in
                let item = Item()
                item.group = number % 10
                return item
            }
            try session.save(items)
        }
        _ = try file.sqlite("UPDATE undecodable_item SET price = 'x' WHERE id % 200 = 0")
        return try store.withSession { try body($0) }
    }

    @Test func `rows are returned, and skipped rows reported, in the order of the query`() throws {
        try withItems { _ throws in
            var rows: [Int64] = []
            let items = try Item.all(.skippingUndecodable { rows.append($0.rowID) })
            expect(rows, (1...10).map { $0 * 200 })
            expect(items.compactMap(\.id), (1...2000).filter { $0 % 200 != 0 })
            rows = []
            let last = try Item.query.order(by: \.id, .descending).limit(500)
                .all(.skippingUndecodable { rows.append($0.rowID) })
            #expect(rows == [2000, 1800, 1600] && last.count == 497 && last.first?.id == 1999)
        }
    }

    @Test func `conditions, offsets and limits apply as in the query`() throws {
        try withItems { _ throws in
            var rows: [Int64] = []
            let query = Item.where { $0.group == 0 }.order(by: \.id).offset(15).limit(10)
            let items = try query.all(.skippingUndecodable { rows.append($0.rowID) })
            #expect(rows == [200] && items.compactMap(\.id) == [160, 170, 180, 190, 210, 220, 230, 240, 250])
        }
    }

    @Test func `first() returns the first row that can be decoded`() throws {
        try withItems { _ throws in
            var rows: [Int64] = []
            let query = Item.where { $0.id >= 200 }
            #expect(try query.first(.skippingUndecodable { rows.append($0.rowID) })?.id == 201)
            #expect(rows == [200])
            #expect(try Item.first(.skippingUndecodable { rows.append($0.rowID) })?.id == 1)
            #expect(try Item.where { $0.id == 200 }.first(.skippingUndecodable { _ in }) == nil)
            let told = Recorder<Int64>()
            #expect(try query.skippingUndecodable { told.add($0.rowID) }.first()?.id == 201)
            #expect(told.all == [200])
        }
    }

    @Test func `skippingUndecodable applies to the finders and terminal methods of a query`() throws {
        try withItems { _ throws in
            let told = Recorder<Int64>()
            let query = Item.query.skippingUndecodable { told.add($0.rowID) }
            try expect(query.findBy.group(0).count, 190)
            expect(told.take(), (1...10).map { $0 * 200 })
            try expect(query.untracked().all().count, 1990)
            expect(told.take().count, 10)
            // Counts and ids include all rows.
            #expect(try query.count() == 2000 && query.ids().count == 2000)
            #expect(told.take().isEmpty)
        }
    }

    @Test func `if all rows can be decoded, nothing is reported and no further statement runs`() throws {
        try withTemporarySession { session, _ throws in
            try session.save([Item(), Item()])
            try session.reset()
            _ = try Item.all()
            try session.reset()
            let log = Recorder<String>()
            let listener = Session.StatementListener { log.add($0) }
            try session.add(listener)
            try expect(Item.all(.skippingUndecodable { _ in Issue.record("nothing is wrong") }).count, 2)
            expect(log.take().filter { $0.hasPrefix("SELECT") }.count, 1)
            session.remove(listener)
        }
    }

    @Test func `errors that do not concern a row are thrown`() throws {
        try withCareStore { store, file throws in
            try store.withSession { session throws in
                _ = try CareCompany.all()
                try session.execute("DROP TABLE care_company")
                let error = #expect(throws: StoreError.self) {
                    _ = try CareCompany.all(.skippingUndecodable { _ in Issue.record("it is about no row") })
                }
                #expect(error?.code == .invalidSQL)
            }
        }
    }
}

/// Fallbacks for raw values that an enumeration does not declare.
@Suite struct FallbackTests {
    enum Color: String, UnknownValueFallback {
        case red, green, other
        static var unknownValue: Color { .other }
    }

    enum Size: Int, UnknownValueFallback {
        case small = 1
        case unknown = -1
        static var unknownValue: Size { .unknown }
    }

    enum Strict: String { case one }

    final class Shirt: PersistentObject {
        override class var tableName: String { "fallback_shirt" }
        var name = ""
        var color = Color.red
        var trim: Color?
        var size = Size.small
        @Lazy var lining: Color?
        var colors: [Color] = []
    }

    private func withShirt<R>(_ body: (Session, Shirt, TemporaryStore) throws -> R) throws -> R {
        try withTemporarySession(.init(lostEdits: .ignore)) { session, file throws in
            try session.save([Shirt()])
            try session.reset()
            _ = try file.sqlite(
                "UPDATE fallback_shirt SET color = 'mauve', trim = 'taupe', size = 42, lining = 'puce'")
            return try body(session, try #require(try Shirt.first()), file)
        }
    }

    private let columns = "SELECT color, trim, size, lining, name FROM fallback_shirt"

    @Test func `raw values without a case become the fallback, also in optional and lazy properties`() throws {
        try withShirt { _, shirt, _ throws in
            #expect(shirt.color == .other && shirt.trim == .other && shirt.size == .unknown && shirt.lining == .other)
            #expect(!shirt.hasChanges)
        }
    }

    @Test func `a column keeps its unknown raw value if other properties are saved`() throws {
        try withShirt { session, shirt, file throws in
            _ = shirt.lining
            shirt.name = "blue"
            try shirt.save()
            try expect(file.sqlite(columns), "mauve|taupe|42|puce|blue")
            // Assigning the value that the property already has changes nothing.
            shirt.color = .other
            #expect(!shirt.hasChanges)
            try session.saveChanges()
            try shirt.reload()
            try expect(file.sqlite(columns), "mauve|taupe|42|puce|blue")
        }
    }

    @Test func `only a property that gets another value is saved`() throws {
        try withShirt { session, shirt, file throws in
            shirt.color = .green
            expect(shirt.changes.map(\.name), ["color"])
            try shirt.save()
            try expect(file.sqlite(columns), "green|taupe|42|puce|")
            shirt.color = .other
            try shirt.save()
            try expect(file.sqlite(columns), "other|taupe|42|puce|")
        }
    }

    @Test func `a rollback and an undo leave the columns unchanged`() throws {
        try withShirt { session, shirt, file throws in
            struct Stop: Error {}
            func fail() throws {
                shirt.color = .green
                try shirt.save()
                throw Stop()
            }
            #expect(throws: Stop.self) { try session.transaction { try fail() } }
            #expect(shirt.color == .other && !shirt.hasChanges)
            #expect(try file.sqlite(columns) == "mauve|taupe|42|puce|")
            session.recordsUndo = true
            shirt.color = .green
            try shirt.save()
            try session.undo()
            #expect(shirt.color == .other)
            #expect(try file.sqlite(columns) == "mauve|taupe|42|puce|")
        }
    }

    @Test func `conditions compare the stored raw value`() throws {
        try withShirt { _, _, _ throws in
            try expect(Shirt.where { $0.color == .other }.count(), 0)
            try expect(Shirt.where { $0.color != .red }.count(), 1)
        }
    }

    @Test func `an unknown value in a collection is an error, because the collection's rows may be rewritten`() throws {
        try withShirt { session, shirt, file throws in
            shirt.colors = [.red]
            try shirt.save()
            _ = try file.sqlite("UPDATE fallback_shirt_colors SET value = 'mauve'")
            let error = #expect(throws: StoreError.self) { try shirt.reload() }
            #expect(error?.code == .typeMismatch && error?.property == "colors")
        }
    }

    @Test func `a value of the wrong storage class is still an error, and a check reports it`() throws {
        try withShirt { session, shirt, file throws in
            try expect(session.store.checkIntegrity().problems, [])
            _ = try file.sqlite("UPDATE fallback_shirt SET color = CAST(x'ff' AS TEXT)")
            expect(careCode { try shirt.reload() }, .typeMismatch)
            try expect(session.store.checkIntegrity().problems.map(\.property), ["color"])
        }
    }
}
