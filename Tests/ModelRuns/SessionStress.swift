import Foundation
import PersistentObjects
import PersistentObjectsTesting
import Synchronization

extension ModelRuns {
    final class Stressed: PersistentObject {
        override class var tableName: String { "stressed" }
        var value = 0
        var list: [Int] = []
    }

    /// Runs six tasks that read and write the same rows, with cancellation, time limits and release of memory. The
    /// store is closed in the middle.
    ///
    /// - Parameter operations: The maximum number of operations of each task.
    /// - Returns: A line with the figures.
    /// - Throws: `ModelFailure` if a reader sees two states, or if the file does not match the acknowledged writes.
    public static func stress(rounds: Int, operations: Int, seed: UInt64 = 1) async throws -> String {
        var figures = SessionStress.Figures()
        for round in 0..<rounds {
            do { try await SessionStress(seed &+ UInt64(round), operations).run(&figures) } catch {
                throw ModelFailure(description: "seed \(seed &+ UInt64(round)): \(error)")
            }
        }
        return """
            \(rounds) times 4 writers and 2 readers in tasks, with cancelling, limits of time, memory given back and a \
            close in the middle: \(figures.saved) transactions and \(figures.read) readings, \(figures.ended) ended, \
            nothing lost, nothing that failed and came
            """
    }
}

/// A store that tasks use until it is closed.
private struct SessionStress: Sendable {
    struct Figures: Sendable {
        var saved = 0, read = 0, ended = 0
    }

    typealias Stressed = ModelRuns.Stressed

    private static let rows = 12
    private static let writers = 4
    private static let readers = 2

    private let seed: UInt64
    private let operations: Int
    private let tally = Tally()

    init(_ seed: UInt64, _ operations: Int) { (self.seed, self.operations) = (seed, operations) }

    /// The numbers of acknowledged operations. (Not a `Mutex`: ThreadSanitizer cannot see its locking on Linux.)
    private final class Tally: Sendable {
        let saved = Atomic(0), read = Atomic(0), ended = Atomic(0)
        let done = Atomic(0)
    }

    func run(_ figures: inout Figures) async throws {
        let file = try TemporaryStore()
        let store = try file.open(configuration: .init(durability: .relaxed, busyTimeout: .seconds(60), concurrency: 6))
        try store.withSession { session in
            try session.save((0..<SessionStress.rows).map { _ in Stressed() })
        }
        var random = ModelRandom(seed: seed)
        let closing = operations / 2 + random.below(operations * 4)
        let path = try found(store.path)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<SessionStress.writers + SessionStress.readers {
                group.addTask { try await work(store, worker, closing) }
            }
            try await group.waitForAll()
        }
        store.close()
        let saved = tally.saved.load(ordering: .acquiring)
        try check(Store(path, configuration: .init(onNote: { _ in })), saved)
        figures.saved += saved
        figures.read += tally.read.load(ordering: .acquiring)
        figures.ended += tally.ended.load(ordering: .acquiring)
    }

    private func found<T>(_ value: T?) throws -> T {
        guard let value else { throw ModelFailure(description: "the store has no file") }
        return value
    }

    private func work(_ store: Store, _ worker: Int, _ closing: Int) async throws {
        var random = ModelRandom(seed: seed &* 31 &+ UInt64(worker))
        for operation in 0..<operations {
            if tally.done.add(1, ordering: .acquiringAndReleasing).newValue == closing { store.close() }
            switch random.below(40) {
            case 0: store.releaseMemory()
            case 1: _ = try? store.checkpoint(waiting: false)
            default: break
            }
            let number = worker * operations + operation, choice = UInt64(random.next())
            let limit: Duration? = random.below(10) == 0 ? .microseconds(random.below(3_000)) : nil
            let isWriting = worker < SessionStress.writers
            let task = Task {
                try await store.perform(timeout: limit) { _ in
                    if isWriting { try write(number, choice) } else { try read() }
                }
            }
            if random.below(5) == 0 {
                for _ in 0..<random.below(20) { await Task.yield() }
                task.cancel()
            }
            do {
                try await task.value
                if isWriting { count(tally.saved) } else { count(tally.read) }
            } catch {
                guard isExpected(error) else { throw error }
                count(tally.ended)
                if (error as? StoreError)?.code == .sessionEnded { return }
            }
        }
    }

    private func count(_ number: borrowing Atomic<Int>) { number.add(1, ordering: .acquiringAndReleasing) }

    private func isExpected(_ error: any Error) -> Bool {
        if error is CancellationError { return true }
        return (error as? StoreError).map { [.sessionEnded, .timedOut, .staleObject, .busy].contains($0.code) } ?? false
    }

    /// Writes two rows, each of which must be the same object however it is found.
    private func write(_ number: Int, _ choice: UInt64) throws {
        var random = ModelRandom(seed: choice)
        let session = try Store.session()
        try session.transaction(retries: 3) {
            for _ in 0..<2 {
                let id = Int64(random.below(SessionStress.rows) + 1)
                guard let object = try Stressed.where({ $0.id == id }).first() else {
                    throw failure("row \(id) is gone")
                }
                guard try Stressed.find(id) === object else { throw failure("row \(id) has two objects") }
                object.value += 1
                object.list.append(number)
                try object.save()
            }
        }
        if let broken = session.brokenInvariant { throw failure(broken) }
    }

    /// Reads the rows, which must be from one state.
    private func read() throws {
        let session = try Store.session()
        try session.reading {
            let sum = try Stressed.query.values(of: \.value).reduce(0, +)
            let objects = try Stressed.all()
            guard objects.allSatisfy({ $0.value == $0.list.count }), objects.reduce(0, { $0 + $1.value }) == sum else {
                throw failure("a reading sees two states")
            }
        }
        if let broken = session.brokenInvariant { throw failure(broken) }
    }

    private func check(_ store: Store, _ saved: Int) throws {
        defer { store.close() }
        let report = try store.checkIntegrity()
        guard report.problems.isEmpty else { throw failure("\(report)") }
        try store.withSession { _ in
            let objects = try Stressed.all()
            let sum = objects.reduce(0) { $0 + $1.value }
            guard sum == 2 * saved else {
                throw failure("\(saved) transactions came to \(sum) instead of twice as many")
            }
            guard objects.allSatisfy({ $0.value == $0.list.count }) else { throw failure("a list is not its number's") }
        }
    }

    private func failure(_ text: String) -> ModelFailure { ModelFailure(description: text) }
}
