#if Sync
    import Foundation

    /// The `sync` run: kill -9 while two or three processes save, send and receive over one folder. A round is a kill.
    func runSync(_ options: Options) throws -> String {
        let figures = try kill(options, usesService: false)
        return """
            \(figures.kills) kill -9 in \(figures.worlds) worlds of two and three processes, \(figures.actions) changes \
            and \(figures.cutOff) cut off, \(figures.sheets) objects at the end, \(figures.snapshots) worlds with snapshots: \
            0 changes lost, 0 twice, all stores equal
            """
    }

    /// The `sync-service` run: the same over a service, which is killed as well, and whose disk is full at times.
    func runSyncService(_ options: Options) throws -> String {
        let figures = try kill(options, usesService: true)
        return """
            \(figures.kills) kill -9 in \(figures.worlds) worlds of a service and two or three processes, \
            \(figures.actions) changes and \(figures.cutOff) cut off, \(figures.sheets) objects at the end: 0 changes lost, \
            0 twice, all stores equal
            """
    }

    private func kill(_ options: Options, usesService: Bool) throws -> SyncRun.Figures {
        let start = ContinuousClock.now
        let kills = options.rounds ?? (options.seconds == nil ? 1_000 : Int.max)
        var run = try SyncRun(seed: options.seed, usesService: usesService)
        try run.run(first: options.first, kills: kills) { _ in
            options.seconds.map { ContinuousClock.now - start >= .seconds($0) } ?? false
        }
        return run.figures
    }

    /// The `sync-speed` run: the processor time, memory and bytes of rounds with 100,000 objects, or `rounds` objects.
    func runSyncSpeed(_ options: Options) throws -> String {
        let count = options.rounds ?? 100_000
        try SyncSpeed(count).run()
        return "\(count) objects"
    }

    /// The `sync-devices` run: what a group of 2, 5, 10 and 20 devices costs, with 1,000 objects or `rounds` objects.
    func runSyncDevices(_ options: Options) throws -> String {
        try SyncDevices(count: options.rounds ?? 1000).run([2, 5, 10, 20])
    }

    /// The `sync-bytes` run: the time and memory of reading 2,000 hostile inputs, or `rounds` inputs.
    func runSyncBytes(_ options: Options) throws -> String {
        let count = options.rounds ?? 2_000
        return try SyncBytes(seed: options.seed, rounds: options.first..<options.first + count).run()
    }

    /// The `sync-forget` run: what remains of 100,000 deleted objects, or `rounds` objects, on two devices and in their
    /// folder.
    func runSyncForget(_ options: Options) throws -> String {
        try SyncForgetting(count: options.rounds ?? 100_000).run()
    }
#endif
