import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// A failed transaction leaves new, saved and deleted objects as they were before it.
struct TransactionMemoryTests {
    struct Veto: Error {}

    @Test func `an error reverts updates and edits of saved objects`() throws {
        try withTemporarySession { session, file throws in
            let joe = Shop.account("Joe", 1)
            joe.tags = ["a"]
            try joe.save()
            #expect(throws: Veto.self) {
                try session.transaction { () throws in
                    joe.balance = 2
                    joe.tags.append("b")
                    joe.note.text = "x"
                    try joe.save()
                    joe.balance = 3
                    throw Veto()
                }
            }
            #expect(joe.balance == 1 && joe.tags == ["a"] && joe.note.text.isEmpty && !joe.hasChanges)
            try expect(file.sqlite("SELECT balance FROM shop_account"), "1")
            joe.balance = 5
            try joe.save()
            try expect(file.sqlite("SELECT balance FROM shop_account"), "5")
        }
    }

    @Test func `earlier edits are kept and can be saved later`() throws {
        try withTemporarySession { session, file throws in
            let joe = Shop.account("Joe", 1)
            try joe.save()
            joe.owner = "Joseph"
            joe.note.text = "mine"
            #expect(throws: Veto.self) {
                try session.transaction { () throws in
                    joe.balance = 2
                    try joe.save()
                    throw Veto()
                }
            }
            #expect(joe.owner == "Joseph" && joe.balance == 1 && joe.note.text == "mine")
            expect(joe.changes.map(\.name), ["owner", "note"])
            try joe.save()
            try expect(file.sqlite("SELECT owner, balance FROM shop_account"), "Joseph|1")
        }
    }

    @Test func `objects that the transaction does not save keep edits made inside`() throws {
        try withTemporarySession { session, _ throws in
            let (joe, ann) = (Shop.account("Joe", 1), Shop.account("Ann", 1))
            try session.save([joe, ann])
            #expect(throws: Veto.self) {
                try session.transaction { () throws in
                    joe.balance = 2
                    try joe.save()
                    ann.balance = 7
                    throw Veto()
                }
            }
            expect(joe.balance, 1)
            #expect(ann.balance == 7 && ann.hasChanges)
        }
    }

    @Test func `new objects are new again, with the values of their first save`() throws {
        try withTemporarySession { session, file throws in
            let joe = Shop.account("Joe", 1)
            #expect(throws: Veto.self) {
                try session.transaction { () throws in
                    try joe.save()
                    expect(joe.id, 1)
                    joe.balance = 9
                    try joe.save()
                    throw Veto()
                }
            }
            #expect(joe.isNew && joe.id == nil && joe.balance == 1 && joe.owner == "Joe")
            try expect(Shop.Account.count(), 0)
            #expect(try Shop.Account.find(1) == nil)
            try joe.save()
            expect(joe.id, 1)
            try expect(file.sqlite("SELECT owner, balance FROM shop_account"), "Joe|1")
            #expect(try Shop.Account.find(1) === joe)
        }
    }

    @Test func `deleted objects are saved again as the same instances`() throws {
        try withTemporarySession { session, file throws in
            let joe = Shop.account("Joe", 1)
            try joe.save()
            #expect(throws: Veto.self) {
                try session.transaction { () throws in
                    joe.balance = 2
                    try joe.save()
                    try joe.delete()
                    #expect(joe.isDeleted)
                    throw Veto()
                }
            }
            #expect(!joe.isDeleted && joe.id == 1 && joe.balance == 1 && !joe.hasChanges)
            #expect(try Shop.Account.find(1) === joe)
            try expect(Shop.Account.all(), [joe])
            try joe.delete()
            try expect(file.sqlite("SELECT count(*) FROM shop_account"), "0")
        }
    }

    @Test func `an object inserted and deleted in the transaction is new again`() throws {
        try withTemporarySession { session, _ throws in
            let joe = Shop.account("Joe", 1)
            #expect(throws: Veto.self) {
                try session.transaction { () throws in
                    try joe.save()
                    try joe.delete()
                    throw Veto()
                }
            }
            #expect(joe.isNew && joe.id == nil)
            try joe.save()
            try expect(Shop.Account.all(), [joe])
        }
    }

    @Test func `deletions by deleteAll, queries and finders are reverted`() throws {
        try withTemporarySession { session, _ throws in
            let people = [Shop.account("A", 1), Shop.account("B", 2), Shop.account("C", 3)]
            try session.save(people)
            for delete in [
                { try Shop.Account.deleteAll() }, { try Shop.Account.where { $0.balance > 1 }.delete() },
                { try Shop.Account.deleteByBalanceGreaterThan(0) },
            ] as [() throws -> Int] {
                #expect(throws: Veto.self) {
                    try session.transaction { () throws in
                        #expect(try delete() > 1)
                        #expect(people[2].isDeleted)
                        throw Veto()
                    }
                }
                #expect(people.allSatisfy { !$0.isDeleted && !$0.hasChanges })
                #expect(try Shop.Account.all() == people)
            }
        }
    }

    @Test func `raw SQL and query updates are reverted, also in objects`() throws {
        try withTemporarySession { session, file throws in
            let joe = Shop.account("Joe", 1)
            let ann = Shop.account("Ann", 1)
            try session.save([joe, ann])
            ann.owner = "Anna"
            #expect(throws: Veto.self) {
                try session.transaction { () throws in
                    try session.execute("UPDATE shop_account SET balance = 10")
                    try expect(Shop.Account.findByBalance(10).count, 2)
                    expect(joe.balance, 10)
                    try Shop.Account.where { $0.balance == 10 }.update { $0.balance += 1 }
                    expect(joe.balance, 11)
                    try session.execute(
                        "INSERT INTO shop_account (owner, balance, note) VALUES ('Ghost', 5, ?)",
                        Data(#"{"text":""}"#.utf8))
                    throw Veto()
                }
            }
            #expect(joe.balance == 1 && !joe.hasChanges)
            #expect(ann.balance == 1 && ann.owner == "Anna")
            try expect(file.sqlite("SELECT sum(balance) FROM shop_account"), "2")
        }
    }

    @Test func `an object whose row was rolled back is deleted`() throws {
        try withTemporarySession { session, _ throws in
            _ = try Shop.Account.count()
            var ghost: Shop.Account?
            #expect(throws: Veto.self) {
                try session.transaction { () throws in
                    try session.execute(
                        "INSERT INTO shop_account (owner, balance, note) VALUES ('Ghost', 5, ?)",
                        Data(#"{"text":""}"#.utf8))
                    ghost = try Shop.Account.all().first
                    throw Veto()
                }
            }
            #expect(ghost?.owner == "Ghost" && ghost?.isDeleted == true)
            #expect(try Shop.Account.find(1) == nil)
        }
    }

    @Test func `memory is restored without SQL`() throws {
        try withTemporarySession { session, _ throws in
            let people = (0..<5).map { Shop.account("P\($0)", $0) }
            try session.save(people)
            let run = statements(of: session) {
                #expect(throws: Veto.self) {
                    try session.transaction { () throws in
                        for person in people { person.tags.append("x") }
                        try session.save(people)
                        try people[0].delete()
                        throw Veto()
                    }
                }
            }
            #expect(run.first?.hasPrefix("BEGIN") == true && run.last == "ROLLBACK")
            #expect(people.allSatisfy { $0.tags.isEmpty && !$0.isDeleted })
        }
    }
}
