import PersistentObjects

private let savers = 4
private let savesOfEach = 100

/// The time of a save of one row while four threads save continuously, each in a separate session.
///
/// On the hand-written side, each thread has a connection with SQLite's own timeout.
func savers(_ name: String, _ share: Double, _ budget: Budget) -> Comparison {
    Comparison(
        "a save where four threads save, \(name)", .sessions, budget, on: .players, operations: { _ in 1 },
        ours: { trial in
            try onStore(trial) { store in
                let times = try inThreads(savers) { thread in
                    try store.withSession { _ in
                        guard let player = try Player.find(Int64(thread + 1)) else { throw OptionError("no player") }
                        return try (0..<savesOfEach).map { _ in
                            player.score += 1
                            return try time { try player.save() }
                        }
                    }
                }
                return latency(times, share)
            }
        },
        floor: { trial in
            let times = try inThreads(savers) { thread in
                try trial.onFloor { table in
                    guard let player = try table.find(Int64(thread + 1)) else { throw OptionError("no player") }
                    return try (0..<savesOfEach).map { _ in
                        player.score += 1
                        return try time { try table.updateScores([player]) }
                    }
                }
            }
            return latency(times, share)
        })
}

private func time(_ body: () throws -> Void) rethrows -> Double {
    try ContinuousClock().measure(body).nanoseconds
}

/// The time within which this share of the saves was done.
private func latency(_ times: [[Double]], _ share: Double) -> Measurement {
    let all = times.flatMap { $0 }.sorted()
    return Measurement(all[min(all.count - 1, Int(Double(all.count) * share))], count: all.count)
}
