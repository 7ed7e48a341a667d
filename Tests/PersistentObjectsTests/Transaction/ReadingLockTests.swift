import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// `reading { }` with writers that wait for readers, and with concurrent writers.
@Suite struct ReadingLockTests {
    final class Account: PersistentObject {
        override class var tableName: String { "lock_account" }
        var balance = 0
    }

    private static func save(_ count: Int, in store: Store) throws {
        try store.withSession { session in
            try session.save(
                (0..<count).map { _ in
                    let account = Account()
                    account.balance = 100
                    return account
                })
        }
    }

    /// Starts a thread and returns a semaphore that is signaled when the thread ends.
    private static func start(_ body: @escaping @Sendable () throws -> Void) -> DispatchSemaphore {
        let end = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            #expect(throws: Never.self) { try body() }
            end.signal()
        }
        return end
    }

    enum Place: CaseIterable { case memory, rollbackJournal }

    @Test(.onSQLite("nobody waits on a server"), arguments: Place.allCases)
    func `in memory and without WAL, a commit waits for the end of reading`(place: Place) throws {
        let file = try TemporaryStore()
        let store =
            switch place {
            case .memory: try Store.inMemory(configuration: .init(busyTimeout: .seconds(60)))
            case .rollbackJournal: try file.open(configuration: .init(busyTimeout: .seconds(60), journal: .rollback))
            }
        try Self.save(2, in: store)
        try store.withSession { session throws in
            let end = try session.reading {
                let before = try Account.query.sum(\.balance)
                let began = DispatchSemaphore(value: 0)
                let end = Self.start {
                    try store.withSession { other in
                        began.signal()
                        _ = try other.execute("UPDATE lock_account SET balance = 1")
                    }
                }
                began.wait()
                expect(end.wait(timeout: .now() + 0.2), .timedOut)
                #expect(try Account.query.sum(\.balance) == before && before == 200)
                return end
            }
            end.wait()
            try expect(Account.query.sum(\.balance), 2)
            // On the same thread, the write would deadlock.
            try session.reading { () throws in
                let error = failing(StoreError.self) {
                    try store.withSession { other in _ = try other.execute("UPDATE lock_account SET balance = 3") }
                }
                expect(error?.code, .misuse)
                expect(error?.message.contains("a reading { } of another session"), true)
            }
            try store.withSession { other in _ = try other.execute("UPDATE lock_account SET balance = 3") }
            try expect(Account.query.sum(\.balance), 6)
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `a sum that transfers do not change stays constant within each reading`(seed: UInt64) throws {
        let file = try TemporaryStore()
        let store = try file.open(configuration: .init(busyTimeout: .seconds(60)))
        try Self.save(20, in: store)
        let isOver = Recorder<Bool>()
        // A separate store, like that of another process.
        let ends = [store, try file.open(configuration: .init(busyTimeout: .seconds(60)))].enumerated().map {
            number, store in
            Self.start {
                var random = SeededGenerator(seed: seed &* 10 &+ UInt64(number))
                while isOver.all.isEmpty {
                    let (from, to) = (Int.random(in: 1...20, using: &random), Int.random(in: 1...20, using: &random))
                    let amount = Int.random(in: 1...50, using: &random)
                    try store.withSession { session in
                        try session.transaction(retries: 20) {
                            let move = "UPDATE lock_account SET balance = balance + ? WHERE id = ?"
                            try session.execute(move, -amount, from)
                            try session.execute(move, amount, to)
                        }
                    }
                }
            }
        }
        defer {
            isOver.add(true)
            for end in ends { end.wait() }
        }
        try store.withSession { session throws in
            var random = SeededGenerator(seed: seed)
            let held = try Account.all()
            for _ in 0..<100 {
                let sums: [Int?] = try session.reading {
                    let ids: [Int] = (1...20).shuffled(using: &random)
                    let half = ids.prefix(10).map { Int64($0) }
                    func sum(_ accounts: [Account]) -> Int { accounts.reduce(0) { $0 + $1.balance } }
                    let one = try ids.compactMap { try Account.find($0) }
                    let others = try Account.where { !$0.id.isIn(half) }.all()
                    return [
                        try Account.query.sum(\.balance), sum(one), sum(try Account.find(half)) + sum(others),
                        sum(held),
                    ]
                }
                expect(sums, [2000, 2000, 2000, 2000])
            }
        }
    }
}
