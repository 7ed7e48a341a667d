import Foundation
import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// `reading { }` runs several queries on one state of the database.
@Suite struct ReadingTests {
    final class Account: PersistentObject {
        override class var tableName: String { "reading_account" }
        var balance = 0

        convenience init(_ balance: Int) {
            self.init()
            self.balance = balance
        }
    }

    final class Unused: PersistentObject {
        override class var tableName: String { "reading_unused" }
        var name = ""
    }

    /// The writer of a change.
    enum Writer: CaseIterable { case session, process }

    private static func write(_ writer: Writer, _ sql: String, _ store: Store, _ file: TemporaryStore) throws {
        switch writer {
        case .process: _ = try file.sqlite(sql)
        case .session: try store.withSession { session in _ = try session.execute(sql) }
        }
    }

    private static let raise = "UPDATE reading_account SET balance = balance + 10"

    /// Expects the misuse error of a write.
    private static func expectRefusal(
        of writing: () throws -> Void, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let error = failing(StoreError.self, sourceLocation: sourceLocation) { try writing() }
        expect(error?.code, .misuse, sourceLocation: sourceLocation)
        expect(error?.message.contains("in reading { }"), true, sourceLocation: sourceLocation)
    }

    @Test(arguments: Writer.allCases)
    func `commits of other writers appear after reading`(writer: Writer) throws {
        try withTemporarySession { session, file throws in
            let accounts = [Account(1), Account(2)]
            try session.save(accounts)
            let sums = try session.reading {
                let before = try Account.query.sum(\.balance)
                try Self.write(writer, Self.raise, session.store, file)
                try expect(Account.all().map(\.balance), [1, 2])
                try expect(Account.where { $0.balance > 5 }.count(), 0)
                return (before, try Account.query.sum(\.balance))
            }
            #expect(sums.0 == 3 && sums.1 == 3)
            #expect(!session.isInFileTransaction)
            try expect(Account.query.sum(\.balance), 23)
            #expect(try Account.all() == accounts && accounts.map(\.balance) == [11, 12])
            accounts[0].balance += 1
            try accounts[0].save()
            try expect(file.sqlite("SELECT balance FROM reading_account ORDER BY id"), "12\n12")
        }
    }

    @Test(arguments: Writer.allCases)
    func `in reading, find refreshes objects to the state of the reading`(writer: Writer) throws {
        try withTemporarySession { session, file throws in
            let accounts = [Account(1), Account(2), Account(3)]
            try session.save(accounts)
            _ = try Account.all()
            try Self.write(writer, Self.raise, session.store, file)
            try expect(Account.find(1)?.balance, 1, "a find outside of it reads nothing")
            try session.reading { () throws in
                try expect(Account.find(1)?.balance, 11)
                try Self.write(writer, Self.raise, session.store, file)
                try expect(Account.find(2)?.balance, 12)
                try expect(Account.find([3, 1]).map(\.balance), [13, 11])
                #expect(try Account.find(1) === accounts[0])
            }
            try Self.write(writer, "DELETE FROM reading_account WHERE id = 2", session.store, file)
            try session.reading { () throws in
                #expect(try Account.find(2) == nil)
                try expect(Account.find([1, 2, 3]).map(\.balance), [21, 23])
            }
            try expect(Account.all().map(\.balance), [21, 23])
        }
    }

    @Test func `edits are kept in reading and conflict with other writers' changes when saved`() throws {
        try withTemporarySession { session, file throws in
            let account = Account(1)
            try account.save()
            account.balance = 5
            try session.reading { () throws in
                try Self.write(.process, Self.raise, session.store, file)
                #expect(try Account.all() == [account] && account.balance == 5)
            }
            expect(failing(StoreError.self) { try account.save() }?.code, .staleObject)
            session.conflictPolicy = .mine
            try account.save()
            try expect(file.sqlite("SELECT balance FROM reading_account"), "5")
        }
    }

    @Test func `writes in reading throw and run no statement`() throws {
        try withTemporarySession { session, file throws in
            let account = Account(1)
            try account.save()
            account.balance = 2
            var statements: [String] = []
            let listener = Session.StatementListener { statements.append($0) }
            try session.reading { () throws in
                try session.add(listener)
                Self.expectRefusal { try account.save() }
                Self.expectRefusal { try session.saveChanges() }
                Self.expectRefusal { try Account(7).save() }
                Self.expectRefusal { try account.delete() }
                Self.expectRefusal { _ = try Account.deleteAll() }
                Self.expectRefusal { _ = try session.execute("DELETE FROM reading_account") }
                Self.expectRefusal { _ = try Account.query.update { $0.balance = 9 } }
                Self.expectRefusal { _ = try Account.query.delete() }
                Self.expectRefusal { try session.transaction {} }
                Self.expectRefusal { try Store.transaction { try account.save() } }
                session.remove(listener)
            }
            #expect(statements.isEmpty)
            #expect(account.hasChanges && account.balance == 2)
            try account.save()
            try expect(file.sqlite("SELECT id, balance FROM reading_account"), "1|2")
        }
    }

