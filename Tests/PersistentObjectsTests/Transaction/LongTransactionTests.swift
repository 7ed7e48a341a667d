import Synchronization
import TestSupport
import Testing

@testable import PersistentObjects

/// A transaction over many objects keeps only the held ones in memory, and a rollback still restores all of them.
struct LongTransactionTests {
    final class Sheet: PersistentObject {
        override class var tableName: String { "sheet" }
        @Transient var token: LifetimeTracker.Token?
        var number = 0
        var note = ""
        var next: Sheet?

        convenience init(_ number: Int, _ tracker: LifetimeTracker) {
            self.init()
            self.number = number
            token = tracker.token()
        }
    }

    /// More objects than a transaction keeps.
    private static let many = 4_000

    @Test func `saved objects that are not held are released during the transaction`() throws {
        try withTemporarySession { session, file throws in
            let tracker = LifetimeTracker()
            let held = Sheet(-1, tracker)
            try session.transaction { () throws in
                try held.save()
                for number in 0..<Self.many { try Sheet(number, tracker).save() }
                #expect(tracker.liveCount <= 1_100, "of \(Self.many) that were saved")
                for start in stride(from: 0, to: Self.many, by: 500) {
                    try session.save((start..<start + 500).map { Sheet($0, tracker) })
                }
                #expect(tracker.liveCount <= 1_700)
            }
            #expect(tracker.liveCount == 1 && held.number == -1)
            try expect(file.sqlite("SELECT count(*), sum(number) FROM sheet"), "8001|15995999")
        }
    }

    @Test func `objects of nested transactions are released, too`() throws {
        try withTemporarySession { session, file throws in
            let tracker = LifetimeTracker()
            try session.transaction { () throws in
                for start in stride(from: 0, to: Self.many, by: 200) {
                    try session.transaction {
                        for number in start..<start + 200 { try Sheet(number, tracker).save() }
                    }
                }
                #expect(tracker.liveCount <= 1_300)
            }
            try expect(file.sqlite("SELECT count(*) FROM sheet"), "4000")
        }
    }

    @Test func `a rollback restores held objects after many others were released`() throws {
        try withTemporarySession { session, file throws in
            let tracker = LifetimeTracker()
            let (changed, edited, new) = (Sheet(1, tracker), Sheet(2, tracker), Sheet(3, tracker))
            changed.next = edited
            try session.save([changed, edited])
            edited.note = "an edit of before"
            try failing(session) {
                changed.note = "in it"
                changed.next = nil
                edited.number = 20
                try session.save([changed, edited, new])
                for number in 0..<Self.many { try Sheet(number, tracker).save() }
                #expect(tracker.liveCount < 1_200)
            }
            #expect(changed.note == "" && changed.next === edited && !changed.hasChanges)
            #expect(edited.number == 2 && edited.changes.map(\.name) == ["note"])
            #expect(new.isNew && new.number == 3)
            try expect(file.sqlite("SELECT id, number, note FROM sheet"), "1|1|\n2|2|")
        }
    }

    @Test func `rows fetched again in the transaction equal the file after a rollback`() throws {
        try withTemporarySession { session, file throws in
            let tracker = LifetimeTracker()
            try session.save((0..<Self.many).map { Sheet($0, tracker) })
            var found: [Sheet] = []
            var inserted: Sheet?
            try failing(session) {
                for id in 1...Int64(Self.many) {
                    let sheet = try #require(try Sheet.find(id))
                    sheet.note = "in it"
                    try sheet.save()
                }
                let last = Sheet(-5, tracker)
                try last.save()
                let id = try #require(last.id)
                for number in 0..<Self.many { try Sheet(number, tracker).save() }
                // These are other instances than the saved ones. The first is clean; the second is edited and is
                // still reset.
                found = try [1, 2].map { try #require(try Sheet.find($0)) }
                found[1].number = 77
                inserted = try Sheet.find(id)
            }
            #expect(found.map(\.note) == ["", ""] && found.map(\.number) == [0, 1])
            #expect(!found[0].hasChanges && !found[1].hasChanges)
            // The row of the third object never existed.
            withExtendedLifetime(inserted) { #expect(inserted?.isDeleted == true || inserted?.isNew == true) }
            try expect(file.sqlite("SELECT count(*) FROM sheet WHERE note = ''"), "4000")
        }
    }

    @Test func `objects deleted in the transaction are found again after a rollback`() throws {
        try withTemporarySession { session, file throws in
            let tracker = LifetimeTracker()
            try session.save((0..<Self.many).map { Sheet($0, tracker) })
            let held = try #require(try Sheet.find(Int64(5)))
            try failing(session) {
                for id in 1...Int64(Self.many) { try Sheet.find(id)?.delete() }
                #expect(try Sheet.count() == 0 && tracker.liveCount < 1_200)
            }
            #expect(!held.isDeleted && held.number == 4 && !held.hasChanges)
            try expect(Sheet.all().map(\.number), Array(0..<Self.many))
        }
    }

    final class Chatty: PersistentObject {
        override class var tableName: String { "chatty" }
        static let counted = Atomic(0)
        var number = 0

        deinit {
            // User code that runs in the middle of the transaction.
            if ((try? Chatty.count()) ?? 0) > 0 { Chatty.counted.add(1, ordering: .relaxed) }
        }
    }

    @Test func `a deinit can use the session during the transaction`() throws {
        try withTemporarySession { session, file throws in
            try session.transaction { () throws in
                for number in 0..<3_000 {
                    let chatty = Chatty()
                    chatty.number = number
                    try chatty.save()
                }
            }
            #expect(Chatty.counted.load(ordering: .relaxed) >= 3_000)
            try expect(file.sqlite("SELECT count(*) FROM chatty"), "3000")
        }
    }
}
