import Foundation
import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// Several stores on one file in a process, and releasing memory.
@Suite(.onSQLite("a server's database is no file"))
struct SameFileTests {
    final class Person: PersistentObject {
        override class var tableName: String { "person" }
        var name = ""

        convenience init(_ name: String) {
            self.init()
            self.name = name
        }
    }

    @Test func `stores on the same file share a write lock, and other stores do not`() throws {
        let (file, other) = (try TemporaryStore(), try TemporaryStore())
        let (first, second) = (try file.open(), try file.open())
        #expect(first.writers === second.writers)
        #expect(try first.writers !== other.open().writers)
        #expect(try Store.inMemory().writers !== Store.inMemory().writers)
    }

    @Test func `a second store waits for the write lock, and on the same thread it throws at once`() throws {
        let file = try TemporaryStore()
        let configuration = Store.Configuration(busyTimeout: .seconds(60))
        let (first, second) = (try file.open(configuration: configuration), try file.open(configuration: configuration))
        try first.prepare(Person.self)
        try second.prepare(Person.self)
        let end = DispatchSemaphore(value: 0)
        try first.withSession { session in
            try session.transaction {
                try Person("one").save()
                try second.withSession { _ throws in
                    let error = #expect(throws: StoreError.self) { try Person("inside").save() }
                    #expect(error?.code == .misuse && error?.message.contains("would deadlock") == true)
                    #expect(try Person.count() == 0)
                }
                Thread.detachNewThread {
                    #expect(throws: Never.self) { try second.withSession { _ in try Person("two").save() } }
                    end.signal()
                }
                while second.writers.waiterCount == 0 { Thread.sleep(forTimeInterval: 0.001) }
            }
        }
        end.wait()
        #expect(try file.sqlite("SELECT group_concat(name) FROM person") == "one,two")
        second.close()
        try first.withSession { _ in try Person("three").save() }
        #expect(try file.sqlite("SELECT count(*) FROM person") == "3")
    }

    @Test func `memory can be released at any time, and the session can continue`() throws {
        let file = try TemporaryStore()
        let store = try file.open()
        try store.withSession { session throws in
            let joe = Person("Joe")
            try joe.save()
            try session.save((0..<5000).map { Person("\($0)") })
            _ = try Person.all()
            // While a call of this thread uses it, and while no call does.
            try session.transaction {
                store.releaseMemory()
                joe.name = "James"
                try joe.save()
            }
            store.releaseMemory()
            #expect(try Person.find(1) === joe && Person.count() == 5001)
            var first = true
            for person in try Person.query.limit(3).all() {
                if first { store.releaseMemory() }
                first = false
                person.name += "!"
                try person.save()
            }
        }
        store.releaseMemory()
        try expect(store.withSession { _ in try Person.find(1)?.name }, "James!")
        store.close()
        store.releaseMemory()
    }
}
