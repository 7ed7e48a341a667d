import TestSupport
import Testing

@testable import PersistentObjects

/// Edits of rows that a transaction changes and rolls back.
struct TransactionEditTests {
    struct Failure: Error {}

    @Test func `an earlier edit stays an edit if the transaction writes the same value`() throws {
        try withTemporarySession { session, file throws in
            let joe = Shop.account("Joe", 1)
            try joe.save()
            joe.balance = 7
            joe.tags = ["mine"]
            failing(Failure.self) {
                try session.transaction { () throws in
                    try session.execute("UPDATE shop_account SET balance = 7")
                    _ = try Shop.Account.all()
                    throw Failure()
                }
            }
            #expect(joe.balance == 7 && joe.changes.map(\.name) == ["balance", "tags"])
            try joe.save()
            try expect(file.sqlite("SELECT balance FROM shop_account"), "7")
        }
    }

    @Test func `an earlier edit stays an edit if a nested transaction also deletes the object`() throws {
        try withTemporarySession { session, _ throws in
            let joe = Shop.account("Joe", 1)
            try joe.save()
            joe.owner = "Jim"
            failing(Failure.self) {
                try session.transaction { () throws in
                    try session.execute("UPDATE shop_account SET owner = 'Jim'")
                    #expect(try Shop.Account.all() == [joe] && !joe.hasChanges)
                    failing(Failure.self) {
                        try session.transaction { () throws in
                            try joe.delete()
                            throw Failure()
                        }
                    }
                    throw Failure()
                }
            }
            #expect(joe.owner == "Jim" && joe.changes.map { $0.old as? String } == ["Joe"])
        }
    }

    @Test func `a reverted edit does not reappear after a rollback`() throws {
        try withTemporarySession { session, _ throws in
            let joe = Shop.account("Joe", 1)
            try joe.save()
            failing(Failure.self) {
                try session.transaction { () throws in
                    joe.balance = 5
                    try session.execute("UPDATE shop_account SET balance = balance")
                    #expect(try Shop.Account.all() == [joe] && joe.balance == 5 && joe.hasChanges)
                    joe.balance = 1
                    try session.execute("UPDATE shop_account SET balance = 5")
                    #expect(try Shop.Account.all() == [joe] && joe.balance == 5 && !joe.hasChanges)
                    throw Failure()
                }
            }
            #expect(joe.balance == 1 && !joe.hasChanges)
        }
    }
}
