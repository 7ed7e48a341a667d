import Dispatch
import Foundation
import PersistentObjects
import Synchronization

private let reads = 4_000

/// A number of tasks that read, each in a separate session, while a thread commits every millisecond.
///
/// On the hand-written side, each reader is a thread with a connection.
func readers(_ count: Int) -> Comparison {
    Comparison(
        "reads in \(count) \(count == 1 ? "task" : "tasks") beside a writer", .sessions, .ratio(1.15), on: .players,
        operations: { _ in reads },
        ours: { trial in
            let names = trial.shuffledLastNames()
            return try onStore(trial) { store in
                try beside {
                    try store.withSession { _ in
                        guard let player = try Player.find(1) else { return }
                        player.score += 1
                        try player.save()
                    }
                } read: {
                    try waitFor {
                        try await withThrowingTaskGroup(of: Int.self) { group in
                            for task in 0..<count {
                                group.addTask {
                                    try await store.perform { _ in
                                        try part(task, of: count).reduce(0) { sum, number in
                                            sum + (try Player.findBy.lastName(names[number % names.count]).count)
                                        }
                                    }
                                }
                            }
                            return try await group.reduce(0, +)
                        }
                    }
                }
            }
        },
        floor: { trial in
            let names = trial.shuffledLastNames()
            let writer = Mutex(try FloorPlayers(FloorDatabase(trial.path, noMutex: trial.options.floorNoMutex)))
            return try beside {
                try writer.withLock { table in
                    guard let player = try table.find(1) else { return }
                    player.score += 1
                    try table.updateScores([player])
                }
            } read: {
                try inThreads(count) { thread in
                    try trial.onFloor { table in
                        try part(thread, of: count).reduce(0) { sum, number in
                            sum + (try table.find(lastName: names[number % names.count]).count)
                        }
                    }
                }.reduce(0, +)
            }
        })
}

private func part(_ number: Int, of count: Int) -> StrideTo<Int> { stride(from: number, to: reads, by: count) }

/// Times `read` while a thread writes continuously.
private func beside(
    write: @escaping @Sendable () throws -> Void, read: () throws -> Int
) throws -> Measurement {
    let state = WriterState(), end = DispatchSemaphore(value: 0)
    DispatchQueue(label: "writer").async {
        while !state.isOver {
            do { try write() } catch {
                state.end(error)
                break
            }
            // There are at most a thousand commits per second, because more would measure the writer.
            usleep(1_000)
        }
        end.signal()
    }
    let clock = ContinuousClock(), start = clock.now
    let result = Result { try read() }
    let time = start.duration(to: clock.now)
    state.end(nil)
    end.wait()
    try state.check()
    return Measurement(time.nanoseconds, count: try result.get())
}

private final class WriterState: Sendable {
    private let state = Mutex((isOver: false, failure: (any Error)?.none))

    var isOver: Bool { state.withLock { $0.isOver } }

    func end(_ error: (any Error)?) { state.withLock { $0 = (true, $0.failure ?? error) } }

    func check() throws { if let error = state.withLock({ $0.failure }) { throw error } }
}
