import PersistentObjects

/// The growth of the cost of a row with the earlier work of its transaction.
///
/// Both sides use the library. The other side does the same with a tenth of the rows.
func growthWorks() -> [Comparison] {
    [
        growth("insert by 1,000 in one transaction", insertInOneTransaction),
        growth("edit by batches in one transaction", editInOneTransaction),
        growth("insert one by one in inner transactions of 500", insertInInnerTransactions),
        growth("fetch all", { trial, rows in try fetch(trial, rows) }),
    ]
}

private func growth(
    _ name: String, _ work: @escaping @Sendable (Trial, Int) throws -> Double
) -> Comparison {
    Comparison(
        name + ", beside a tenth of them", .growth, .ratio(1.1), on: .nothing,
        ours: { Measurement(amount: try work($0, $0.rows), tally: Tally()) },
        floor: { Measurement(amount: 10 * (try work($0, max(1, $0.rows / 10))), tally: Tally()) })
}

private func insertInOneTransaction(_ trial: Trial, _ rows: Int) throws -> Double {
    try trial.inSession { session in
        try Stopwatch.time {
            try session.transaction {
                for start in stride(from: 0, to: rows, by: 1_000) {
                    try session.save((start..<min(rows, start + 1_000)).map { Player(PlayerData($0, rows: rows)) })
                }
            }
        }.nanoseconds
    }
}

private func editInOneTransaction(_ trial: Trial, _ rows: Int) throws -> Double {
    try trial.inSession { try $0.save((0..<rows).map { Player(PlayerData($0, rows: rows)) }) }
    return try trial.inSession { session in
        try Stopwatch.time {
            try session.transaction {
                try Player.query.forEachBatch(of: 500) { batch in
                    for player in batch { player.score += 1 }
                    try session.saveChanges()
                }
            }
        }.nanoseconds
    }
}

private func insertInInnerTransactions(_ trial: Trial, _ rows: Int) throws -> Double {
    try trial.inSession { session in
        try Stopwatch.time {
            try session.transaction {
                for start in stride(from: 0, to: rows, by: 500) {
                    try session.transaction {
                        for number in start..<min(rows, start + 500) {
                            try Player(PlayerData(number, rows: rows)).save()
                        }
                    }
                }
            }
        }.nanoseconds
    }
}

private func fetch(_ trial: Trial, _ rows: Int) throws -> Double {
    try trial.inSession { try $0.save((0..<rows).map { Player(PlayerData($0, rows: rows)) }) }
    return try trial.inSession { _ in try Stopwatch.time { try Player.all() }.nanoseconds }
}
