import Foundation
import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// Stores: their location, configuration and end.
struct StoreTests {
    final class Person: PersistentObject {
        override class var tableName: String { "person" }
        var name = ""
    }

    /// A class that uses the store bound to the task.
    final class Bound: PersistentObject {
        @TaskLocal static var current: Store?
        override class var tableName: String { "bound" }
        override class var store: Store? { current }
        var name = ""
    }

    @Test func `a store in a file has its path and keeps saved objects`() throws {
        let file = try TemporaryStore()
        try expect(file.open().path, file.path)
        try file.open().withSession { _ in try Person().save() }
        try file.open().withSession { _ throws in try expect(Person.count(), 1) }
        try expect(file.sqlite("PRAGMA journal_mode; PRAGMA application_id"), "wal\n1347371594")
    }

    @Test func `an in-memory store is shared by its sessions, and is released with its data`() throws {
        weak var last: Store?
        try {
            let store = try Store.inMemory()
            last = store
            #expect(store.path == nil)
            try store.withSession { _ throws in
                try Person().save()
                try store.withSession { inner in
                    let names = try Person.all().map(\.name)
                    expect(names, [""])
                    try Person().save()
                }
                try expect(Person.all().count, 2)
            }
            try expect(store.withSession { _ in try Person.count() }, 2)
            let other = try Store.inMemory()
            try expect(other.withSession { _ in try Person.count() }, 0, "each has a database of its own")
        }()
        #expect(last == nil)
    }

    @Test func `the files of a temporary store are deleted with it`() throws {
        var path = ""
        try {
            let store = try Store.temporary()
            path = try #require(store.path)
            try store.withSession { _ in try Person().save() }
            #expect(FileManager.default.fileExists(atPath: path))
            try expect(SQLiteTool.run(path, "SELECT count(*) FROM person"), "1")
        }()
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(!FileManager.default.fileExists(atPath: URL(filePath: path).deletingLastPathComponent().path))
    }

    @Test func `a temporary store is kept while one of its sessions is open`() throws {
        var store: Store? = try Store.temporary()
        let path = try #require(store?.path)
        let session = try Session(try #require(store))
        store = nil
        try session.save([Person()])
        #expect(FileManager.default.fileExists(atPath: path))
    }

    @Test func `a closed store refuses all calls, and can be closed twice`() throws {
        for store in try [Store.inMemory(), Store.temporary()] {
            try store.withSession { _ in try Person().save() }
            store.close()
            store.close()
            for use in [
                { try store.withSession { _ in } }, { try store.prepare(Person.self) }, { _ = try store.mainSession() },
            ] as [() throws -> Void] {
                let error = #expect(throws: StoreError.self) { try use() }
                #expect(error?.code == .sessionEnded && error?.message.contains("closed") == true)
            }
        }
    }

    @Test func `close ends the main session, and its objects keep their values`() throws {
        let file = try TemporaryStore()
        let store = try file.open()
        try Bound.$current.withValue(store) {
            let object = Bound()
            object.name = "kept"
            try object.save()
            #expect(try Bound.find(1) === object)
            store.close()
            object.name = "edited"
            for use in [
                { try object.save() }, { try object.delete() }, { _ = try Bound.find(1) }, { try Bound().save() },
            ] {
                let error = #expect(throws: StoreError.self) { try use() }
                #expect(error?.code == .sessionEnded)
            }
            #expect(object.name == "edited" && object.hasChanges)
        }
        #expect(try file.sqlite("SELECT name FROM bound") == "kept")
    }

    @Test func `all calls outside a session share the main session`() throws {
        let file = try TemporaryStore()
        let store = try file.open()
        #expect(try store.mainSession() === store.mainSession())
        try Bound.$current.withValue(store) {
            let object = Bound()
            try object.save()
            #expect(try Bound.find(1) === object)
            try store.withSession { _ throws in
                #expect(try Bound.find(1) !== object)
            }
        }
        store.close()
    }

    @Test func `the configuration can be read and changed`() throws {
        let notes = Recorder<String>()
        let file = try TemporaryStore()
        let store = try Store(
            file.path,
            configuration: .init(durability: .relaxed, busyTimeout: .seconds(2), lostEdits: .ignore) { notes.add($0) }
        )
        #expect(store.configuration.busyTimeout == .seconds(2) && !store.connectionOptions.isFullyDurable)
        expect(store.connectionOptions.busyTimeout, 2000)
        let synchronous = try store.withSession { try $0.connection.prepare("PRAGMA synchronous").firstInteger() }
        expect(synchronous, 1)
        store.configuration.durability = .full
        store.configuration.busyTimeout = .milliseconds(1500)
        store.configuration.onNote("a note")
        #expect(notes.all == ["a note"] && store.connectionOptions.busyTimeout == 1500)
        try expect(store.withSession { try $0.connection.prepare("PRAGMA synchronous").firstInteger() }, 2)
        try expect(store.withSession { ($0.connection as? SQLiteConnection)?.busyTimeout }, 1500)
        for (timeout, milliseconds) in [
            (Duration.seconds(Int64.max), Int32.max), (.seconds(-5), 0), (.microseconds(1), 0),
        ] {
            store.configuration.busyTimeout = timeout
            expect(store.connectionOptions.busyTimeout, milliseconds)
        }
    }

    @Test func `the default configuration is the safe one`() {
        let configuration = Store.Configuration()
        expect(configuration.busyTimeout, .seconds(5))
        guard case .full = configuration.durability else {
            Issue.record("full durability is the default")
            return
        }
        guard case .keep = configuration.lostEdits else {
            Issue.record("edits stay with their session by default")
            return
        }
    }

    @Test func `a blocked writer gets an error with the reason, and can save later`() throws {
        let file = try TemporaryStore()
        let store = try file.open(configuration: .init(busyTimeout: .milliseconds(50)))
        let other = try file.open()
        try store.withSession { session throws in
            _ = try Person.count()
            let person = Person()
            try other.withSession { theirs throws in
                try theirs.write { () throws in
                    let error = #expect(throws: StoreError.self) { try session.save([person]) }
                    // The other store of the same file shares the write lock, so this thread would wait for itself.
                    #expect(error?.code == .misuse && error?.message.contains("would deadlock") == true)
                    let found = try session.object(for: PersistentID<Person>(1))
                    #expect(found == nil, "readers are not kept out")
                }
            }
            try store.withSession { theirs throws in
                let crate = Smuggled((session, person))
                try theirs.write {
                    let end = DispatchSemaphore(value: 0)
                    Thread.detachNewThread {
                        let error = #expect(throws: StoreError.self) { try crate.value.0.save([crate.value.1]) }
                        #expect(error?.code == .busy && error?.message.contains("50 ms") == true)
                        end.signal()
                    }
                    end.wait()
                }
            }
            #expect(person.isNew)
            try person.save()
            #expect(try Person.count() == 1)
        }
    }
}

extension Statement {
    fileprivate func firstInteger() throws -> Int64? { try step() ? integer(0) : nil }
}
