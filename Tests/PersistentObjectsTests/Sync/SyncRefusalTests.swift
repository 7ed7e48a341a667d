import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Classes and properties that cannot be synced.
struct SyncRefusalTests {
    class Base: PersistentObject {
        override class var identity: Identity { .uuid }
        override class var isSynced: Bool { true }
    }
    final class Sub: Base { override class var isSynced: Bool { false } }
    final class Numbered: PersistentObject { override class var isSynced: Bool { true } }
    final class Existing: PersistentObject {
        override class var isSynced: Bool { true }
        override class var origin: TableOrigin { .existing }
        var name = ""
    }
    final class Fixed: PersistentObject {
        override class var identity: Identity { .string }
        override class var isSynced: Bool { true }
        override class var isReadOnly: Bool { true }
        var name = ""
    }
    final class Local: PersistentObject { var name = "" }
    final class Leading: PersistentObject {
        override class var identity: Identity { .uuid }
        override class var isSynced: Bool { true }
        var local: Local?
    }
    final class Listing: PersistentObject {
        override class var identity: Identity { .uuid }
        override class var isSynced: Bool { true }
        var locals: [Local] = []
    }
    final class Kept: PersistentObject {
        override class var identity: Identity { .uuid }
        override class var isSynced: Bool { true }
        override class var keepsEdited: Bool { true }
        @Inverse(\Part.whole, onDelete: .cascade) var parts: [Part]
    }
    final class Part: PersistentObject {
        override class var identity: Identity { .uuid }
        override class var isSynced: Bool { true }
        var whole: Kept?
    }
    final class Text: PersistentObject { @Merged(.max) var name = "" }
    final class List: PersistentObject { @Merged(.counter) var numbers: [Int] = [] }
    final class Missing: PersistentObject { @Merged(.counter) var stars: Int? }
    final class Exact: PersistentObject { @Merged(.counter) var price: Decimal = 0 }
    final class Unknown: PersistentObject {
        override class var mergeRules: [String: MergeRule] { ["star": .counter] }
        var stars = 0
    }
    final class Twin: PersistentObject {
        override class var mergeRules: [String: MergeRule] { ["stars": .counter] }
        var stars = 0
        @Merged(.min) var opened = Date(timeIntervalSinceReferenceDate: 0)
        @Merged(.max) var price: Decimal?
    }

    @Test func `a class that cannot be synced is refused with the remedy`() {
        func refusal(_ type: PersistentObject.Type) -> SchemaError? {
            #expect(throws: SchemaError.self) { try ClassMap.map(of: type) }
        }
        expect(refusal(Sub.self), .syncDiffers(className: "Sub", root: "Base"))
        for (type, property, remedy) in [
            (Numbered.self, nil, "identity: Identity { .uuid }"), (Existing.self, nil, "existing table"),
            (Fixed.self, nil, "isReadOnly"), (Leading.self, "local", "isSynced: Bool { true } in Local"),
            (Listing.self, "locals", "isSynced: Bool { true } in Local"),
            (Kept.self, "parts", "keepsEdited: Bool { true } in Part"),
        ] as [(PersistentObject.Type, String?, String)] {
            guard case .notSyncable(let name, property, _)? = refusal(type) else {
                Issue.record("\(type) is not refused for \(property ?? "itself")")
                continue
            }
            expect(name, "\(type)")
            #expect("\(refusal(type).map { "\($0)" } ?? "")".contains(remedy))
        }
    }

    @Test(.onSQLite("PostgreSQL captures no changes")) func `a saved object keeps its key`() throws {
        try SyncModel.withSession { session, _ in
            let team = SyncModel.Team()
            let key = UUID().uuidString.lowercased()
            try team.setKey(key)
            try team.save()
            let error = #expect(throws: StoreError.self) { try team.setKey(UUID().uuidString) }
            #expect(error?.code == .misuse && team.key == key)
        }
    }

    @Test func `a merge rule is refused for other types`() throws {
        for (type, property) in [
            (Text.self, "name"), (List.self, "numbers"), (Missing.self, "stars"), (Exact.self, "price"),
        ] as [(PersistentObject.Type, String)] {
            let error = #expect(throws: SchemaError.self) { try ClassMap.map(of: type) }
            guard case .notStorable(_, property, _, _)? = error else {
                Issue.record("\(type).\(property) is not refused")
                continue
            }
        }
        #expect(throws: SchemaError.unknownProperty(className: "Unknown", property: "star", place: "mergeRules")) {
            try ClassMap.map(of: Unknown.self)
        }
        let map = try ClassMap.map(of: Twin.self)
        expect(map.declaredProperties.map(\.mergeRule), [.counter, .min, .max])
    }

    @Test func `an engine without triggers refuses a synced class by name`() throws {
        let file = try TemporaryStore()
        let store = try Store(file.path, engine: LoggingEngine(lacking: .capture))
        defer { store.close() }
        let error = #expect(throws: StoreError.self) { try store.prepare(SyncModel.Team.self) }
        #expect(error?.code == .unsupported && error?.className == "Team")
    }
}
