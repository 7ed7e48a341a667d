import TestSupport
import Testing

@testable import PersistentObjects

/// A class that was renamed without `formerTableNames`: its rows seem lost, and a note states where they are.
struct RenamedClassNoteTests {
    enum Before {
        final class Client: PersistentObject {
            var name = ""
            var tags: [String] = []
            @Inverse(\Bill.client) var bills: [Bill]
        }

        final class Bill: PersistentObject { var client: Client? }
    }

    enum After {
        final class Customer: PersistentObject {
            var name = ""
            var tags: [String] = []
            var isActive = true
        }

        final class Firm: PersistentObject {
            var title = ""
            var words: [String] = []
        }

        final class Guest: PersistentObject { var age = 0 }

        final class Known: PersistentObject {
            override class var formerTableNames: [String] { ["client"] }
            var name = ""
            var tags: [String] = []
        }
    }

    private func notes<T: PersistentObject>(_: T.Type, _ file: TemporaryStore) throws -> [String] {
        let notes = Recorder<String>()
        var configuration = Store.Configuration()
        configuration.onNote = { notes.add($0) }
        let store = try file.open(configuration: configuration)
        defer { store.close() }
        try store.withSession { _ in _ = try T.all() }
        return notes.all.filter { $0.contains("Client") }
    }

    private func makeFile() throws -> TemporaryStore {
        let file = try TemporaryStore()
        let store = try file.open()
        defer { store.close() }
        try store.withSession { _ in
            let client = Before.Client()
            client.name = "Acme"
            client.tags = ["a"]
            try client.save()
        }
        return file
    }

    @Test func `a note is given for a new class with the properties of a missing class`() throws {
        let file = try makeFile()
        let note = try #require(try notes(After.Customer.self, file).first)
        #expect(
            note
                == "Customer: The file has a class Client with the same properties, which this program does not have. Its "
                + "rows stay in table \"client\", and Customer starts without rows. If Customer is its new name, drop the new "
                + "tables while they are empty, try session.execute(#\"DROP TABLE \"customer_tags\"\"#), try "
                + "session.execute(#\"DROP TABLE \"customer\"\"#), and write override class var formerTableNames: [String] { "
                + "[\"client\"] }")
        #expect(try notes(After.Customer.self, file) == [], "once, when the table is made")
    }

    @Test func `following the note's instructions restores the rows`() throws {
        final class Customer: PersistentObject {
            override class var tableName: String { "customer" }
            override class var formerTableNames: [String] { ["client"] }
            var name = ""
            var tags: [String] = []
            var isActive = true
        }
        let file = try makeFile()
        let store = try file.open()
        try store.withSession { session in
            #expect(try After.Customer.count() == 0)
            try session.execute(#"DROP TABLE "customer_tags""#)
            try session.execute(#"DROP TABLE "customer""#)
        }
        store.close()
        let next = try file.open()
        defer { next.close() }
        #expect(try next.withSession { _ in try Customer.all().map { "\($0.name) \($0.tags)" } } == ["Acme [\"a\"]"])
    }

    @Test func `a note is given for a class with properties of the same types`() throws {
        #expect(try notes(After.Firm.self, try makeFile()).count == 1)
    }

    @Test func `no note is given for a different class or a class that declares its former table`() throws {
        let file = try makeFile()
        #expect(try notes(After.Guest.self, file) == [])
        #expect(try notes(After.Known.self, file) == [])
    }

    @Test func `no note is given if the program has the similar class`() throws {
        let file = try TemporaryStore()
        let notes = Recorder<String>()
        var configuration = Store.Configuration()
        configuration.onNote = { notes.add($0) }
        let store = try file.open(configuration: configuration)
        try store.withSession { _ in
            _ = try Before.Client.all()
            _ = try After.Customer.all()
        }
        #expect(notes.all.filter { $0.contains("formerTableNames") } == [])
    }
}
