import TestSupport
import Testing

@testable import PersistentObjects

/// A transaction is committed completely or not at all, and the session stays usable.
struct TransactionTests {
    struct Veto: Error {}

    @Test func `the changes of a transaction are committed together`() throws {
        try withTemporarySession { session, file throws in
            let (from, to) = (Shop.account("A", 100), Shop.account("B"))
            let result = try session.transaction { () throws in
                try session.save([from, to])
                from.balance -= 30
                to.balance += 30
                try session.save([from, to])
                return from.balance
            }
            expect(result, 70)
            try expect(file.sqlite("SELECT owner, balance FROM shop_account ORDER BY id"), "A|70\nB|30")
            #expect(!from.hasChanges && from.id == 1)
        }
    }

    @Test func `other programs see nothing before the commit`() throws {
        try withTemporarySession { session, file throws in
            _ = try Shop.Account.count()
            try session.transaction { () throws in
                try Shop.account("A").save()
                try expect(Shop.Account.count(), 1)
                try expect(file.sqlite("SELECT count(*) FROM shop_account"), "0")
            }
            try expect(file.sqlite("SELECT count(*) FROM shop_account"), "1")
        }
    }

    @Test func `rollBack ends the transaction without an error and returns the result`() throws {
        try withTemporarySession { session, file throws in
            let joe = Shop.account("Joe", 1)
            try joe.save()
            let count = try session.transaction { () throws in
                try joe.delete()
                session.rollBack()
                return try Shop.Account.count()
            }
            expect(count, 0)
            #expect(!joe.isDeleted)
            try expect(file.sqlite("SELECT count(*) FROM shop_account"), "1")
            session.rollBack()
            joe.balance = 8
            try joe.save()
            try expect(file.sqlite("SELECT balance FROM shop_account"), "8")
        }
    }

    @Test func `a failed save in a transaction keeps the other changes`() throws {
        try withTemporarySession { session, file throws in
            let (joe, ann) = (Shop.account("Joe"), Shop.account("Ann"))
            joe.number = 1
            ann.number = 1
            let other = Shop.account("Other")
            try session.transaction { () throws in
                try joe.save()
                let error = #expect(throws: StoreError.self) { try session.save([other, ann]) }
                #expect(error?.code == .notUnique)
                #expect(ann.isNew && ann.number == 1 && other.isNew)
                ann.number = 2
                try session.save([other, ann])
            }
            #expect(try file.sqlite("SELECT owner, number FROM shop_account ORDER BY owner") == "Ann|2\nJoe|1\nOther|")
        }
    }

    @Test func `the table of a class first used in a rolled back transaction is kept`() throws {
        final class Late: PersistentObject {
            override class var tableName: String { "late" }
            var x = 0
        }
        try withTemporarySession { session, file throws in
            let late = Late()
            #expect(throws: Veto.self) {
                try session.transaction { () throws in
                    try late.save()
                    throw Veto()
                }
            }
            #expect(late.isNew)
            #expect(try file.sqlite("SELECT count(*) FROM late") == "0")
            try late.save()
            #expect(try Late.count() == 1)
            try session.store.withSession { _ throws in #expect(try Late.count() == 1) }
        }
    }

    @Test func `reset is refused inside a transaction`() throws {
        try withTemporarySession { session, _ throws in
            try session.transaction { () throws in
                let error = #expect(throws: StoreError.self) { try session.reset() }
                #expect(error?.code == .misuse)
            }
        }
    }

    @Test func `static calls belong to the transaction of the current session`() throws {
        let store = try Store.inMemory()
        try store.withSession { session throws in
            try Store.transaction { () throws in
                #expect(session.isInTransaction)
                try Shop.account("A").save()
            }
            #expect(!session.isInTransaction)
            try expect(Shop.Account.count(), 1)
        }
    }
}
