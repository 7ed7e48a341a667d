#if PostgreSQL
    import Foundation
    import PersistentObjects

    /// The measurements of `--postgres`: the library and hand-written Swift over libpq, on the same server.
    struct ServerComparison {
        let options: Options
        let address: String

        private struct ServerWork {
            let name: String
            let wall, own: Double
            let operations: Int
            let ours: (Session) throws -> (Amounts, Tally)
            let floor: (FloorServerPlayers) throws -> (Amounts, Tally)
            let expected: Tally
            var isEmptyFirst = false
        }

        /// Nanoseconds of elapsed time, and of processor time of this process.
        private struct Amounts {
            var wall = 0.0
            var own = 0.0

            static func time<R>(_ body: () throws -> R) rethrows -> (answer: R, amounts: Amounts) {
                let before = nanoseconds(CLOCK_PROCESS_CPUTIME_ID)
                let (answer, wall) = try Stopwatch.time(body)
                return (answer, Amounts(wall: wall, own: nanoseconds(CLOCK_PROCESS_CPUTIME_ID) - before))
            }

            private static func nanoseconds(_ clock: clockid_t) -> Double {
                var time = timespec()
                clock_gettime(clock, &time)
                return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
            }
        }

        func run() throws {
            let server = try FloorServer(address)
            try server.execute("SET client_min_messages = warning")
            try server.execute("DROP SCHEMA IF EXISTS po_benchmarks CASCADE")
            try server.execute("CREATE SCHEMA po_benchmarks")
            defer { try? server.execute("DROP SCHEMA IF EXISTS po_benchmarks CASCADE") }
            let own = Self.with(address, "options=-csearch_path%3Dpo_benchmarks")
            let store = try Store(.postgres(own))
            defer { store.close() }
            try store.withSession { _ in _ = try Player.count() }
            try server.execute("SET search_path = po_benchmarks")
            let players = try FloorServerPlayers(server)
            let works = works.filter { options.selects($0.name) }
            let table = Report.Table(names: works.flatMap { ["\($0.name), wall", "\($0.name), own processor"] })
            print(table.heading)
            for work in works {
                if !work.isEmptyFirst {
                    try server.execute("TRUNCATE player")
                    try players.insert(PlayerData.numbers(options.rows).map(FloorPlayer.init))
                    try server.execute("ANALYZE player")
                }
                var rounds: [(ours: Amounts, floor: Amounts)] = []
                for round in 0..<options.rounds {
                    var amounts: [Side: Amounts] = [:]
                    for side in round.isMultiple(of: 2) ? [Side.ours, .floor] : [.floor, .ours] {
                        if work.isEmptyFirst { try server.execute("TRUNCATE player") }
                        let (amount, tally) =
                            side == .ours ? try store.withSession(work.ours) : try work.floor(players)
                        guard tally == work.expected else {
                            throw WrongResult(work: work.name, side: side, expected: work.expected, found: tally)
                        }
                        amounts[side] = amount
                    }
                    rounds.append((amounts[.ours] ?? .init(), amounts[.floor] ?? .init()))
                }
                for (name, budget, amount) in [
                    ("wall", work.wall, \Amounts.wall), ("own processor", work.own, \Amounts.own),
                ] {
                    print(
                        table.line(
                            for: WorkResult(
                                name: "\(work.name), \(name)", group: .objects, budget: .ratio(budget),
                                operations: work.operations,
                                rounds: rounds.map { ($0.ours[keyPath: amount], $0.floor[keyPath: amount]) },
                                statements: nil)))
                }
            }
            if options.selects("requests") || options.selects("writers") {
                try server.execute("TRUNCATE player")
                try players.insert(PlayerData.numbers(options.rows).map(FloorPlayer.init))
                try server.execute("ANALYZE player")
            }
            if options.selects("pages") { try ServerPages(options: options, address: own).run() }
            if options.selects("requests") { try ServerRequests(options: options, address: own).run() }
            if options.selects("copy") {
                let target = Self.with(address, "options=-csearch_path%3D\(ServerCopy.schema)")
                try ServerCopy(options: options, address: target).run()
            }
            if options.selects("changes") { try ServerChanges(options: options, address: own).run() }
            if options.selects("writers") { try ServerWriters(options: options, address: own).run() }
        }

        private static func with(_ address: String, _ setting: String) -> String {
            address + (address.contains("?") ? "&" : "?") + setting
        }

        private var works: [ServerWork] {
            let rows = options.rows
            let everything = Tally(of: PlayerData.numbers(rows))
            let touched = Tally(touching: PlayerData.numbers(rows))
            let names = (0..<min(PlayerData.lastNames(rows: rows), 2000)).map {
                PlayerData.lastName($0 * 7 % max(1, rows / 5))
            }
            let ids = (0..<min(rows, 5000)).map { Int64($0 * 13 % rows + 1) }
            let numbers = Array(PlayerData.numbers(rows))
            func tally<P: PlayerValues>(_ find: (String) throws -> [P]) rethrows -> Tally {
                var tally = Tally()
                for name in names { for player in try find(name) { tally.touch(player) } }
                return tally
            }
            let wanted = Set(names)
            let named = Tally(touching: numbers.filter { wanted.contains($0.lastName) })
            return [
                ServerWork(
                    name: "insert, one transaction", wall: 1.2, own: 1.2, operations: rows,
                    ours: { session in
                        let players = PlayerData.numbers(rows).map(Player.init)
                        return (try Amounts.time { try session.save(players) }.amounts, Tally(of: players))
                    },
                    floor: { table in
                        let players = PlayerData.numbers(rows).map(FloorPlayer.init)
                        return (try Amounts.time { try table.insert(players) }.amounts, Tally(of: players))
                    }, expected: everything, isEmptyFirst: true),
                ServerWork(
                    name: "fetch all, fresh", wall: 1.1, own: 1.35, operations: rows,
                    ours: { _ in
                        let (players, amounts) = try Amounts.time { try Player.all() }
                        return (amounts, Tally(of: players))
                    },
                    floor: { table in
                        let (players, amounts) = try Amounts.time { try table.all() }
                        return (amounts, Tally(of: players))
                    }, expected: everything),
                ServerWork(
                    name: "find by id", wall: 1.1, own: 1.35, operations: ids.count,
                    ours: { _ in
                        let (found, amounts) = try Amounts.time { try ids.compactMap { try Player.find($0) } }
                        return (amounts, Tally(touching: found))
                    },
                    floor: { table in
                        let (found, amounts) = try Amounts.time { try ids.compactMap { try table.find($0) } }
                        return (amounts, Tally(touching: found))
                    }, expected: ids.count == rows ? touched : Tally(touching: ids.map { numbers[Int($0) - 1] })),
                ServerWork(
                    name: "finder on an indexed text", wall: 1.1, own: 1.35, operations: names.count,
                    ours: { _ in
                        let (tally, amounts) = try Amounts.time { try tally { try Player.findByLastName($0) } }
                        return (amounts, tally)
                    },
                    floor: { table in
                        let (tally, amounts) = try Amounts.time { try tally { try table.find(lastName: $0) } }
                        return (amounts, tally)
                    }, expected: named),
            ]
        }
    }
#endif
