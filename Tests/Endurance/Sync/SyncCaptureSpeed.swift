#if Sync
    import PersistentObjects

    extension SyncSpeedProcess {
        /// What capturing changes adds to work with 20,000 rows in one transaction, and to single saves: medians of the
        /// ratios of nine rounds, in which both classes take turns.
        func capture() throws -> String {
            var times: [String: (shared: [Double], own: [Double])] = [:]
            for round in 0..<9 {
                let shared = try rows(SharedRow.self, "shared-\(round)")
                for (name, time) in try rows(OwnRow.self, "own-\(round)") {
                    times[name, default: ([], [])].own.append(time)
                    times[name, default: ([], [])].shared.append(shared[name] ?? 0)
                }
            }
            return times.sorted { $0.key < $1.key }.map { name, times in
                let ratios = zip(times.shared, times.own).map { $0 / $1 }.sorted()
                return "\(name) \((ratios[4] * 100).rounded() / 100)"
            }.joined(separator: ", ")
        }

        private func rows<Row: SpeedRow>(_ type: Row.Type, _ name: String) throws -> [String: Double] {
            var times: [String: Double] = [:]
            func measure(_ name: String, _ body: () throws -> Void) rethrows {
                let start = SyncSpeedProcess.seconds
                try body()
                times[name] = SyncSpeedProcess.seconds - start
            }
            for durability in [Store.Configuration.Durability.relaxed, .full] {
                var configuration = Store.Configuration(onNote: { _ in })
                configuration.durability = durability
                let store = try Store("\(folder)/\(name)-\(durability).sqlite", configuration: configuration)
                defer { store.close() }
                try store.prepare(type)
                try store.withSession { session in
                    var rows: [Row] = []
                    if durability == .relaxed {
                        rows = (0..<20_000).map { Row($0) }
                        try measure("insert") { try session.save(rows) }
                        for row in rows { row.second += 1 }
                        try measure("update") { try session.saveChanges() }
                    } else {
                        rows = (0..<1000).map { Row($0) }
                        try session.save(rows)
                    }
                    try measure("single save, \(durability)") {
                        for row in rows.prefix(1000) {
                            row.second += 1
                            try row.save()
                        }
                    }
                    if durability == .relaxed { try measure("delete") { try session.delete(rows) } }
                }
            }
            return times
        }
    }
#endif
