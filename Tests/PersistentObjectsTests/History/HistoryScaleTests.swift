import Foundation
import PersistentObjects
import TestSupport
import Testing

/// Histories of properties whose stored numbers get another meaning.
struct HistoryScaleTests {
    enum V1 {
        final class Item: PersistentObject {
            override class var keepsHistory: Bool { true }
            override class var tableName: String { "scaled_item" }
            @Column(scale: 2) var price: Decimal = 0
            var count = 0
            var start: Double?
            @Column(scale: 1) var optional: Decimal?
        }
    }
    /// Another scale, a scale instead of an integer, a date instead of a number, and a renamed column.
    enum V2 {
        final class Item: PersistentObject {
            override class var keepsHistory: Bool { true }
            override class var tableName: String { "scaled_item" }
            @Column(scale: 3) var price: Decimal = 0
            @Column(scale: 2) var count: Decimal = 0
            var start: Date?
            @Column("maybe", renamedFrom: "optional") var maybe: Double?
        }
    }
    /// An integer instead of a scale, a string instead of a scale.
    enum V3 {
        final class Item: PersistentObject {
            override class var keepsHistory: Bool { true }
            override class var tableName: String { "scaled_item" }
            var price = 0
            var count = ""
            var start: Double?
            var maybe: Double?
        }
    }
    /// A scale again.
    enum V4 {
        final class Item: PersistentObject {
            override class var keepsHistory: Bool { true }
            override class var tableName: String { "scaled_item" }
            @Column(scale: 4) var price: Decimal = 0
            var count = ""
            var start: Double?
            var maybe: Double?
        }
    }
    /// Two tables with different scales, and one table.
    enum Apart {
        class Person: PersistentObject {
            override class var keepsHistory: Bool { true }
            override class var tableName: String { "scaled_person" }
            @Column(scale: 2) var wage: Decimal = 0
        }
        final class Worker: PersistentObject {
            override class var keepsHistory: Bool { true }
            override class var tableName: String { "scaled_worker" }
            @Column(scale: 1) var wage: Decimal = 0
        }
    }
    enum Together {
        class Person: PersistentObject {
            override class var keepsHistory: Bool { true }
            override class var tableName: String { "scaled_person" }
            @Column(scale: 2) var wage: Decimal = 0
        }
        final class Worker: Person {}
    }

    private func open(_ file: TemporaryStore, _ body: (Session) throws -> Void) throws {
        let store = try Store(file.path, configuration: .init(onNote: { _ in }))
        defer { store.close() }
        try store.withSession(body)
    }

    /// Creates an item and changes all its values; returns a time in between.
    private func fill(_ file: TemporaryStore, price: Decimal, start: Double? = nil) throws -> Date {
        var time = Date()
        try open(file) { _ in
            let item = V1.Item()
            (item.price, item.count, item.start, item.optional) = (price, 7, start, 1.5)
            try item.save()
            time = apart { Date() }
            (item.price, item.count, item.start, item.optional) = (13, 8, nil, nil)
            try item.save()
        }
        return time
    }

    @Test func `a change of scale converts the recorded values`() throws {
        let file = try TemporaryStore()
        let time = try fill(file, price: 12)
        try open(file) { session in
            let plan = try session.store.schemaPlan(for: V2.Item.self)
            expect(plan.description.contains("\"price\" in the history, each converted"), true, "\(plan)")
            let item = try V2.Item.query.single()
            let entries = try item.history.all()
            try expect(entries.map { try $0.new(\V2.Item.price) }, [12, 13])
            try expect(entries.map { try $0.old(\V2.Item.price) }, [nil, 12])
            try expect(entries.map { try $0.new(\V2.Item.count) }, [7, 8])
            try expect(entries.map { try $0.old(\V2.Item.maybe) }, [nil, 1.5])
            item.price = 14
            try item.save()
            try expect(item.history.all().last?.old(\V2.Item.price), 13)
            try item.revert(to: time)
            expect(item.price, 12)
            expect(item.count, 7)
            item.revert()
        }
        try open(file) { _ in
            let item = try V3.Item.query.single()
            try expect(item.history.all().map { try $0.new(\V3.Item.price) }, [12, 13, 14])
            try expect(item.history.all().map { try $0.new(\V3.Item.count) }, ["7", "8", nil])
            try item.revert(to: time)
            expect(item.price, 12)
            expect(item.count, "7")
            expect(item.maybe, 1.5)
        }
    }

    @Test func `recorded values that the new type cannot hold throw, and are kept`() throws {
        let file = try TemporaryStore()
        let time = try fill(file, price: 12.25, start: 5)
        try open(file) { _ in
            let item = try V2.Item.query.single()
            let entry = try #require(try item.history.all().first)
            let error = #expect(throws: StoreError.self) { try entry.new(\V2.Item.start) as Date? }
            expect(error?.property, "start")
            try expect(entry.new(\V2.Item.price), 12.25)
        }
        try open(file) { _ in
            let item = try V3.Item.query.single()
            let entry = try #require(try item.history.all().first)
            for error in [
                #expect(throws: StoreError.self) { try entry.new(\V3.Item.price) },
                #expect(throws: StoreError.self) { try item.revert(to: time) },
            ] {
                expect(error?.code, .typeMismatch)
                expect(error?.property, "price")
            }
            expect(item.hasChanges, false)
            try expect(entry.new(\V3.Item.start) as Double?, 5)
        }
        try open(file) { _ in
            let item = try V4.Item.query.single()
            try item.revert(to: time)
            expect(item.price, 12.25)
            expect(item.count, "7")
        }
    }

    @Test func `rows that move to a table with another scale have converted histories`() throws {
        let file = try TemporaryStore()
        try open(file) { _ in
            let (person, worker) = (Apart.Person(), Apart.Worker())
            (person.wage, worker.wage) = (1.25, 12.5)
            try person.save()
            try worker.save()
            worker.wage = 13
            try worker.save()
        }
        try open(file) { _ in
            let worker = try Together.Worker.query.single()
            expect(worker.wage, 13)
            try expect(worker.history.all().map { try $0.new(\Together.Worker.wage) }, [12.5, 13])
            try expect(worker.history.all().map { try $0.old(\Together.Worker.wage) }, [nil, 12.5])
            try expect(Together.Person.history.all().first?.new(\Together.Person.wage), 1.25)
        }
    }
}
