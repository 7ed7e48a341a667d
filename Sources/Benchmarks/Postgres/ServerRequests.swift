#if PostgreSQL
    import Foundation
    import PersistentObjects
    import Synchronization

    /// A server program: many requests at a time, each with a session that finds a player, and saves it in some requests.
    ///
    /// It is compared with hand-written code over libpq, with as many connections and a thread for each.
    struct ServerRequests {
        let options: Options
        let address: String

        /// The kinds of requests.
        private enum Kind: CaseIterable {
            case finders, mixed, saves

            var name: String {
                switch self {
                case .finders: "finders"
                case .mixed: "80 % finders, 20 % saves"
                case .saves: "find and save"
                }
            }

            func saves(_ number: Int) -> Bool {
                switch self {
                case .finders: false
                case .mixed: number % 5 == 0
                case .saves: true
                }
            }
        }

        private static let connections = 16
        private static let tasks = 32
        private static let requests = 20_000

        /// The requests of a second, and the median and the 99th percentile of their times in microseconds.
        private struct Rates {
            let rate, median, last: Double

            init(_ times: [Double], in elapsed: Double) {
                let sorted = times.sorted()
                rate = Double(times.count) / (elapsed / 1e9)
                median = sorted[sorted.count / 2] / 1000
                last = sorted[sorted.count * 99 / 100] / 1000
            }
        }

        /// Measures requests on the existing table.
        func run() throws {
            print("\nrequests a second of \(Self.tasks) tasks on \(Self.connections) connections; median and p99 in µs")
            print("requests                          library  median     p99      libpq  median     p99   ratio")
            for kind in Kind.allCases {
                let rounds = try (0..<options.rounds).map { _ in (ours: try ours(kind), floor: try floor(kind)) }
                guard let ours = rounds.map(\.ours).max(by: { $0.rate < $1.rate }),
                    let floor = rounds.map(\.floor).max(by: { $0.rate < $1.rate })
                else { continue }
                let numbers = [ours, floor].map { String(format: "%10.0f %7.0f %7.0f", $0.rate, $0.median, $0.last) }
                print(
                    kind.name.padding(toLength: 30, withPad: " ", startingAt: 0) + numbers.joined(separator: " ")
                        + String(format: "%8.2f", ours.rate / floor.rate))
            }
        }

        /// Hands out the numbers of requests to tasks and threads.
        private final class Requests: Sendable {
            private let last = Atomic<Int>(-1)
            private let count: Int
            private let rows: Int

            init(_ count: Int, rows: Int) { (self.count, self.rows) = (count, rows) }

            /// The next request, with the name that it searches for; nil after the last one.
            func next() -> (number: Int, name: String)? {
                let number = last.add(1, ordering: .relaxed).newValue
                guard number < count else { return nil }
                return (number, PlayerData.lastName(number * 7919 % PlayerData.lastNames(rows: rows)))
            }
        }

        private func ours(_ kind: Kind) throws -> Rates {
            let configuration = Store.Configuration(busyTimeout: .seconds(60), concurrency: Self.connections)
            let store = try Store(.postgres(address), configuration: configuration)
            defer { store.close() }
            try store.prepare(Player.self)
            let result = Mutex<Result<Rates, any Error>?>(nil)
            let end = DispatchSemaphore(value: 0)
            let rows = options.rows
            Task.detached {
                do {
                    _ = try await Self.times(kind, store, Requests(Self.requests / 10, rows: rows))
                    let start = ContinuousClock.now
                    let times = try await Self.times(kind, store, Requests(Self.requests, rows: rows))
                    let rates = Rates(times, in: (ContinuousClock.now - start) / .nanoseconds(1))
                    result.withLock { $0 = .success(rates) }
                } catch { result.withLock { $0 = .failure(error) } }
                end.signal()
            }
            end.wait()
            guard let result = result.withLock(\.self) else { throw OptionError("the tasks have not ended") }
            return try result.get()
        }

        private static func times(_ kind: Kind, _ store: Store, _ requests: Requests) async throws -> [Double] {
            return try await withThrowingTaskGroup(of: [Double].self) { group in
                for _ in 0..<tasks {
                    group.addTask {
                        var times: [Double] = []
                        while let (number, name) = requests.next() {
                            let start = ContinuousClock.now
                            try await store.perform { _ in
                                let found = try Player.findByLastName(name)
                                guard kind.saves(number), let player = found.first else { return }
                                player.score += 1
                                try player.save()
                            }
                            times.append((ContinuousClock.now - start) / .nanoseconds(1))
                        }
                        return times
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
        }

        private func floor(_ kind: Kind) throws -> Rates {
            let connections = try (0..<Self.connections).map { _ in try FloorRequests(address) }
            _ = try times(kind, connections, Self.requests / 10)
            let (all, elapsed) = try Stopwatch.time { try times(kind, connections, Self.requests) }
            return Rates(all, in: elapsed)
        }

        private func times(_ kind: Kind, _ connections: [FloorRequests], _ count: Int) throws -> [Double] {
            let requests = Requests(count, rows: options.rows)
            let results = Mutex<(times: [Double], failure: (any Error)?)>(([], nil))
            let group = DispatchGroup()
            for connection in connections {
                group.enter()
                Thread.detachNewThread {
                    defer { group.leave() }
                    var times: [Double] = []
                    do {
                        while let (number, name) = requests.next() {
                            let start = ContinuousClock.now
                            try connection.handle(name, saves: kind.saves(number))
                            times.append((ContinuousClock.now - start) / .nanoseconds(1))
                        }
                    } catch { results.withLock { $0.failure = error } }
                    results.withLock { $0.times += times }
                }
            }
            group.wait()
            return try results.withLock { results in
                if let failure = results.failure { throw failure }
                return results.times
            }
        }
    }

    /// One connection of the hand-written side, which one thread uses.
    private final class FloorRequests: @unchecked Sendable {  // one thread uses it at a time
        private let server: FloorServer
        private let players: FloorServerPlayers

        init(_ address: String) throws {
            server = try FloorServer(address)
            players = try FloorServerPlayers(server)
            try server.prepare(
                "update", "UPDATE player SET score = score + 1 WHERE id = $1::bigint RETURNING id")
        }

        /// Finds players, and saves the first; a transaction that conflicts with another one is repeated.
        func handle(_ name: String, saves: Bool) throws {
            let found = try players.find(lastName: name)
            guard saves, let player = found.first else { return }
            var isDone = false
            while !isDone {
                do {
                    try server.execute("BEGIN ISOLATION LEVEL SERIALIZABLE")
                    var id = Int64(player.id).bigEndian
                    try withUnsafeBytes(of: &id) { try server.rows(of: "update", $0) { _ in } }
                    try server.execute("COMMIT")
                    isDone = true
                } catch let failure as FloorServer.Failure where failure.description.contains("could not serialize") {
                    try server.execute("ROLLBACK")
                }
            }
        }
    }
#endif
