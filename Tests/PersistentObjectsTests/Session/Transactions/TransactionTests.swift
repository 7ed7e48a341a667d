import TestSupport
import Testing

@testable import PersistentObjects

/// A transaction that fails leaves file and memory as they were; one that ends well is one commit.
struct TransactionTests {
    final class Account: PersistentObject {
        override class var tableName: String { "account" }
        var owner = ""
        var balance = 0
        @Unique var number: Int?
        var tags: [String] = []
        var note = Note()
        struct Note: Codable, Equatable { var text = "" }
    }

    struct Veto: Error {}

    private func account(_ owner: String, _ balance: Int = 0) -> Account {
        let account = Account()
        account.owner = owner
        account.balance = balance
        return account
    }

    @Test func `all is written together`() throws {
        try withTemporarySession { session, file throws in
            let (from, to) = (account("A", 100), account("B"))
            let result = try session.transaction { () throws in
                try session.save([from, to])
                from.balance -= 30
                to.balance += 30
                try session.save([from, to])
                return from.balance
            }
            #expect(result == 70)
            #expect(try file.sqlite("SELECT owner, balance FROM account") == "A|70\nB|30")
            #expect(!from.hasChanges && from.id == 1)
        }
    }

    @Test func `others see nothing before the commit`() throws {
        try withTemporarySession { session, file throws in
            _ = try Account.count()
            try session.transaction { () throws in
                try account("A").save()
                #expect(try Account.count() == 1)
                #expect(try file.sqlite("SELECT count(*) FROM account") == "0")
            }
            #expect(try file.sqlite("SELECT count(*) FROM account") == "1")
        }
    }

    @Test func `an error takes back updates, with the edits made inside`() throws {
        try withTemporarySession { session, file throws in
            let joe = account("Joe", 1)
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
            #expect(try file.sqlite("SELECT balance FROM account") == "1")
            joe.balance = 5
            try joe.save()
            #expect(try file.sqlite("SELECT balance FROM account") == "5")
        }
    }

    @Test func `edits from before it are still there, and are saved later`() throws {
        try withTemporarySession { session, file throws in
            let joe = account("Joe", 1)
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
            #expect(joe.changes.map(\.name) == ["owner", "note"])
            try joe.save()
            #expect(try file.sqlite("SELECT owner, balance FROM account") == "Joseph|1")
        }
    }

