import PersistentObjects

/// A row of watched queries.
final class Watched: PersistentObject {
    var name = ""
    var place = 0
    var note = 0

    convenience init(_ place: Int) {
        self.init()
        (name, self.place) = ("name \(place)", place)
    }
}

/// The cost of commits to queries that watch their rows, as processor time. The other side makes the same commits
/// without watched queries.
func watchingWorks() -> [Comparison] {
    [
        list("save of one of n/10 watched rows", 120_000) { rows, round in
            rows[rows.count / 2].note = round + 1
            try rows[rows.count / 2].save()
        },
        list("new row at the front of n/10 watched rows", 120_000) { _, round in try Watched(-1 - round).save() },
        list("move of one of n/10 watched rows", 400_000) { rows, round in
            rows[rows.count - 1 - round].place = -1 - round
            try rows[rows.count - 1 - round].save()
        },
        Comparison(
            "commit that 1,000 watched queries exclude", .watching, .nanosecondsEach(1_000_000), on: .nothing,
            operations: { _ in commitCount },
            ours: { trial in try onWatchers(trial) { try await $0.commits(besides: 1_000, $1) } },
            floor: { trial in try onWatchers(trial) { try await $0.commits(besides: 0, $1) } }),
    ]
}

private let commitCount = 20

/// A work that changes a row in each commit while one query watches all rows.
private func list(
    _ name: String, _ limit: Double, _ change: @escaping @Sendable ([Watched], Int) throws -> Void
) -> Comparison {
    Comparison(
        name, .watching, .nanosecondsEach(limit), on: .nothing, operations: { _ in commitCount },
        ours: { trial in
            try onWatchers(trial) { try await $0.changes(of: trial.rows / 10, isWatched: true, $1, change) }
        },
        floor: { trial in
            try onWatchers(trial) { try await $0.changes(of: trial.rows / 10, isWatched: false, $1, change) }
        })
}

private func onWatchers(
    _ trial: Trial, _ body: @escaping @Sendable (Watchers, Store) async throws -> Measurement
) throws -> Measurement {
    let store = try Store(trial.path)
    defer { store.close() }
    return try waitFor { try await body(Watchers(), store) }
}

/// The actor on which the watched queries and their session live.
private actor Watchers {
    private var updateCount = 0

    func changes(
        of count: Int, isWatched: Bool, _ store: Store, _ change: @Sendable ([Watched], Int) throws -> Void
    ) async throws -> Measurement {
        try await store.withSession { session in
            let rows = (0..<Swift.max(100, count)).map { Watched($0) }
            try session.save(rows)
            var updates = Watched.where { $0.name != "" }.order(by: \.place).updates().makeAsyncIterator()
            if isWatched { _ = try await updates.next() }
            let start = processorTime()
            for round in 0..<commitCount {
                try change(rows, round)
                if isWatched { _ = try await updates.next() }
            }
            return Measurement(processorTime() - start, count: commitCount)
        }
    }

    /// Commits new rows that no watched query finds.
    func commits(besides count: Int, _ store: Store) async throws -> Measurement {
        try await store.withSession { session in
            try session.save((1...1_000).map { Watched($0) })
            let tokens = (1..<count + 1).map { place in
                Watched.where { $0.place == place }.onUpdate { _ in self.updateCount += 1 }
            }
            while updateCount < count { await Task.yield() }
            let start = processorTime()
            for round in 0..<commitCount {
                try Watched(-1 - round).save()
                for _ in 0..<10 { await Task.yield() }
            }
            return withExtendedLifetime(tokens) { Measurement(processorTime() - start, count: commitCount) }
        }
    }
}
