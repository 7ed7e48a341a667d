import Foundation
import Synchronization

/// Runs asynchronous work, and waits for its end. Must run in a copy of the program, because only copies have tasks.
func waitFor<R: Sendable>(_ body: @escaping @Sendable () async throws -> R) throws -> R {
    let result = Slot<R>()
    let done = DispatchSemaphore(value: 0)
    Task {
        await result.fill { try await body() }
        done.signal()
    }
    done.wait()
    return try result.take()
}

/// Runs `body` in `count` threads with a stack of this size, and waits for all of them.
func inThreads<R: Sendable>(
    _ count: Int, stack: Int = 512 << 10, _ body: @escaping @Sendable (Int) throws -> R
) throws -> [R] {
    let slots = (0..<count).map { _ in Slot<R>() }
    let done = DispatchSemaphore(value: 0)
    for number in 0..<count {
        let thread = Thread {
            slots[number].fill { try body(number) }
            done.signal()
        }
        thread.stackSize = stack
        thread.start()
    }
    for _ in 0..<count { done.wait() }
    return try slots.map { try $0.take() }
}

/// The result of a thread or a task.
private final class Slot<R: Sendable>: Sendable {
    private let result = Mutex<Result<R, any Error>?>(nil)

    func fill(_ body: () throws -> R) {
        let found = Result { try body() }
        result.withLock { $0 = found }
    }

    func fill(_ body: () async throws -> R) async {
        let found: Result<R, any Error>
        do { found = .success(try await body()) } catch { found = .failure(error) }
        result.withLock { $0 = found }
    }

    func take() throws -> R {
        guard let found = result.withLock({ $0 }) else { throw Failure("nothing came of it") }
        return try found.get()
    }
}
