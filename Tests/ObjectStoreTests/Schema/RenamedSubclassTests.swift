import TestSupport
import Testing

@testable import PersistentObjects

/// A renamed subclass is found at the first use of its superclass, even if it was not prepared.
struct RenamedSubclassTests {
    enum Old {
        class Item: PersistentObject {
            override class var tableName: String { "item" }
            var note = ""
            var project: Project?
        }
        class Work: Item { var minutes = 5 }
        final class Overtime: Work { var factor = 2 }
        final class Expense: Item { var amount = 7 }
        final class Gone: Item {}
        final class Project: PersistentObject {
            override class var tableName: String { "project" }
            @Inverse(\Item.project) var items: [Item]
        }
    }
    enum New {
        class Item: PersistentObject {
            override class var tableName: String { "item" }
            var note = ""
            var project: Project?
        }
        // It inherits the former names of its superclass.
        class Job: Item {
            override class var formerNames: [String] { ["Work", "Labour"] }
            var minutes = 0
        }
        final class ExtraJob: Job {
            override class var formerNames: [String] { ["Overtime"] }
            var factor = 0
            var tip = 1
        }
        fileprivate final class Cost: Item {
            override class var formerNames: [String] { ["Expense"] }
            var amount = 0
        }
        final class Unused: Job { var nothing = 0 }
        final class Project: PersistentObject {
            override class var tableName: String { "project" }
            @Inverse(\Item.project) var items: [Item]
        }
    }
    enum Twice {
        class Item: PersistentObject { override class var tableName: String { "item" } }
        final class One: Item { override class var formerNames: [String] { ["Work"] } }
        final class Two: Item { override class var formerNames: [String] { ["Work"] } }
    }

    private func file(_ objects: () -> [Old.Item]) throws -> TemporaryStore {
        let file = try TemporaryStore()
        let store = try Store(file.path)
        defer { store.close() }
        try store.withSession { session throws in
            let project = Old.Project()
            let items = objects()
            for item in items { item.project = project }
            try session.save(items)
        }
        return file
    }

    @Test func `rows of a renamed class are found by fetches, inverses and counts`() throws {
        let file = try file { [Old.Item(), Old.Work(), Old.Overtime(), Old.Expense()] }
        for _ in 0..<2 {
            let store = try Store(file.path, configuration: .init(onNote: { _ in }))
            defer { store.close() }
            try store.withSession { _ throws in
                let project = try #require(try New.Project.first())
                #expect(project.items.count == 4, "\(String(describing: project.$items.problem))")
                let items = try New.Item.query.order(by: \.id).all()
                #expect(items.map { "\(type(of: $0))" } == ["Item", "Job", "ExtraJob", "Cost"])
                #expect(try New.Job.count() == 2 && New.Cost.first()?.amount == 7)
                let extra = try #require(items[2] as? New.ExtraJob)
                #expect(extra.minutes == 5 && extra.factor == 2 && extra.tip == 1)
            }
        }
        #expect(try file.sqlite("SELECT DISTINCT class FROM item ORDER BY class") == "Cost\nExtraJob\nItem\nJob")
    }

    @Test func `a former name of two classes or of no class is an error with the remedy`() throws {
        for (object, type) in [(Old.Work(), Twice.Item.self), (Old.Gone(), New.Item.self)]
            as [(Old.Item, PersistentObject.Type)]
        {
            let file = try file { [object] }
            let store = try Store(file.path, configuration: .init(onNote: { _ in }))
            defer { store.close() }
            let error = #expect(throws: StoreError.self) { try store.withSession { _ throws in _ = try type.all() } }
            #expect(error?.code == .unknownClass)
            #expect(error?.message.contains("formerNames") == true && error?.message.contains("store.prepare") == true)
        }
    }

    @Test func `the class records contain all subclasses that are not generic`() {
        let found = ClassRecords.subclasses(of: New.Item.self)
        #expect(Set(found.map { "\($0)" }) == ["Job", "ExtraJob", "Cost", "Unused"])
        #expect(ClassRecords.subclasses(of: New.Unused.self).isEmpty)
        #expect(ClassRecords.subclasses(of: PersistentObject.self).count > 100)
    }

    @Test func `in a read-only store, a renamed subclass is an error`() throws {
        let file = try file { [Old.Work()] }
        let store = try Store(file.path, configuration: .init(isReadOnly: true))
        defer { store.close() }
        let error = #expect(throws: StoreError.self) { try store.withSession { _ throws in _ = try New.Item.all() } }
        #expect(error?.code == .readOnly)
    }
}
