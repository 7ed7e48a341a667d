import TestSupport
import Testing

@testable import PersistentObjects

/// Edits that meet rows which a transaction has changed and taken back.
struct TransactionEditTests {
    struct Failure: Error {}

    @Test func `an edit from before that the transaction happens to write too is still an edit`() throws {
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

    @Test func `an edit from before is still one where the object is deleted in an inner one besides`() throws {
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

    @Test func `an edit that was taken back is none, whatever the row has had since`() throws {
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