    @Test func `refresh is allowed in reading`() throws {
        try withTemporarySession { session, file throws in
            let account = Account(1)
            try account.save()
            try Self.write(.process, Self.raise, session.store, file)
            try session.reading { () throws in
                try session.refresh()
                expect(account.balance, 11)
                #expect(!account.hasChanges)
            }
        }
    }

    @Test func `nested readings are one reading, and a reading in a transaction is part of it`() throws {
        try withTemporarySession { session, file throws in
            try Account(1).save()
            try session.reading {
                try Self.write(.process, Self.raise, session.store, file)
                try session.reading { () throws in try expect(Account.query.sum(\.balance), 1) }
                try expect(Account.query.sum(\.balance), 1)
                Self.expectRefusal { try Account(3).save() }
            }
            try session.transaction {
                try Account(4).save()
                try session.reading { () throws in
                    try expect(Account.query.sum(\.balance), 15)
                    try Account(5).save()
                }
            }
            try expect(Account.query.sum(\.balance), 20)
        }
    }

    @Test func `an error ends reading`() throws {
        struct Boom: Error {}
        try withTemporarySession { session, file throws in
            try Account(1).save()
            failing(Boom.self) { try session.reading { () throws in throw Boom() } }
            #expect(!session.isInFileTransaction)
            failing(StoreError.self) { try session.reading { () throws in _ = try session.rows("SELECT nonsense") } }
            #expect(!session.isInFileTransaction)
            try Account(2).save()
            try expect(file.sqlite("SELECT count(*) FROM reading_account"), "2")
        }
    }

    @Test func `tables are created before the first read of reading, and later creation throws`() throws {
        try withTemporarySession { session, file throws in
            try session.reading { () throws in
                try expect(Account.count(), 0)
                Self.expectRefusal { try Account(1).save() }
            }
            try session.reading { () throws in
                try expect(Account.count(), 0)
                let error = failing(StoreError.self) { _ = try Unused.count() }
                #expect(error?.code == .misuse && error?.className == "Unused")
                expect(error?.message.contains("The table must be created"), true)
                try Self.write(.session, "INSERT INTO reading_account (balance) VALUES (3)", session.store, file)
                try expect(Account.count(), 0)
            }
            #expect(try Unused.count() == 0 && Account.count() == 1)
        }
    }

    @Test func `objects loaded lazily in reading have its state`() throws {
        try withTemporarySession { session, file throws in
            try session.save((0..<2500).map { _ in Account(1) })
            try session.reading {
                let results = try Account.query.lazily()
                try expect(results[0].balance, 1)
                try Self.write(.process, Self.raise, session.store, file)
                try expect(results[2400].balance, 1)
                var count = 0
                try Account.query.forEachBatch(of: 100) { batch in count += batch.count { $0.balance == 1 } }
                expect(count, 2500)
            }
            try expect(Account.query.sum(\.balance), 27_500)
        }
    }

    @Test(.onSQLite("a server has no mark that tells which commits there were"))
    func `in a session that listens to commits, reading keeps its state`() throws {
        try withTemporarySession { session, file throws in
            let accounts = (0..<300).map { _ in Account(1) }
            try session.save(accounts)
            session.memory.listenToCommits()
            for round in 1...3 {
                try session.reading { () throws in
                    let before = try Account.all().map(\.balance)
                    try session.store.withSession { other in
                        _ = try other.execute("UPDATE reading_account SET balance = balance + 1 WHERE id = 7")
                    }
                    try expect(Account.all().map(\.balance), before)
                    expect(accounts[6].balance, round)
                }
                #expect(try Account.all() == accounts && accounts[6].balance == round + 1)
            }
        }
    }

    @Test func `a read-only store supports reading`() throws {
        let file = try TemporaryStore()
        try file.open().withSession { _ in try Account(1).save() }
        let store = try file.open(configuration: .init(isReadOnly: true))
        try store.withSession { session throws in
            try session.reading { () throws in
                try expect(Account.query.sum(\.balance), 1)
                try Self.write(.process, Self.raise, store, file)
                try expect(Account.query.sum(\.balance), 1)
            }
            try expect(Account.query.sum(\.balance), 11)
        }
    }

    @Test func `the current session and the session of perform support reading`() async throws {
        let file = try TemporaryStore()
        let store = try file.open()
        try store.withSession { _ in
            try Account(1).save()
            try expect(Store.reading { try Account.count() }, 1)
        }
        let sums = try await store.perform { session in
            try session.reading {
                let before = try Account.query.sum(\.balance)
                try store.withSession { other in _ = try other.execute(Self.raise) }
                return [before, try Account.query.sum(\.balance)]
            }
        }
        expect(sums, [1, 1])
    }
}
