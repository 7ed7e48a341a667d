#if PostgreSQL
    import Dispatch
    import Foundation
    import PersistentObjects
    import Synchronization

    /// The number of saves that a server accepts from several threads, concurrently and one at a time.
    struct ServerWriters {
        let options: Options
        let address: String

        private static let savesOfEach = 200

        /// Measures threads that change separate rows of the existing table.
        func run() throws {
            print("\nsaves a second, each of one row and durable as the server is set")
            print("threads   serializable   exclusive")
            for count in [1, 2, 4, 8] {
                let rates = try [Store.Configuration.Isolation.serializable, .exclusive].map { try rate($0, count) }
                print(String(format: "%7d %14.0f %11.0f", count, rates[0], rates[1]))
            }
        }

        private func rate(_ isolation: Store.Configuration.Isolation, _ count: Int) throws -> Double {
            var configuration = Store.Configuration(busyTimeout: .seconds(60))
            configuration.isolation = isolation
            let store = try Store(.postgres(address), configuration: configuration)
            defer { store.close() }
            try store.prepare(Player.self)
            let failure = Mutex<(any Error)?>(nil)
            let rows = options.rows
            let (_, time) = Stopwatch.time {
                DispatchQueue.concurrentPerform(iterations: count) { number in
                    do {
                        try store.withSession { session in
                            for save in 0..<ServerWriters.savesOfEach {
                                let id = (number * rows / count + save * 17 % (rows / count)) + 1
                                guard let player = try Player.find(id) else { continue }
                                player.score += 1
                                try player.save()
                            }
                        }
                    } catch { failure.withLock { $0 = error } }
                }
            }
            if let error = failure.withLock({ $0 }) { throw error }
            return Double(count * ServerWriters.savesOfEach) / (time / 1e9)
        }
    }
#endif
