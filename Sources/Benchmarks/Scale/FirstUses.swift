import PersistentObjects

/// The first use of many classes, one after another.
func firstUseWorks() -> [Comparison] {
    [
        Comparison(
            "first use of 210 classes one by one, their tables there", .shapes, .nanosecondsEach(100_000),
            on: .nothing, operations: { _ in manyClasses.count },
            ours: { trial in
                let store = try Store(trial.path)
                try store.prepare(manyClasses)
                store.close()
                return try useEach(trial)
            },
            floor: { trial in
                let store = try Store(trial.path)
                try store.prepare(manyClasses)
                store.close()
                return try trial.onDatabase { database in
                    let names = try database.prepare("SELECT name FROM sqlite_schema WHERE name LIKE 'shelf%'")
                        .rows { $0.text(0) }
                    return try Measurement.timing {
                        for name in names {
                            _ = try database.text("SELECT count(*) FROM pragma_table_xinfo('\(name)')")
                        }
                        return manyClasses.count
                    }
                }
            }),
        Comparison(
            "first use of 210 classes one by one, in a new file", .shapes, .nanosecondsEach(600_000),
            on: .nothing, operations: { _ in manyClasses.count }, ours: useEach,
            floor: { trial in
                try trial.onDatabase { database in
                    try database.execute("PRAGMA synchronous=NORMAL")
                    return try Measurement.timing {
                        for number in manyClasses.indices {
                            try database.inTransaction {
                                try database.execute(
                                    """
                                    CREATE TABLE shelf_\(number) (id INTEGER PRIMARY KEY AUTOINCREMENT,
                                        title TEXT NOT NULL DEFAULT '', place INTEGER NOT NULL DEFAULT 0, weight REAL)
                                    STRICT;
                                    CREATE INDEX shelf_place_\(number) ON shelf_\(number) (place)
                                    """)
                            }
                        }
                        return manyClasses.count
                    }
                }
            }),
    ]
}

@Sendable private func useEach(_ trial: Trial) throws -> Measurement {
    let store = try Store(trial.path, configuration: .init(durability: .relaxed))
    defer { store.close() }
    return try store.withSession { session in
        try Measurement.timing {
            for type in manyClasses { _ = try count(of: type) }
            return manyClasses.count
        }
    }
}

private func count<T: PersistentObject>(of type: T.Type) throws -> Int { try type.count() }
