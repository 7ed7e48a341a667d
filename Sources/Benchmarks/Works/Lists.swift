import PersistentObjects

/// Inserts existing unsaved objects with arrays of strings in one transaction.
struct SaveLists: Work {
    let name = "save arrays of 10 texts"
    let budget = Budget.ratio(1.05)
    let fixture = Fixture.nothing

    func operations(rows: Int) -> Int { ListData.count(rows: rows) }
    func expected(rows: Int) -> Tally? { Tally(of: ListData.all(rows: rows)) }

    func ours(_ trial: Trial) throws -> Measurement {
        let time = try trial.inSession(using: TextList.self, TextList.self) { session in
            let lists = ListData.all(rows: trial.rows).map(TextList.init)
            return try Stopwatch.time { try session.save(lists) }.nanoseconds
        }
        return Measurement(amount: time, tally: try trial.onDatabase { try $0.tallyOfLists() })
    }

    func floor(_ trial: Trial) throws -> Measurement {
        let time = try trial.onDatabase { database in
            let table = try FloorLists(database)
            let lists = ListData.all(rows: trial.rows).map(FloorList.init)
            return try Stopwatch.time { try table.insert(lists) }.nanoseconds
        }
        return Measurement(amount: time, tally: try trial.onDatabase { try $0.tallyOfLists() })
    }
}

/// Fetches all of these objects with their arrays.
struct LoadLists: Work {
    let name = "load arrays of 10 texts"
    let budget = Budget.ratio(0.8)
    let fixture = Fixture.lists

    func operations(rows: Int) -> Int { ListData.count(rows: rows) }
    func expected(rows: Int) -> Tally? { Tally(of: ListData.all(rows: rows)) }

    func ours(_ trial: Trial) throws -> Measurement {
        try trial.inSession(using: TextList.self, TextList.self) { _ in
            let (lists, time) = try Stopwatch.time { try TextList.all() }
            return Measurement(amount: time, tally: Tally(of: lists))
        }
    }

    func floor(_ trial: Trial) throws -> Measurement {
        try trial.onDatabase { database in
            let table = try FloorLists(database)
            let (lists, time) = try Stopwatch.time { try table.all() }
            return Measurement(amount: time, tally: Tally(of: lists))
        }
    }
}
