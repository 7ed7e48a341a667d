import Foundation
import PersistentObjects
import TestSupport
import Testing

/// Partial indexes, and indexes on expressions.
@Suite struct DeclaredIndexTests {
    enum Status: String { case open, shut }

    final class Account: PersistentObject {
        override class var tableName: String { "account" }
        var email = ""
        var name: String?
        var deletedAt: Date?
        var isActive = true
        var status = Status.open
        var width = 1
        var height = 1
        override class var indexes: [Index] {
            [
                Index(\Account.email, unique: true, where: { $0.deletedAt == nil }),
                Index(\Account.name, order: .descending, where: { $0.isActive }),
                Index(\Account.width, \Account.height, where: { $0.status == .open && $0.width > 10 }),
                Index(of: Account.self) { $0.width * $0.height },
                Index(of: Account.self, unique: true, where: { $0.status == .shut }) { $0.width + $0.height },
            ]
        }
    }

    private func account(_ email: String, _ change: (Account) -> Void = { _ in }) throws -> Account {
        let account = Account()
        account.email = email
        account.width = 100 + Int(try Account.count())
        change(account)
        try account.save()
        return account
    }

    @Test func `a partial unique index applies only to matching rows, and the error names the property`() throws {
        try withTemporarySession { session, file in
            let first = try account("a")
            let error = #expect(throws: StoreError.self) { try account("a") }
            expect(error?.code, .notUnique)
            expect(error?.problems.map(\.properties), [["email"]])
            first.deletedAt = Date()
            try first.save()
            _ = try account("a")
            try expect(Account.findByEmail("a").count, 2)
        }
    }

