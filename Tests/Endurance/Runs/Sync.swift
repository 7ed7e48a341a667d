#if Sync
    import Foundation

    /// The `sync` run: kill -9 while two or three processes save, send and receive over one folder. A round is a kill.
    func runSync(_ options: Options) throws -> String {
        let start = ContinuousClock.now
        let kills = options.rounds ?? (options.seconds == nil ? 1_000 : Int.max)
        var run = try SyncRun(seed: options.seed)
        try run.run(first: options.first, kills: kills) { _ in
            options.seconds.map { ContinuousClock.now - start >= .seconds($0) } ?? false
        }
        let figures = run.figures
        return """
            \(figures.kills) kill -9 in \(figures.worlds) worlds of two and three processes, \(figures.actions) changes \
            and \(figures.cutOff) cut off, \(figures.sheets) objects at the end, \(figures.snapshots) worlds with snapshots: \
            0 changes lost, 0 twice, all stores equal
            """
    }

    /// The `sync-speed` run: the processor time, memory and bytes of rounds with 100,000 objects, or `rounds` objects.
    func runSyncSpeed(_ options: Options) throws -> String {
        let count = options.rounds ?? 100_000
        try SyncSpeed(count).run()
        return "\(count) objects"
    }
#endif
