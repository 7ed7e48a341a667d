import Foundation
import PersistentObjects

/// Two processes with two writers each, and one process that reads, on one file.
struct WriterRun {
    let saves: Int
    let path: String

    struct Figures: Codable {
        var conflicts = 0, reads = 0
        /// The longest durations, in milliseconds.
        var longestSave = 0.0, longestRead = 0.0

        mutating func add(_ other: Figures) {
            conflicts += other.conflicts
            reads += other.reads
            longestSave = max(longestSave, other.longestSave)
            longestRead = max(longestRead, other.longestRead)
        }
    }

    static let counters = 4

    func prepare() throws {
        try ChildProcess.run {
            try open { store in
                try store.prepare(Receipt.self)
                try store.withSession { session in
                    try session.save(
                        (0..<WriterRun.counters).map { number in
                            let counter = Counter()
                            counter.number = number
                            return counter
                        })
                }
            }
        }
    }

    func run(_ processes: Int, _ threads: Int) throws -> Figures {
        let results = path + "-figures"
        let writers = try (0..<processes).map { process in
            try ChildProcess {
                let found = try open { store in
                    try inThreads(threads) { try write(process * threads + $0, store) }
                }
                try report(found, "\(results)-\(process)")
            }
        }
        let stop = path + "-stop"
        let reader = try ChildProcess { try report([try read(until: stop)], "\(results)-reader") }
        let ends = writers.map { $0.wait() }
        try Data().write(to: URL(filePath: stop))
        for end in ends + [reader.wait()] where end != .finished { throw Failure("\(end)") }
        var figures = Figures()
        for name in (0..<processes).map({ "\($0)" }) + ["reader"] {
            for found in try JSONDecoder().decode(
                [Figures].self, from: Data(contentsOf: URL(filePath: "\(results)-\(name)")))
            { figures.add(found) }
        }
        try ChildProcess.run { try check(processes * threads) }
        return figures
    }

    private func open<R>(_ patience: Duration? = nil, _ body: (Store) throws -> R) throws -> R {
        var configuration = Store.Configuration(onNote: { _ in })
        // The writers wait for each other, on a busy machine for seconds.
        configuration.busyTimeout = patience ?? .seconds(60)
        let store = try Store(path, configuration: configuration)
        defer { store.close() }
        return try body(store)
    }

    private func report(_ figures: [Figures], _ path: String) throws {
        try JSONEncoder().encode(figures).write(to: URL(filePath: path))
    }

    /// Increments counters and creates receipts. Repeats an increment after a conflict. Any other error is a failure.
    private func write(_ writer: Int, _ store: Store) throws -> Figures {
        var random = Randomness(UInt64(writer)), figures = Figures()
        for serial in 1...saves {
            let start = ContinuousClock.now
            let number = random.below(WriterRun.counters)
            try store.withSession { session in
                if serial.isMultiple(of: 2) {
                    try session.transaction(retries: 1000) { try raise(number, writer, serial, session) }
                    return
                }
                while true {
                    do {
                        return try raise(number, writer, serial, session)
                    } catch let error as StoreError where error.code == .staleObject {
                        figures.conflicts += 1
                        try session.reset()
                    }
                }
            }
            figures.longestSave = max(figures.longestSave, (ContinuousClock.now - start) / .milliseconds(1))
        }
        return figures
    }

    private func raise(_ number: Int, _ writer: Int, _ serial: Int, _ session: Session) throws {
        guard let counter = try Counter.findFirstBy.number(number) else { throw Failure("counter \(number) is gone") }
        counter.value += 1
        let receipt = Receipt()
        (receipt.writer, receipt.serial, receipt.counter) = (writer, serial, counter)
        try session.save([counter, receipt])
    }

    /// Reads the sum of all counters until `stop` exists. A reader needs no busy timeout.
    private func read(until stop: String) throws -> Figures {
        var figures = Figures(), before = 0
        try open(.zero) { store in
            while access(stop, F_OK) != 0 {
                let start = ContinuousClock.now
                let sum = try store.withSession { _ in try Counter.all().reduce(0) { $0 + $1.value } }
                figures.longestRead = max(figures.longestRead, (ContinuousClock.now - start) / .milliseconds(1))
                try require(sum >= before, "the sum went from \(before) to \(sum)")
                before = sum
                figures.reads += 1
            }
        }
        return figures
    }

    private func check(_ writers: Int) throws {
        try open { store in
            try store.withSession { session in
                for counter in try Counter.all() {
                    let receipts = try Receipt.where { $0.counter == counter }.count()
                    try require(
                        counter.value == receipts, "a counter is \(counter.value), not \(receipts)")
                }
                for writer in 0..<writers {
                    let serials = try Receipt.findBy.writer(writer).map(\.serial)
                    try require(
                        serials == Array(1...saves), "writer \(writer) has \(serials.count) receipts")
                }
                try requireIntegrity(session)
            }
        }
    }

    /// The duration of a save, in milliseconds, while another process holds a write transaction for longer than the
    /// busy timeout.
    func timeout(_ patience: Duration) throws -> Double {
        let (held, release, result) = (path + "-held", path + "-release", path + "-timeout")
        for file in [held, release] { unlink(file) }
        let holder = try ChildProcess {
            try open { store in
                try store.withSession { session in
                    try session.transaction {
                        try session.execute("UPDATE counter SET value = value")
                        try Data().write(to: URL(filePath: held))
                        while access(release, F_OK) != 0 { usleep(10_000) }
                    }
                }
            }
        }
        let waiter = try ChildProcess {
            while access(held, F_OK) != 0 { usleep(10_000) }
            let took = try open(patience) { store in
                try store.withSession { _ in
                    guard let counter = try Counter.all().first else { throw Failure("no counter") }
                    counter.value += 1
                    let start = ContinuousClock.now
                    do {
                        try counter.save()
                        throw Failure("a save came through while another wrote")
                    } catch let error as StoreError where error.code == .busy {}
                    counter.revert()
                    return (ContinuousClock.now - start) / .milliseconds(1)
                }
            }
            try Data("\(took)".utf8).write(to: URL(filePath: result))
        }
        let end = waiter.wait()
        try Data().write(to: URL(filePath: release))
        for end in [end, holder.wait()] where end != .finished { throw Failure("\(end)") }
        guard let took = Double(try String(contentsOfFile: result, encoding: .utf8)) else { throw Failure("no result") }
        return took
    }
}
