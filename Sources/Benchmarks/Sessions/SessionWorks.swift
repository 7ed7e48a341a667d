import Foundation
import PersistentObjects

/// Concurrent sessions, in threads and processes, compared with hand-written connections, each in a separate thread.
func sessionWorks() -> [Comparison] {
    [
        openSession, openSessionAndFind, readingOfThree,
        readers(1), readers(2), readers(4),
        savers("p50", 0.50, .ratio(1.1)), savers("p99", 0.99, .ratio(1.1)),
        wakeUp("half of 20", 0.5), wakeUp("all of 20", 1), idleSubscriber,
    ]
}

private let opened = 10_000

/// The hand-written side takes a connection from an array that a lock guards, and returns it.
private let openSession = Comparison(
    "a session of withSession, opened and ended", .sessions, .nanosecondsEach(20_000), on: .players,
    operations: { _ in opened },
    ours: { trial in
        try onStore(trial) { store in
            try Measurement.timing {
                for _ in 0..<opened { try store.withSession { _ in } }
                return opened
            }
        }
    },
    floor: { trial in
        try trial.onFloor { table in
            let pool = FloorPool(table)
            return try Measurement.timing {
                for _ in 0..<opened { try pool.withTable { _ in } }
                return opened
            }
        }
    })

private let openSessionAndFind = Comparison(
    "the same around one find by id", .sessions, .nanosecondsEach(20_000), on: .players, operations: { _ in opened },
    ours: { trial in
        try onStore(trial) { store in
            try Measurement.timing {
                var sum = 0
                for number in 0..<opened {
                    let id = Int64(number % trial.rows + 1)
                    sum &+= try store.withSession { _ in try Player.find(id)?.age ?? 0 }
                }
                return sum
            }
        }
    },
    floor: { trial in
        try trial.onFloor { table in
            let pool = FloorPool(table)
            return try Measurement.timing {
                var sum = 0
                for number in 0..<opened {
                    let id = Int64(number % trial.rows + 1)
                    sum &+= try pool.withTable { try $0.find(id)?.age ?? 0 }
                }
                return sum
            }
        }
    })

private let readings = 2_000

private let readingOfThree = Comparison(
    "reading { } around three queries", .sessions, .ratio(1.2), on: .players, operations: { _ in readings },
    ours: { trial in
        let names = trial.shuffledLastNames()
        return try trial.inSession { session in
            try Measurement.timing {
                var sum = 0
                for number in 0..<readings {
                    sum &+= try session.reading {
                        try (0..<3).reduce(0) { sum, query in
                            sum + (try Player.findBy.lastName(names[(number + query) % names.count]).count)
                        }
                    }
                }
                return sum
            }
        }
    },
    floor: { trial in
        let names = trial.shuffledLastNames()
        return try trial.onFloor { table in
            let begin = try table.database.prepare("BEGIN"), commit = try table.database.prepare("COMMIT")
            return try Measurement.timing {
                var sum = 0
                for number in 0..<readings {
                    try begin.run()
                    for query in 0..<3 { sum &+= try table.find(lastName: names[(number + query) % names.count]).count }
                    try commit.run()
                }
                return sum
            }
        }
    })

/// Opens a store and uses its class once.
func onStore<Answer>(_ trial: Trial, _ body: (Store) throws -> Answer) throws -> Answer {
    let store = try Store(trial.path, configuration: .init(busyTimeout: .seconds(60), concurrency: 8))
    defer { store.close() }
    try store.withSession { _ in _ = try Player.count() }
    return try body(store)
}

/// A hand-written connection pool, for which one connection is enough here.
private final class FloorPool {
    private let lock = NSLock()
    private var idle: [FloorPlayers]

    init(_ table: FloorPlayers) { idle = [table] }

    func withTable<Answer>(_ body: (FloorPlayers) throws -> Answer) throws -> Answer {
        guard let table = (lock.withLock { idle.popLast() }) else { throw OptionError("the pool is empty") }
        defer { lock.withLock { idle.append(table) } }
        return try body(table)
    }
}
