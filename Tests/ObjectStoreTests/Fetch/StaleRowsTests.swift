import TestSupport
import Testing

@testable import PersistentObjects

/// Writes by other sessions of the process mark only the written rows as stale. A write without a notification marks
/// all rows as stale.
@Suite(.onSQLite("a server has no mark that tells which commits there were; all is stale there"))
struct StaleRowsTests {
    final class Account: PersistentObject {
        override class var tableName: String { "account" }
        @Unique var name = ""
        @Inverse(\Entry.account) var entries: [Entry]
    }

    final class Entry: PersistentObject {
        override class var tableName: String { "entry" }
        var amount = 0
        var account: Account?
        var tags: [String] = []
        var related: [Entry] = []
    }

    final class Note: PersistentObject {
        override class var tableName: String { "note" }
        @Unique var text = ""
        var count = 0
    }

    final class Other: PersistentObject {
        override class var tableName: String { "other" }
        var number = 0
    }

    /// Runs `body` with a session that holds notes and entries and listens to commits.
    private static func withListener(
        _ body: (Session, TemporaryStore, [Note], [Entry]) throws -> Void
    ) throws {
        try withTemporarySession { session, file throws in
            let notes = (0..<100).map { number in
                let note = Note()
                note.text = "note \(number)"
                return note
            }
            let accounts = ["a", "b"].map { name in
                let account = Account()
                account.name = name
                return account
            }
            let entries = (0..<10).map { number in
                let entry = Entry()
                entry.amount = number
                entry.account = accounts[number % 2]
                entry.tags = ["t\(number)"]
                return entry
            }
            entries[0].related = [entries[1], entries[2]]
            try session.save(notes + entries)
            session.memory.listenToCommits()
            try #require(session.memory.staleRows != nil)
            // Commits before the session listens are unknown: they are known from the third query on.
            for _ in 0..<3 {
                try write(session) { try Other().save() }
                _ = (try Note.all(), try Account.all(), try Entry.all())
            }
            try body(session, file, notes, entries)
        }
    }

    private static func write(_ session: Session, _ body: () throws -> Void) throws {
        try session.store.withSession { _ throws in try body() }
    }

    /// The number of objects that the next query will read again.
    private static func staleCount(_ objects: [PersistentObject], _ session: Session) throws -> Int {
        // Reads a row without a class, so that only commits of other sessions are looked for.
        try session.readTransaction.inOneState {
            let statement = try session.connection.statement("SELECT count(*) FROM \"note\"")
            defer { statement.finish() }
            _ = try statement.step()
            session.memory.lookForCommits()
        }
        return objects.count { $0.freshness != session.memory.epoch }
    }

    @Test func `a commit to another table does not make objects stale`() throws {
        try Self.withListener { session, _, notes, entries throws in
            try Self.write(session) { try Entry.query.update { $0.amount = 7 } }
            #expect(try Self.staleCount(notes, session) == 0)
            #expect(try Self.staleCount(entries, session) == 10)
            let log = try statements(of: session) { () throws in
                let all = try Note.all()
                #expect(all == notes)
            }
            #expect(log.count { $0.hasPrefix("SELECT") } == 1, "\(log)")
            #expect(try Entry.all().allSatisfy { $0.amount == 7 })
        }
    }

    @Test func `only the row that another session saved is read again`() throws {
        try Self.withListener { session, _, notes, _ throws in
            try Self.write(session) {
                let note = try #require(try Note.find(5))
                note.text = "new"
                try note.save()
            }
            expect(notes[4].text, "note 4")
            try expect(Self.staleCount(notes, session), 1)
            #expect(try Note.all() == notes && notes[4].text == "new")
            try expect(Self.staleCount(notes, session), 0)
        }
    }

    @Test func `rows inserted by another session are returned, and rows it deleted are not`() throws {
        try Self.withListener { session, _, notes, _ throws in
            try Self.write(session) {
                try #require(try Note.find(1)).delete()
                let note = Note()
                note.text = "theirs"
                try note.save()
            }
            let all = try Note.all()
            #expect(all.count == 100 && all.first === notes[1] && all.last?.text == "theirs")
        }
    }

    @Test func `a save conflicts with another session's change of its row`() throws {
        try Self.withListener { session, _, notes, _ throws in
            for round in 0..<3 {
                try Self.write(session) { try Note.where { $0.text == "note 3" }.update { $0.count = 100 + round } }
                notes[3].count = -1
                let error = #expect(throws: StoreError.self) { try notes[3].save() }
                #expect(error?.code == .staleObject)
                try notes[3].reload()
                #expect(notes[3].count == 100 + round)
            }
        }
    }

