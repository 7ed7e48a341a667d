#if Sync
    import Foundation
    import PersistentObjects
    import PersistentSync

    /// Two or three processes over one folder or service, which are killed again and again while they save, send and receive. Nothing
    /// that was saved may be lost, and all stores are equal at the end.
    struct SyncRun {
        let seed: UInt64
        /// Whether the devices exchange files through a service, which is killed as well, and whose disk is full at times.
        let usesService: Bool
        private let scratch: Scratch
        private(set) var figures = Figures()

        struct Figures {
            var kills = 0, worlds = 0, actions = 0, cutOff = 0, sheets = 0, snapshots = 0
        }

        init(seed: UInt64, usesService: Bool = false) throws {
            (self.seed, self.usesService) = (seed, usesService)
            scratch = try Scratch()
        }

        /// Runs worlds with the numbers from `first`. Each world is independent.
        mutating func run(first: Int, kills: Int, until isOver: (Figures) -> Bool) throws {
            defer { scratch.remove() }
            var number = first
            while !isOver(figures), figures.kills < kills {
                var random = Randomness(seed, number)
                do { try world(number, min(kills - figures.kills, 10 + random.below(40)), &random) } catch {
                    throw Failure("sync\(usesService ? "-service" : "") --seed \(seed) --first \(number): \(error)")
                }
                number += 1
                figures.worlds += 1
            }
        }

        private mutating func world(_ number: Int, _ kills: Int, _ random: inout Randomness) throws {
            let folder = try scratch.folder("world-\(number)")
            // Two devices, three devices, or two devices of which one has two processes.
            let owners = [[0, 1], [0, 1, 2], [0, 1, 1], [0, 1, 0]][number % 4]
            let devices = Set(owners).count
            let service = usesService ? try SyncServiceProcess(in: folder) : nil
            let processes = owners.enumerated().map {
                SyncProcess(
                    folder: folder, device: $1, process: $0, devices: devices, place: service?.place ?? .folder)
            }
            var works: [Work] = processes.map { process in { seed in try waitFor { try await process.work(seed) } } }
            if let service { works.append { try service.serve($0) } }
            var running = try works.map { try start($0, &random) }
            for _ in 0..<kills {
                let next = running.indices.min { running[$0].end < running[$1].end } ?? 0
                let wait = (running[next].end - .now) / .microseconds(1)
                if wait > 0 { usleep(UInt32(wait)) }
                try stop(running[next].child)
                figures.kills += 1
                running[next] = try start(works[next], &random)
            }
            for process in running { try stop(process.child) }
            let last = try service.map { service in try ChildProcess { try service.serve(nil) } }
            defer {
                last?.kill()
                _ = last?.wait()
            }
            try service?.waitUntilServed()
            try finish(processes, folder)
            try? FileManager.default.removeItem(atPath: folder)
        }

        private typealias Work = @Sendable (_ seed: UInt64) throws -> Void

        private func start(
            _ work: Work, _ random: inout Randomness
        ) throws -> (child: ChildProcess, end: ContinuousClock.Instant) {
            // Short lives end while the group is founded and joined, and in the middle of the first round.
            let time = random.chance(0.3) ? random.logarithmic(100) : 50 + random.below(450)
            let seed = random.next()
            let child = try ChildProcess { try work(seed) }
            // Requests take longer than reads of a folder.
            return (child, .now + .milliseconds(usesService ? 3 * time : time))
        }

        private func stop(_ child: ChildProcess) throws {
            child.kill()
            if case .failed(let problem) = child.wait() { throw Failure(problem) }
        }

        /// Lets the devices meet until nothing is left to send, and compares them.
        private mutating func finish(_ processes: [SyncProcess], _ folder: String) throws {
            let devices = (0..<(processes.map(\.device).max() ?? 0) + 1).compactMap { device in
                processes.first { $0.device == device }
            }
            let result = folder + "/result"
            try ChildProcess.run {
                let count = try waitFor { try await SyncEnd(devices: devices).run(processes.map(\.ledger)) }
                try Data("\(count)".utf8).write(to: URL(filePath: result))
            }
            figures.sheets += Int(try String(contentsOfFile: result, encoding: .utf8)) ?? 0
            let files = usesService ? [] : try FileManager.default.subpathsOfDirectory(atPath: folder + "/shared")
            if files.contains(where: { $0.contains("/snapshots/s-") }) { figures.snapshots += 1 }
            for process in processes {
                let actions = try SyncLedger.actions(in: process.ledger)
                figures.actions += actions.count { $0.isDone }
                figures.cutOff += actions.count { !$0.isDone }
            }
        }
    }

    /// The last rounds of all devices, and the comparison. A new device joins, which reads a snapshot if there is one.
    struct SyncEnd: Sendable {
        let devices: [SyncProcess]

        /// Returns the number of objects.
        func run(_ ledgers: [String]) async throws -> Int {
            // The founder, then each other device: enters the group if it was killed before.
            for device in devices { try await device.open { _, sync in try await device.settle(sync) } }
            try await meet(devices)
            let late = SyncProcess(
                folder: devices[0].folder, device: 9, process: 9, devices: devices.count, place: devices[0].place)
            let code = try await devices[0].open { _, sync in
                try await found(try sync.groups.first, "no group").invitation()
            }
            try await late.open { _, sync in _ = try await sync.join(code) }
            try await meet(devices + [late])
            var contents: [SyncContent] = []
            for device in devices + [late] {
                contents.append(
                    try await device.open { store, sync in
                        try store.withSession { try requireIntegrity($0) }
                        try await device.check(store, sync, members: devices.count + 1)
                        return try SyncContent(of: store, URL(filePath: "\(device.folder)/export-\(device.device)"))
                    })
            }
            let actions = try ledgers.flatMap { try SyncLedger.actions(in: $0) }
            for content in contents {
                if let difference = content.difference(from: contents[0]) { throw Failure(difference) }
                try content.check(actions)
            }
            return contents[0].sheets.count
        }

        /// Runs rounds of all devices until none of them sends or receives anything.
        private func meet(_ devices: [SyncProcess]) async throws {
            for _ in 0..<20 {
                var isBusy = false
                for device in devices {
                    let isActive = try await device.open { _, sync in
                        let report = try await sync.meet()
                        try require(report.problems.isEmpty && report.lostObjects == 0, "\(report)")
                        return report.sentObjects > 0 || report.receivedBatches > 0
                    }
                    isBusy = isBusy || isActive
                }
                if !isBusy { return }
            }
            throw Failure("the devices go on sending without changes")
        }
    }

    extension SyncProcess {
        /// Enters the group, and meets once.
        func settle(_ sync: Sync) async throws {
            _ = try await enter(sync)
            try await meet(sync)
        }

        /// Checks what no kill may change: one identity, and no former members.
        func check(_ store: Store, _ sync: Sync, members: Int) async throws {
            let identities = try store.withSession { session in
                try session.rows("SELECT count(*) AS n FROM po_sync_device WHERE role = 'own'").map { row in
                    try row.value("n") as Int
                }
            }
            try require(identities == [1], "\(name) took another identity: \(identities)")
            let group = try found(try sync.groups.first, "no group")
            let count = try await group.members.count
            try require(count == members, "\(name) knows \(count) members, not \(members)")
            let waiting = try sync.waiting().filter { $0.reason != .missingTarget }
            try require(waiting.isEmpty, "\(waiting)")
        }
    }
#endif