    @Test func `calculated values must be unique`() throws {
        try withTemporarySession { _, _ in
            _ = try account("a") { ($0.status, $0.width, $0.height) = (.shut, 1, 4) }
            _ = try account("b") { ($0.width, $0.height) = (2, 3) }
            let error = #expect(throws: StoreError.self) {
                try account("c") { ($0.status, $0.width, $0.height) = (.shut, 3, 2) }
            }
            #expect(error?.code == .notUnique)
        }
    }

    @Test func `an error for a calculated value names its properties`() throws {
        try withTemporarySession { _, _ in
            _ = try account("a") { ($0.status, $0.width, $0.height) = (.shut, 1, 4) }
            let error = #expect(throws: StoreError.self) {
                try account("c") { ($0.status, $0.width, $0.height) = (.shut, 3, 2) }
            }
            #expect(error?.problems.map(\.properties) == [["width", "height"]])
        }
    }

    @Test(.onSQLite("asks how SQLite does it")) func `queries use declared indexes`() throws {
        try withTemporarySession { _, _ in
            _ = try account("a")
            func plan(_ query: Query<Account>) throws -> String { try query.explain() }
            #expect(
                try plan(Account.where { $0.email == "a" && $0.deletedAt == nil }).contains(
                    "USING INDEX account.email."))
            #expect(try plan(Account.where { $0.email == "a" }).contains("USING INDEX account.email.") == false)
            let named = try plan(Account.where { $0.isActive && $0.name == "x" })
            #expect(named.contains("USING INDEX account.name.") && named.contains(".index.descending"))
            #expect(try plan(Account.where { $0.width * $0.height > 40 }).contains("USING INDEX account.width,height."))
        }
    }

    @Test(.onSQLite("asks SQLite's tool"))
    func `other programs can write to the table, and unique indexes apply to them`() throws {
        try withTemporaryStore { store, file in
            try store.withSession { _ in _ = try account("a") }
            _ = try file.sqlite("INSERT INTO account (email, width) VALUES ('b', 7)")
            #expect(throws: (any Error).self) { try file.sqlite("INSERT INTO account (email) VALUES ('b')") }
            #expect(
                try file.sqlite("SELECT sql FROM sqlite_schema WHERE name LIKE 'account.email.%'").hasSuffix(
                    "ON \"account\" (\"email\") WHERE \"deleted_at\" IS NULL"))
        }
    }

    @Test func `a changed or removed declaration drops the old index`() throws {
        enum New {
            final class Account: PersistentObject {
                override class var tableName: String { "account" }
                var email = ""
                var deletedAt: Date?
                override class var indexes: [Index] {
                    [Index(\Account.email, unique: true, where: { $0.deletedAt != nil })]
                }
            }
        }
        enum None {
            final class Account: PersistentObject {
                override class var tableName: String { "account" }
                var email = ""
                var deletedAt: Date?
            }
        }
        let file = try TemporaryStore()
        try file.open().withSession { _ in _ = try account("a") }
        let store = try file.open()
        try store.withSession { _ in
            // Values that the old index forbade are allowed.
            for _ in 0..<2 {
                let account = New.Account()
                account.email = "a"
                try account.save()
            }
        }
        try expect(store.schemaPlan(for: New.Account.self).statements, [])
        store.close()
        try file.open().withSession { _ in
            for _ in 0..<2 {
                let account = None.Account()
                account.email = "a"
                account.deletedAt = Date()
                try account.save()
            }
            try expect(None.Account.count(), 5)
        }
    }

    @Test func `duplicate rows that match the index condition are reported, and other rows are not`() throws {
        enum Old {
            final class Account: PersistentObject {
                override class var tableName: String { "account" }
                var email = ""
                var name: String?
                var deletedAt: Date?
            }
        }
        let file = try TemporaryStore()
        try file.open().withSession { _ in
            for deleted in [nil, nil, Date(), Date()] {
                let account = Old.Account()
                account.deletedAt = deleted
                try account.save()
            }
        }
        try file.open().withSession { _ in
            let error = #expect(throws: SchemaError.self) { try Account.count() }
            guard case .notUnique("Account", _, ["2 rows from 1 to 2"]) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    @Test func `an indexed column can be renamed, converted and removed`() throws {
        enum New {
            final class Account: PersistentObject {
                override class var tableName: String { "account" }
                @Column("mail", renamedFrom: "email") var email = ""
                var width = ""
                var status = Status.open
                override class var indexes: [Index] {
                    [
                        Index(\Account.email, unique: true, where: { $0.status == .open }),
                        Index(\Account.width, where: { $0.width > "3" }),
                    ]
                }
            }
        }
        let file = try TemporaryStore()
        try file.open().withSession { _ in _ = try account("a") }
        var configuration = Store.Configuration()
        configuration.schemaChanges = .dropping
        try file.open(configuration: configuration).withSession { _ in
            let account = try #require(try New.Account.first())
            #expect(account.email == "a" && account.width == "100")
        }
        #expect(try file.isSound)
    }

    @Test func `an index that other programs could not maintain is refused with the reason`() throws {
        try withTemporarySession { _, _ in
            func refusal(_ count: () throws -> Int) throws -> String {
                let error = #expect(throws: SchemaError.self) { try count() }
                return "\(try #require(error))"
            }
            let lower = try refusal { try Lowered.count() }
            #expect(lower.hasPrefix("Lowered: An index cannot be created: it may compare properties"))
            let chained = try refusal { try Chained.count() }
            #expect(chained.contains("it may name only stored properties of Chained itself"))
            #expect(try refusal { try Parted.count() }.contains("parts of Codable values"))
            #expect(try refusal { try Listed.count() }.contains("Other operations need functions"))
        }
    }

    final class Lowered: PersistentObject {
        var name = ""
        override class var indexes: [Index] { [Index(of: Lowered.self) { $0.name.lowercased() }] }
    }

    final class Chained: PersistentObject {
        var account: Account?
        var name = ""
        override class var indexes: [Index] { [Index(\Chained.name, where: { $0.account.email == "a" })] }
    }

    struct Place: Codable { var city = "" }

    final class Parted: PersistentObject {
        var place = Place()
        override class var indexes: [Index] { [Index(of: Parted.self) { $0.place.city }] }
    }

    final class Listed: PersistentObject {
        var name = ""
        override class var indexes: [Index] { [Index(\Listed.name, where: { $0.name.isIn(["a", "b"]) })] }
    }
}
