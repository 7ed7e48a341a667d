import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Classes that get keys, or keys of another kind.
struct KeyChangeTests {
    enum Plain {
        class Person: PersistentObject {
            override class var tableName: String { "key_person" }
            var name = ""
        }
        final class Worker: Person {}
    }
    enum Keyed<Kind: KeyKind> {
        class Person: PersistentObject {
            override class var tableName: String { "key_person" }
            override class var identity: Identity { Kind.identity }
            var name = ""
        }
        final class Worker: Person {}
    }
    enum Below<Kind: KeyKind> {
        class Root: PersistentObject {
            override class var tableName: String { "key_root" }
            override class var identity: Identity { Kind.identity }
        }
        final class Person: Root {
            override class var formerTableNames: [String] { ["key_person"] }
            var name = ""
        }
    }
    protocol KeyKind { static var identity: PersistentObject.Identity { get } }
    enum UUIDs: KeyKind { static let identity = PersistentObject.Identity.uuid }
    enum Strings: KeyKind { static let identity = PersistentObject.Identity.string }

    private func save<T: PersistentObject>(_ type: T.Type, _ file: TemporaryStore) throws {
        try StorageKinds.open(file) { store in try store.withSession { _ throws in try type.init().save() } }
    }

    private func keys<T: PersistentObject>(
        of type: T.Type, and below: PersistentObject.Type? = nil, in file: TemporaryStore
    ) throws -> [String] {
        var keys: [String?] = []
        try StorageKinds.open(file) { store in
            try store.prepare([type, below ?? type])
            try store.withSession { _ throws in
                keys = try type.all().sorted { ($0.id ?? 0) < ($1.id ?? 0) }.map { $0.key }
            }
            try expect(store.schemaPlan(for: [type]).isEmpty, true)
            try expect(store.checkIntegrity().problems.isEmpty, true)
        }
        let found = keys.compactMap { $0 }
        expect(found.count, keys.count)
        expect(Set(found).count, keys.count)
        return found
    }

    @Test func `rows that an older program inserts get keys when the newer program opens the file`() throws {
        let file = try TemporaryStore()
        try save(Plain.Person.self, file)
        try save(Plain.Worker.self, file)
        let first = try keys(of: Keyed<UUIDs>.Person.self, and: Keyed<UUIDs>.Worker.self, in: file)
        expect(first.count, 2)
        // The newer program has prepared its classes, and changes nothing else.
        try save(Plain.Person.self, file)
        try save(Plain.Worker.self, file)
        let second = try keys(of: Keyed<UUIDs>.Person.self, and: Keyed<UUIDs>.Worker.self, in: file)
        expect(second.count, 4)
        expect(Array(second.prefix(2)), first)
        try expect(keys(of: Keyed<UUIDs>.Person.self, and: Keyed<UUIDs>.Worker.self, in: file), second)
    }

    @Test func `rows that an older program inserts get keys while a class joins a superclass`() throws {
        let file = try TemporaryStore()
        try save(Plain.Person.self, file)
        let first = try keys(of: Keyed<Strings>.Person.self, and: Keyed<Strings>.Worker.self, in: file)
        try save(Plain.Person.self, file)
        try save(Below<Strings>.Root.self, file)
        let second = try keys(of: Below<Strings>.Person.self, in: file)
        expect(second.count, 2)
        #expect(second.contains(first[0]))
    }

    @Test func `a program that may change nothing reads the rows that have keys`() throws {
        let file = try TemporaryStore()
        try save(Plain.Person.self, file)
        let first = try keys(of: Keyed<UUIDs>.Person.self, and: Keyed<UUIDs>.Worker.self, in: file)
        try save(Plain.Person.self, file)
        let store = try file.open(configuration: .init(isReadOnly: true))
        try store.withSession { _ throws in
            try expect(Keyed<UUIDs>.Person.find(first[0])?.key, first[0])
            #expect(throws: StoreError.self) { try Keyed<UUIDs>.Person.all() }
        }
    }

    @Test func `UUID keys become string keys in lowercase, and string keys that are UUIDs become UUID keys`() throws {
        let file = try TemporaryStore()
        try save(Keyed<UUIDs>.Person.self, file)
        try save(Keyed<UUIDs>.Worker.self, file)
        let first = try keys(of: Keyed<UUIDs>.Person.self, and: Keyed<UUIDs>.Worker.self, in: file)
        try expect(keys(of: Keyed<Strings>.Person.self, and: Keyed<Strings>.Worker.self, in: file), first)
        try expect(file.sqlite("SELECT key FROM key_person ORDER BY id"), first.joined(separator: "\n"))
        try save(Keyed<Strings>.Worker.self, file)
        let all = try keys(of: Keyed<Strings>.Person.self, and: Keyed<Strings>.Worker.self, in: file)
        // The way back needs consent, because an older program has the same classes.
        try StorageKinds.open(file) { store in
            try store.run(store.schemaPlan(for: [Keyed<UUIDs>.Person.self, Keyed<UUIDs>.Worker.self]))
        }
        try expect(keys(of: Keyed<UUIDs>.Person.self, and: Keyed<UUIDs>.Worker.self, in: file), all)
        try StorageKinds.open(file) { store in
            try store.withSession { _ throws in
                _ = try Keyed<UUIDs>.Worker.count()
                for key in all { try expect(Keyed<UUIDs>.Person.find(key)?.key, key) }
            }
        }
    }

    @Test func `a string key that is not a UUID is refused by name, and the file is unchanged`() throws {
        let file = try TemporaryStore()
        try save(Keyed<Strings>.Person.self, file)
        _ = try file.sqlite("UPDATE key_person SET key = 'Ann'")
        let before = try file.sqlite(".dump")
        try StorageKinds.open(file) { store in
            let error = #expect(throws: SchemaError.self) { try store.prepare(Keyed<UUIDs>.Person.self) }
            guard case .notConvertible("Person", "key", 1, _, let type, let reason)? = error else {
                Issue.record("another error: \(String(describing: error))")
                return
            }
            expect(type, "UUID")
            expect(reason, "not a valid UUID: the string is not a UUID")
        }
        try expect(file.sqlite(".dump"), before)
    }
}
