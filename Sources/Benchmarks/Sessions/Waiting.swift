import Dispatch
import Synchronization

/// Runs asynchronous code and waits for its end, because works are synchronous.
func waitFor<Answer: Sendable>(_ body: @escaping @Sendable () async throws -> Answer) throws -> Answer {
    let result = Outcome<Answer>(), done = DispatchSemaphore(value: 0)
    Task {
        do { result.set(.success(try await body())) } catch { result.set(.failure(error)) }
        done.signal()
    }
    done.wait()
    return try result.get()
}

/// Runs `body` in a number of concurrent threads, and waits for all.
func inThreads<Answer: Sendable>(
    _ count: Int, _ body: @escaping @Sendable (Int) throws -> Answer
) throws -> [Answer] {
    let results = (0..<count).map { _ in Outcome<Answer>() }, done = DispatchGroup()
    // Each thread has a separate queue, because one concurrent queue does not guarantee a number of threads.
    for (number, result) in results.enumerated() {
        DispatchQueue(label: "reader \(number)").async(group: done) {
            result.set(Result { try body(number) })
        }
    }
    done.wait()
    return try results.map { try $0.get() }
}

/// The result of a thread or a task.
private final class Outcome<Answer: Sendable>: Sendable {
    private let result = Mutex<Result<Answer, any Error>?>(nil)

    func set(_ found: Result<Answer, any Error>) { result.withLock { $0 = found } }

    func get() throws -> Answer {
        guard let result = result.withLock({ $0 }) else { throw NothingCame() }
        return try result.get()
    }

    private struct NothingCame: Error {}
}

extension Measurement {
    /// An amount that was measured without a stopwatch. Both sides must have the same count.
    init(_ nanoseconds: Double, count: Int) {
        var tally = Tally()
        tally.count = count
        self.init(amount: nanoseconds, tally: tally)
    }
}

extension Duration {
    var nanoseconds: Double { self / .nanoseconds(1) }
}
