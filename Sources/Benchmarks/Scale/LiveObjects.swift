import PersistentObjects

/// The cost of live objects to code that does not touch them. The hand-written side only checks a flag of each object.
func liveWorks() -> [Comparison] {
    [
        transaction("transaction over clean objects", depth: 0, on: .players) { try Player.all() },
        transaction("transaction with five inner ones", depth: 5, on: .players) { try Player.all() },
        transaction("transaction over enumerations with payloads", depth: 0, on: .shapes) { try Drawing.all() },
        Comparison(
            "transaction that keeps no edits", .live, .nanosecondsEach(1), on: .players,
            ours: { trial in
                try trial.inSession { session in
                    let held = try Player.all()
                    return try withExtendedLifetime(held) {
                        try Measurement.timing {
                            try session.transaction(keepingEdits: false) {}
                            return held.count
                        }
                    }
                }
            }, floor: flags),
        Comparison(
            "save of one that reaches n/5 unchanged", .live, .nanosecondsEach(80), on: .shapes,
            operations: { $0 / 5 },
            ours: { trial in
                try trial.inSession(using: Bag.self, Item.self) { _ in
                    let bag = try Bag.all()[0]
                    return try withExtendedLifetime(bag) {
                        try Measurement.timing {
                            bag.name += "!"
                            try bag.save()
                            return bag.items.count
                        }
                    }
                }
            },
            floor: { trial in
                try trial.onDatabase { database in
                    let rename = try database.prepare("UPDATE bag SET name = 'Bag!' WHERE id = 1")
                    return try Measurement.timing {
                        try rename.run()
                        return trial.rows / 5
                    }
                }
            }),
        Comparison(
            "save of each entry of one account", .live, .nanosecondsEach(175_000), on: .shapes, operations: { $0 / 25 },
            ours: { trial in
                try trial.inSession(using: Account.self, Entry.self) { _ in
                    let account = try Account.all()[0]
                    let entries = account.entries
                    return try withExtendedLifetime(account) {
                        try Measurement.timing {
                            for entry in entries {
                                entry.amount += 1
                                try entry.save()
                            }
                            return entries.count
                        }
                    }
                }
            },
            floor: { trial in
                try trial.onDatabase { database in
                    let update = try database.prepare("UPDATE entry SET amount = 1 WHERE id = ?")
                    return try Measurement.timing {
                        for id in 1...max(1, trial.rows / 25) {
                            try update.bind(Int64(id), at: 1)
                            try update.run()
                        }
                        return max(1, trial.rows / 25)
                    }
                }
            }),
        again("fetch again, another table was written", .ratio(1.1)) { session, round in
            let artist = Artist("New \(round)")
            try session.save(artist)
        },
        again("fetch again, another wrote one row", .ratio(1.5)) { session, round in
            if let player = try Player.find(1) {
                player.nickname = "changed \(round)"
                try session.save(player)
            }
        },
        again("fetch again, the first time that another wrote", .ratio(4), times: 1) { session, round in
            let artist = Artist("New \(round)")
            try session.save(artist)
        },
        again("fetch again, an empty rollback", .ratio(1.1)) { _, _ in },
    ]
}

private func transaction<T: PersistentObject>(
    _ name: String, depth: Int, on fixture: Fixture, _ load: @escaping @Sendable () throws -> [T]
) -> Comparison {
    Comparison(
        name, .live, .nanosecondsEach(depth == 0 ? 40 : 41), on: fixture,
        ours: { trial in
            try trial.inSession(using: T.self, T.self) { session in
                let held = try load()
                return try withExtendedLifetime(held) {
                    try Measurement.timing {
                        try session.transaction { for _ in 0..<depth { try session.transaction {} } }
                        return trial.rows
                    }
                }
            }
        },
        floor: flags)
}

/// The hand-written side, which checks a flag of each player.
private let flags: @Sendable (Trial) throws -> Measurement = { trial in
    let players = PlayerData.numbers(trial.rows).map(FloorPlayer.init)
    return Measurement.timing { trial.rows + players.count { $0.isDirty } }
}

/// Fetches all objects again after another session has repeatedly done something.
///
/// After the first commit of another session, a session is notified of the rows that commits write. The other side
/// also uses the library, without another session's work.
private func again(
    _ name: String, _ budget: Budget, times: Int = 5, _ work: @escaping @Sendable (Session, Int) throws -> Void
) -> Comparison {
    Comparison(
        name, .live, budget, on: .ownPlayers, ours: { try fetchAgain($0, after: work, times) },
        floor: { try fetchAgain($0, after: nil, times) })
}

private func fetchAgain(
    _ trial: Trial, after work: ((Session, Int) throws -> Void)?, _ times: Int
) throws -> Measurement {
    let store = try Store(trial.path)
    defer { store.close() }
    return try store.withSession { session in
        let held = try Player.all()
        _ = try Artist.count()
        for round in 0..<times {
            if round > 0 { _ = try Player.all() }
            guard let work else { continue }
            try store.withSession { try work($0, round) }
            try session.transaction(keepingEdits: false) { session.rollBack() }
        }
        return try withExtendedLifetime(held) {
            try Measurement.timing { try Player.all().reduce(0) { $0 &+ $1.age } }
        }
    }
}
