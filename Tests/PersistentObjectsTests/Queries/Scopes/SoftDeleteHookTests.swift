import Foundation
import PersistentObjects
import TestSupport
import Testing

/// Hooks of objects that are deleted softly.
struct SoftDeleteHookTests {
    class Memo: PersistentObject {
        override class var tableName: String { "hooked_memo" }
        override class var softDeletes: Bool { true }
        var number = 0
        var isKept = false
        var deletedAt: Date?
        @Transient var calls: [String] = []

        convenience init(_ number: Int) {
            self.init()
            self.number = number
        }

        override func willDelete() throws {
            calls.append("will")
            if isKept { throw Kept() }
        }

        override func didDelete() { calls.append("did \(isDeleted)") }
        override func didUpdate() { calls.append("updated") }
        override func didCommit() { calls.append("committed") }
        override func didRollback() { calls.append("rolled back") }
    }

    final class Binder: Memo {
        @OnDelete(.cascade) var memos: [Memo] = []
    }

    struct Kept: Error {}

    private func memos(_ session: Session) throws -> [Memo] {
        let memos = (1...3).map { Memo($0) }
        try session.save(memos)
        for memo in memos { memo.calls = [] }
        return memos
    }

    @Test func `each call that deletes softly can be refused, and nothing is deleted then`() throws {
        try withTemporarySession { session, _ in
            let memos = try memos(session)
            memos[1].isKept = true
            try memos[1].save()
            let calls: [() throws -> Void] = [
                { try memos[1].delete() }, { try session.delete(memos) }, { try Memo.query.delete() },
                { try Memo.where { $0.number > 1 }.delete() }, { try expect(Memo.deleteAll(), 0) },
                { try expect(Memo.deleteBy.number(2), 0) }, { try memos[1].deleteForever() },
            ]
            for (index, call) in calls.enumerated() {
                memos[1].calls = []
                #expect(throws: Kept.self, "\(index)") { try call() }
                #expect(memos[1].calls == ["will"], "\(index)")
                try expect(Memo.count(), 3)
                #expect(memos.allSatisfy { !$0.isDeleted && !$0.hasChanges }, "\(index)")
            }
        }
    }

    @Test func `cascades and removals from an owner call the hooks of their objects`() throws {
        try withTemporarySession { session, _ in
            let memos = try memos(session)
            let binder = Binder()
            binder.memos = memos
            try binder.save()
            memos[2].isKept = true
            try memos[2].save()
            for memo in memos { memo.calls = [] }
            #expect(throws: Kept.self) { try binder.delete() }
            binder.memos.removeLast()
            #expect(throws: Kept.self) { try binder.save() }
            try expect(Memo.count(), 4)
            memos[2].isKept = false
            try memos[2].save()
            memos[2].calls = []
            try binder.save()
            #expect(memos[2].isDeleted && memos[2].calls == ["will", "did true", "committed"])
            memos[0].calls = []
            try binder.delete()
            #expect(memos[0].isDeleted && memos[0].calls == ["will", "did true", "committed"])
            try binder.restore()
            #expect(!memos[0].isDeleted && memos[0].calls.count == 3)
        }
    }

    // In the test itself, these transactions crash Swift 6.3.1 (SendNonSendable).
    private func deleteAndThrow(_ memos: [Memo], _ session: Session) throws {
        try session.transaction {
            try memos[0].delete()
            try expect(Memo.where { $0.number == 2 }.delete(), 1)
            #expect(memos[0].calls == ["will"] && memos[1].isDeleted)
            throw Kept()
        }
    }

    private func delete(_ memo: Memo, _ session: Session) throws {
        try session.transaction {
            try memo.delete()
            #expect(memo.calls.last == "will")
        }
    }

    @Test func `didDelete follows the commit, and didRollback a rollback`() throws {
        try withTemporarySession { session, _ in
            let memos = try memos(session)
            #expect(throws: Kept.self) { try deleteAndThrow(memos, session) }
            #expect(memos[0].calls == ["will", "rolled back"] && memos[1].calls == ["will", "rolled back"])
            #expect(!memos[0].isDeleted && !memos[1].isDeleted)
            try delete(memos[0], session)
            #expect(memos[0].calls.suffix(3) == ["will", "did true", "committed"])
            try memos[0].restore()
            try memos[0].delete()
            #expect(memos[0].calls.suffix(3) == ["will", "did true", "committed"])
            try memos[0].deleteForever()
            #expect(memos[0].calls.suffix(3) == ["will", "did true", "committed"])
        }
    }
}
