import PersistentObjects

/// Writes of rows whose index keys come in no order: each changes another page of the index than the row before.
func writingWorks() -> [Comparison] {
    [insertOneReference, insertFourReferences, insertKeys, changeKeys]
        + [
            merge(
                "upsert, half of the rows there", .ratio(1.1), "UPDATE SET text = excluded.text, stock = excluded.stock"
            ) {
                try $0.upsert($1, on: \.number)
            },
            merge("insertMissing, half of the rows there", .ratio(1.1), "NOTHING") {
                try $0.insertMissing($1, on: \.number)
            },
        ]
}

private let insertOneReference = Comparison(
    "insert, a reference in no order", .writing, .ratio(0.95), on: .nothing,
    ours: { trial in
        try ours(trial, Visit.self, "visit", "place_id") { session in
            let visits = VisitData.visits(trial.rows, try VisitData.savedPlaces(trial.rows, session))
            return { try session.save(visits) }
        }
    },
    floor: { trial in
        try floor(trial, "visit", "place_id") { table in
            let visits = VisitData.floorVisits(trial.rows, try table.places(VisitData.places(trial.rows)))
            return { try table.insert(visits) }
        }
    })

private let insertFourReferences = Comparison(
    "insert, four references in no order", .writing, .ratio(1.15), on: .nothing,
    ours: { trial in
        try ours(trial, Trip.self, "trip", "start_id + end_id + stop_id + home_id") { session in
            let trips = VisitData.trips(trial.rows, try VisitData.savedPlaces(trial.rows, session))
            return { try session.save(trips) }
        }
    },
    floor: { trial in
        try floor(trial, "trip", "start_id + end_id + stop_id + home_id") { table in
            let trips = VisitData.floorTrips(trial.rows, try table.places(VisitData.places(trial.rows)))
            return { try table.insert(trips) }
        }
    })

private let insertKeys = Comparison(
    "insert, an indexed number in no order", .writing, .ratio(0.95), on: .nothing,
    ours: { trial in
        try ours(trial, Mark.self, "mark", "key") { session in
            let marks = VisitData.marks(trial.rows)
            return { try session.save(marks) }
        }
    },
    floor: { trial in
        try floor(trial, "mark", "key") { table in
            let marks = VisitData.floorMarks(trial.rows)
            return { try table.insert(marks) }
        }
    })

private let changeKeys = Comparison(
    "change an indexed number of each, save all", .writing, .ratio(0.90), on: .nothing,
    ours: { trial in
        try ours(trial, Mark.self, "mark", "key") { session in
            let marks = VisitData.marks(trial.rows)
            try session.save(marks)
            return {
                for mark in marks { mark.key = VisitData.key(mark.key + 1) }
                try session.saveChanges()
            }
        }
    },
    floor: { trial in
        try floor(trial, "mark", "key") { table in
            let marks = VisitData.floorMarks(trial.rows)
            try table.insert(marks)
            return {
                for mark in marks { mark.key = VisitData.key(mark.key + 1) }
                try table.updateKeys(marks)
            }
        }
    })

/// - Parameter conflict: What the hand-written statement does with a row that is there.
private func merge(
    _ name: String, _ budget: Budget, _ conflict: String,
    _ save: @escaping @Sendable (Session, [Article]) throws -> [Article]
) -> Comparison {
    Comparison(
        name, .writing, budget, on: .nothing, operations: VisitData.articleCount,
        ours: { trial in
            // Another session: the rows are not in memory.
            try trial.inSession(using: Article.self, Place.self) {
                try $0.save(VisitData.articles(VisitData.formerArticles(trial.rows), stock: 1))
            }
            return try ours(trial, Article.self, "article", "stock") { session in
                let articles = VisitData.articles(0..<VisitData.articleCount(trial.rows), stock: 2)
                return { try save(session, articles) }
            }
        },
        floor: { trial in
            try floor(trial, "article", "stock") { table in
                try table.insert(
                    VisitData.floorArticles(VisitData.formerArticles(trial.rows), stock: 1), onConflict: "NOTHING")
                let articles = VisitData.floorArticles(0..<VisitData.articleCount(trial.rows), stock: 2)
                return { try table.insert(articles, onConflict: conflict) }
            }
        })
}

/// Times what `prepare` returns, with the library; the tally is the sum of a column.
private func ours<T: Persistent, Answer>(
    _ trial: Trial, _ type: T.Type, _ table: String, _ column: String,
    _ prepare: (Session) throws -> () throws -> Answer
) throws -> Measurement {
    let time = try trial.inSession(using: T.self, Place.self) { session in
        let work = try prepare(session)
        return try Stopwatch.time(work).nanoseconds
    }
    return Measurement(amount: time, tally: try trial.onDatabase { try tally($0, table, column) })
}

/// The same by hand.
private func floor(
    _ trial: Trial, _ table: String, _ column: String, _ prepare: (FloorVisits) throws -> () throws -> Void
) throws -> Measurement {
    try trial.onDatabase { database in
        let work = try prepare(try FloorVisits(database))
        let time = try Stopwatch.time(work).nanoseconds
        return Measurement(amount: time, tally: try tally(database, table, column))
    }
}

private func tally(_ database: FloorDatabase, _ table: String, _ column: String) throws -> Tally {
    var tally = Tally()
    tally.count = Int(try database.text("SELECT count(*) FROM \(table)") ?? "") ?? 0
    tally.ages = Int(try database.text("SELECT sum(\(column)) FROM \(table)") ?? "") ?? 0
    return tally
}
