import Foundation
import PersistentObjects

private let commits = 20

/// The time from a commit of another process to the next element of `updates()`, in an otherwise idle process.
///
/// The hand-written side polls `data_version` every 10 ms, because SQLite has no notification.
func wakeUp(_ name: String, _ share: Double) -> Comparison {
    Comparison(
        "from another's commit to updates(), \(name)", .sessions, .nanosecondsEach(200_000_000), on: .players,
        operations: { _ in 1 },
        ours: { trial in
            try onStore(trial) { store in
                let times = try waitFor {
                    try await store.withSession { _ in
                        var updates = Player.where { $0.id == 1 }.updates().makeAsyncIterator()
                        _ = try await updates.next()
                        let writer = try OtherProcess(trial)
                        defer { writer.end() }
                        var times: [Double] = []
                        for _ in 0..<commits {
                            let begun = try writer.commit()
                            _ = try await updates.next()
                            times.append(OtherProcess.now - begun)
                            // Commits in close succession are combined with the next.
                            try await Task.sleep(for: .milliseconds(100))
                        }
                        return times
                    }
                }
                return measurement(times, share)
            }
        },
        floor: { trial in
            try trial.onFloor { table in
                var version = try table.database.text("PRAGMA data_version")
                let writer = try OtherProcess(trial)
                defer { writer.end() }
                let times = try (0..<commits).map { _ in
                    let begun = try writer.commit()
                    // More frequent polling costs processor time when idle; see `idleSubscriber`.
                    while try table.database.text("PRAGMA data_version") == version { usleep(10_000) }
                    version = try table.database.text("PRAGMA data_version")
                    _ = try table.find(1)
                    let time = OtherProcess.now - begun
                    // The pause between commits is the same as on the other side.
                    usleep(100_000)
                    return time
                }
                return measurement(times, share)
            }
        })
}

/// The time within which this share of the commits was received.
private func measurement(_ times: [Double], _ share: Double) -> Measurement {
    Measurement(times.sorted()[max(0, Int(Double(times.count) * share) - 1)], count: times.count)
}

/// The cost of a subscriber while nothing is written, as processor time of this process per second.
let idleSubscriber = Comparison(
    "processors for an idle subscriber, each second", .sessions, .nanosecondsEach(1_000_000), on: .players,
    operations: { _ in 3 },
    ours: { trial in
        try onStore(trial) { store in
            try waitFor {
                try await store.withSession { _ in
                    var updates = Player.query.updates().makeAsyncIterator()
                    let found = try await updates.next()?.count ?? 0
                    let before = processorTime()
                    // Nothing is written in this time, so only the cost of waiting is measured.
                    try await Task.sleep(for: .seconds(3))
                    return withExtendedLifetime(updates) { Measurement(processorTime() - before, count: found) }
                }
            }
        }
    },
    floor: { trial in
        try trial.onFloor { table in
            let found = try table.count(), version = try table.database.prepare("PRAGMA data_version")
            let before = processorTime()
            for _ in 0..<300 {
                _ = try version.step()
                version.reset()
                // It polls as often as in `wakeUp`, for three seconds.
                usleep(10_000)
            }
            return Measurement(processorTime() - before, count: found)
        }
    })

/// The nanoseconds of this process on all processors.
func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}