    @Test func `what it does not touch keeps its edits`() throws {
        try withTemporarySession { session, _ throws in
            let (joe, ann) = (account("Joe", 1), account("Ann", 1))
            try session.save([joe, ann])
            #expect(throws: Veto.self) {
                try session.transaction { () throws in
                    joe.balance = 2
                    try joe.save()
                    ann.balance = 7
                    throw Veto()
                }
            }
            #expect(joe.balance == 1)
            #expect(ann.balance == 7 && ann.hasChanges)
        }
    }

    @Test func `new objects are new again, with what they had at their first save`() throws {
        try withTemporarySession { session, file throws in
            let joe = account("Joe", 1)
            #expect(throws: Veto.self) {
                try session.transaction { () throws in
                    try joe.save()
                    #expect(joe.id == 1)
                    joe.balance = 9
                    try joe.save()
                    throw Veto()
                }
            }
            #expect(joe.isNew && joe.id == nil && joe.balance == 1 && joe.owner == "Joe")
            #expect(try Account.count() == 0)
            #expect(try Account.find(1) == nil)
            try joe.save()
            #expect(joe.id == 1)
            #expect(try file.sqlite("SELECT owner, balance FROM account") == "Joe|1")
            #expect(try Account.find(1) === joe)
        }
    }

    @Test func `deleted objects are saved ones again, the same instances`() throws {
        try withTemporarySession { session, file throws in
            let joe = account("Joe", 1)
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
            #expect(try Account.find(1) === joe)
            #expect(try Account.all() == [joe])
            try joe.delete()
            #expect(try file.sqlite("SELECT count(*) FROM account") == "0")
        }
    }

    @Test func `an object inserted and deleted inside is new again`() throws {
        try withTemporarySession { session, _ throws in
            let joe = account("Joe", 1)
            #expect(throws: Veto.self) {
                try session.transaction { () throws in
                    try joe.save()
                    try joe.delete()
                    throw Veto()
                }
            }
            #expect(joe.isNew && joe.id == nil)
            try joe.save()
            #expect(try Account.all() == [joe])
        }
    }

    @Test func `deleteAll and queries that delete are taken back`() throws {
        try withTemporarySession { session, _ throws in
            let people = [account("A", 1), account("B", 2), account("C", 3)]
            try session.save(people)
            for delete in [
                { try Account.deleteAll() }, { try Account.where { $0.balance > 1 }.delete() },
                { try Account.deleteByBalanceGreaterThan(0) },
            ] as [() throws -> Int] {
                #expect(throws: Veto.self) {
                    try session.transaction { () throws in
                        #expect(try delete() > 1)
                        #expect(people[2].isDeleted)
                        throw Veto()
                    }
                }
                #expect(people.allSatisfy { !$0.isDeleted && !$0.hasChanges })
                #expect(try Account.all() == people)
            }
        }
    }

    @Test func `rollBack ends it without an error and gives the result`() throws {
        try withTemporarySession { session, file throws in
            let joe = account("Joe", 1)
            try joe.save()
            let count = try session.transaction { () throws in
                try joe.delete()
                session.rollBack()
                return try Account.count()
            }
            #expect(count == 0)
            #expect(!joe.isDeleted)
            #expect(try file.sqlite("SELECT count(*) FROM account") == "1")
            session.rollBack()
            joe.balance = 8
            try joe.save()
            #expect(try file.sqlite("SELECT balance FROM account") == "8")
        }
    }

    @Test func `a save that fails inside leaves the rest, which goes on`() throws {
        try withTemporarySession { session, file throws in
            let (joe, ann) = (account("Joe"), account("Ann"))
            joe.number = 1
            ann.number = 1
            let other = account("Other")
            try session.transaction { () throws in
                try joe.save()
                let error = #expect(throws: StoreError.self) { try session.save([other, ann]) }
                #expect(error?.code == .notUnique)
                #expect(ann.isNew && ann.number == 1 && other.isNew)
                ann.number = 2
                try session.save([other, ann])
            }
            #expect(try file.sqlite("SELECT owner, number FROM account ORDER BY owner") == "Ann|2\nJoe|1\nOther|")
        }
    }

    @Test func `raw SQL and query updates are taken back, in objects too`() throws {
        try withTemporarySession { session, file throws in
            let joe = account("Joe", 1)
            let ann = account("Ann", 1)
            try session.save([joe, ann])
            ann.owner = "Anna"
            #expect(throws: Veto.self) {
                try session.transaction { () throws in
                    try session.execute("UPDATE account SET balance = 10")
                    #expect(try Account.findByBalance(10).count == 2)
                    #expect(joe.balance == 10)
                    try Account.where { $0.balance == 10 }.update { $0.balance += 1 }
                    #expect(joe.balance == 11)
                    try session.execute(
                        "INSERT INTO account (owner, balance, note) VALUES ('Ghost', 5, CAST('{\"text\":\"\"}' AS BLOB))"
                    )
                    throw Veto()
                }
            }
            #expect(joe.balance == 1 && !joe.hasChanges)
            #expect(ann.balance == 1 && ann.owner == "Anna")
            #expect(try file.sqlite("SELECT sum(balance) FROM account") == "2")
        }
    }

    @Test func `a row that was read inside and never was is a deleted one`() throws {
        try withTemporarySession { session, _ throws in
            _ = try Account.count()
            var ghost: Account?
            #expect(throws: Veto.self) {
                try session.transaction { () throws in
                    try session.execute(
                        "INSERT INTO account (owner, balance, note) VALUES ('Ghost', 5, CAST('{\"text\":\"\"}' AS BLOB))"
                    )
                    ghost = try Account.all().first
                    throw Veto()
                }
            }
            #expect(ghost?.owner == "Ghost" && ghost?.isDeleted == true)
            #expect(try Account.find(1) == nil)
        }
    }

    @Test func `no SQL is needed to bring memory back`() throws {
        try withTemporarySession { session, _ throws in
            let people = (0..<5).map { account("P\($0)", $0) }
            try session.save(people)
            let run = statements(of: session.connection) {
                #expect(throws: Veto.self) {
                    try session.transaction { () throws in
                        for person in people { person.tags.append("x") }
                        try session.save(people)
                        try people[0].delete()
                        throw Veto()
                    }
                }
            }
            #expect(run.first == "BEGIN IMMEDIATE" && run.last == "ROLLBACK")
            #expect(people.allSatisfy { $0.tags.isEmpty && !$0.isDeleted })
        }
    }

    @Test func `the first use of a class inside stays, though it is rolled back`() throws {
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

    @Test func `it is refused while the session saves, and reset inside of it`() throws {
        try withTemporarySession { session, _ throws in
            try session.transaction { () throws in
                let error = #expect(throws: StoreError.self) { try session.reset() }
                #expect(error?.code == .misuse)
            }
        }
    }

    @Test func `calls without a session belong to it`() throws {
        let store = try Store.inMemory()
        try store.withSession { session throws in
            try Store.transaction { () throws in
                #expect(session.isInTransaction)
                try account("A").save()
            }
            #expect(!session.isInTransaction)
            #expect(try Account.count() == 1)
        }
    }
}
