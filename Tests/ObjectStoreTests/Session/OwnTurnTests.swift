import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// A write that would wait for another write of the same thread, which cannot end first: it is an error at once.
struct OwnTurnTests {
    final class Person: PersistentObject {
        @TaskLocal static var beforeSave: Hook?
        override class var tableName: String { "turn_person" }
        var name = ""

        override func willSave() throws { try Person.beforeSave?() }
    }

    final class Note: PersistentObject {
        override class var tableName: String { "turn_note" }
        var text = ""
    }

    /// With this timeout, a write that waits would end with `busy`.
    private static func withStore(_ body: (Store) throws -> Void) throws {
        let store = try Store.temporary(configuration: .init(busyTimeout: .seconds(20)))
        try store.prepare(Person.self)
        try body(store)
    }

    private static func expectMisuse(
        _ words: [String], sourceLocation: SourceLocation = #_sourceLocation, _ use: () throws -> Void
    ) {
        let error = #expect(throws: StoreError.self, sourceLocation: sourceLocation) { try use() }
        expect(error?.code, .misuse, sourceLocation: sourceLocation)
        for word in words { #expect("\(error as Any)".contains(word), sourceLocation: sourceLocation) }
    }

    @Test func `a save inside another session's transaction is an error that names the transaction`() throws {
        try Self.withStore { store in
            try store.withSession { outer in
                try outer.transaction {
                    try store.withSession { inner in
                        Self.expectMisuse(["would deadlock", "a transaction of another session"]) {
                            try Person().save()
                        }
                        Self.expectMisuse(["would deadlock"]) { try inner.transaction {} }
                    }
                    try outer.save([Person()])
                    try store.withSession { _ in
                        Self.expectMisuse(["has saved Person #1"]) { try Person().save() }
                    }
                }
                try expect(Person.count(), 1)
                try store.withSession { _ in try Person().save() }
            }
        }
    }

    @Test func `a save inside another session's save is refused only while that save holds the write lock`() throws {
        try Self.withStore { store in
            try store.withSession { session in
                let hook = Hook {
                    try store.withSession { _ in try Person.$beforeSave.withValue(nil) { try Person().save() } }
                }
                try session.transaction {
                    Self.expectMisuse(["a transaction of another session"]) {
                        try Person.$beforeSave.withValue(hook) { try Person().save() }
                    }
                }
                // Outside a transaction, hooks run before the write lock is taken, so no write has to wait.
                try Person.$beforeSave.withValue(hook) { try Person().save() }
                try expect(Person.count(), 2)
                try session.write {
                    try store.withSession { _ in
                        Self.expectMisuse(["a save or deletion of another session"]) { try Person().save() }
                    }
                }
            }
        }
    }

    @Test func `using a class whose table an open transaction created is an error with the reason`() throws {
        try Self.withStore { store in
            try store.withSession { outer in
                try outer.transaction {
                    try Note().save()
                    try store.withSession { _ in
                        Self.expectMisuse(["Note: ", "The table must be created", "creates the tables of Note"]) {
                            _ = try Note.count()
                        }
                    }
                }
                try store.withSession { _ throws in try expect(Note.count(), 1) }
            }
        }
    }

    @Test func `untracked objects of an unused class can be read in a transaction`() throws {
        try Self.withStore { store in
            try store.withSession { session in
                try session.transaction { () throws in #expect(try Note.query.untracked().all().isEmpty) }
                try expect(Note.count(), 0)
            }
        }
    }

    @Test func `an in-memory store refuses a second session inside a transaction`() throws {
        let store = try Store.inMemory(configuration: .init(busyTimeout: .seconds(20)))
        try store.prepare(Person.self)
        try store.withSession { session in
            try session.transaction {
                Self.expectMisuse(["would deadlock", "in memory"]) { try store.withSession { _ in } }
                try Person().save()
            }
            try store.withSession { _ in try Person().save() }
            try expect(Person.count(), 2)
        }
    }

    @Test func `another thread waits for the write lock`() throws {
        let store = try Store.temporary(configuration: .init(busyTimeout: .seconds(600)))
        try store.prepare(Person.self)
        let end = DispatchSemaphore(value: 0)
        try store.withSession { session in
            try session.transaction {
                try Person().save()
                Thread.detachNewThread {
                    #expect(throws: Never.self) { try store.withSession { _ in try Person().save() } }
                    end.signal()
                }
                while store.writers.waiterCount == 0 { Thread.sleep(forTimeInterval: 0.001) }
            }
            end.wait()
            #expect(try Person.count() == 2)
        }
    }
}