    @Test(arguments: [true, false])
    func `a write by another process is noticed, also if a commit of this process follows`(isFollowed: Bool) throws {
        try Self.withListener { session, file, notes, _ throws in
            _ = try file.sqlite("UPDATE note SET text = 'theirs' WHERE id = 9")
            if isFollowed { try Self.write(session) { try Entry().save() } }
            try expect(Self.staleCount(notes, session), 100)
            #expect(try Note.all() == notes && notes[8].text == "theirs")
            // After that, commits are known again.
            for _ in 0..<2 {
                try Self.write(session) { try Entry().save() }
                _ = try Note.all()
            }
            try Self.write(session) { try Entry().save() }
            try expect(Self.staleCount(notes, session), 0)
        }
    }

    @Test func `a transaction that is rolled back makes no row stale`() throws {
        try Self.withListener { session, _, notes, _ throws in
            try session.store.withSession { other throws in
                try other.transaction {
                    try Note.query.update { $0.count = 5000 }
                    other.rollBack()
                }
            }
            #expect(try Self.staleCount(notes, session) == 0 && notes[0].count < 5000)
        }
    }

    @Test func `rows replaced by raw SQL are noticed`() throws {
        try Self.withListener { session, _, notes, _ throws in
            try session.store.withSession { other throws in
                _ = try other.execute("INSERT OR REPLACE INTO note (id, text, count) VALUES (900, 'note 6', 1)")
            }
            #expect(try Self.staleCount(notes, session) == 100)
            let all = try Note.all()
            #expect(!all.contains(notes[6]) && all.last?.text == "note 6")
            notes[6].count = 77
            #expect(throws: StoreError.self) { try notes[6].save() }
        }
    }

    @Test func `changes by triggers of other programs are noticed`() throws {
        try Self.withListener { session, file, notes, _ throws in
            _ = try file.sqlite(
                """
                CREATE TRIGGER t AFTER INSERT ON entry BEGIN UPDATE note SET count = -5 WHERE id = 2;
                INSERT OR REPLACE INTO note (id, text) VALUES (901, 'note 7'); END
                """)
            _ = try Note.all()
            try Self.write(session) { try Entry().save() }
            let all = try Note.all()
            #expect(notes[1].count == -5 && !all.contains(notes[7]))
        }
    }

    @Test func `an inverse has the objects that refer to its owner now`() throws {
        try Self.withListener { session, _, _, entries throws in
            let account = try #require(entries[0].account)
            expect(account.entries.count, 5)
            try Self.write(session) {
                let entry = Entry()
                entry.account = try Account.find(account.rowID)
                try entry.save()
            }
            _ = try Account.all()
            expect(account.entries.count, 6)
            try Self.write(session) { try Entry.where { $0.amount == 2 }.delete() }
            _ = try Account.all()
            expect(account.entries.count, 5)
        }
    }

    @Test func `collections get elements that another session added and lose objects that it deleted`() throws {
        try Self.withListener { session, _, notes, entries throws in
            try Self.write(session) {
                let entry = try #require(try Entry.find(1))
                entry.tags.append("more")
                try entry.save()
            }
            _ = try Entry.all()
            expect(entries[0].tags, ["t0", "more"])
            try Self.write(session) { try #require(try Entry.find(2)).delete() }
            _ = try Entry.all()
            expect(entries[0].related, [entries[2]])
            try session.store.withSession { other throws in
                _ = try other.execute("DELETE FROM entry WHERE id = 3")
            }
            _ = try Entry.all()
            #expect(entries[0].related.isEmpty)
            expect(notes.count, 100)
        }
    }

    @Test func `a schema change makes all rows stale`() throws {
        try Self.withListener { session, _, notes, _ throws in
            try session.store.withSession { other throws in
                _ = try other.execute("ALTER TABLE note ADD COLUMN extra TEXT")
            }
            try expect(Self.staleCount(notes, session), 100)
            try expect(Note.all(), notes)
        }
    }

    @Test func `a session with many objects listens to commits from its second stale query until its end`() throws {
        try withTemporaryStore { store, _ in
            try store.withSession { session throws in
                let notes = (0..<300).map { number in
                    let note = Note()
                    note.text = "note \(number)"
                    return note
                }
                try session.save(notes)
                #expect(!store.hub.isWatched)
                for round in 0..<2 {
                    #expect(session.memory.staleRows == nil)
                    try Self.write(session) { try Note.where { $0.text == "note 1" }.update { $0.count = round + 1 } }
                    _ = try Note.all()
                }
                #expect(session.memory.staleRows != nil && store.hub.isWatched && !store.hub.hasReaders)
                expect(notes[1].count, 2)
            }
            #expect(!store.hub.isWatched)
        }
    }
}
