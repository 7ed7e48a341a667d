#if Sync
    import Foundation
    import PersistentObjects
    import PersistentSync

    /// Measures rounds in processes of their own: processor time, memory and bytes.
    struct SyncSpeed {
        let count: Int
        private let scratch: Scratch

        init(_ count: Int) throws {
            self.count = count
            scratch = try Scratch()
        }

        func run() throws {
            defer { scratch.remove() }
            let folder = scratch.path
            for (name, work) in SyncSpeed.works {
                let count = count
                try ChildProcess.run {
                    try waitFor { try await SyncSpeedProcess(folder: folder, count: count).run(name, work) }
                }
            }
        }

        private static let works: [(String, @Sendable (SyncSpeedProcess) async throws -> String)] = [
            ("saved", { try await $0.save() }),
            ("first round of the founder", { try await $0.foundGroup() }),
            ("join", { try await $0.join() }),
            ("admission", { try await $0.device("Ann") { _, sync in "\(try await sync.meet().problems)" } }),
            ("a round without changes", { try await $0.idle() }),
            ("one change of 10,000 rows", { try await $0.change() }),
            (
                "received",
                { try await $0.device("Bob") { _, sync in "\(try await sync.meet().receivedBatches) batches" } }
            ),
            ("one change of one row", { try await $0.changeOne() }),
            (
                "received one",
                { try await $0.device("Bob") { _, sync in "\(try await sync.meet().receivedBatches) batch" } }
            ),
            ("sizes", { try await $0.sizes() }),
        ]
    }

    struct SyncSpeedProcess: Sendable {
        let folder: String
        let count: Int

        /// Prints the processor time and the peak memory of a work.
        func run(_ name: String, _ work: (SyncSpeedProcess) async throws -> String) async throws {
            let start = SyncSpeedProcess.seconds
            let result = try await work(self)
            let seconds = SyncSpeedProcess.seconds - start
            print(
                "  \(name): \(String(format: "%.3f", seconds)) s of processor time, "
                    + "\(SyncSpeedProcess.usage.ru_maxrss / 1024) MB; \(result)")
            fflush(nil)
        }

        private static var usage: rusage {
            var usage = rusage()
            getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
            return usage
        }

        static var seconds: Double {
            func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
            let usage = usage
            return seconds(usage.ru_utime) + seconds(usage.ru_stime)
        }

        func device(_ name: String, _ body: (Store, Sync) async throws -> String) async throws -> String {
            let store = try Store("\(folder)/\(name).sqlite", configuration: .init(onNote: { _ in }))
            defer { store.close() }
            try store.prepare(SharedRow.self)
            let sync = try Sync(
                store, through: .folder(URL(filePath: "\(folder)/shared")), device: name,
                configuration: .init(stateFolder: URL(filePath: "\(folder)/keys-\(name)")))
            return try await body(store, sync)
        }

        func save() async throws -> String {
            try await device("Ann") { store, sync in
                let group = try await sync.makeGroup("Group")
                try store.withSession { session in
                    try session.transaction {
                        for start in stride(from: 0, to: count, by: 1000) {
                            let rows = (start..<min(count, start + 1000)).map { SharedRow($0) }
                            try session.save(rows)
                            for row in rows { try group.add(row) }
                        }
                    }
                }
                return ""
            }
        }

        func foundGroup() async throws -> String {
            try await device("Ann") { _, sync in
                let report = try await sync.meet()
                try require(report.problems.isEmpty, "\(report.problems)")
                let code = try await found(try sync.groups.first, "no group").invitation()
                try Data(code.utf8).write(to: URL(filePath: "\(folder)/code"))
                return "\(report.sentObjects) objects"
            }
        }

        func join() async throws -> String {
            try await device("Bob") { store, sync in
                _ = try await sync.join(String(contentsOfFile: "\(folder)/code", encoding: .utf8))
                return "\(try store.withSession { _ in try SharedRow.count() }) rows"
            }
        }

        func idle() async throws -> String {
            for name in ["Bob", "Ann", "Bob", "Ann"] {
                _ = try await device(name) { _, sync in "\(try await sync.meet().problems)" }
            }
            return try await device("Ann") { _, sync in
                var text = ""
                for rounds in [1, 1, 100] {
                    let start = SyncSpeedProcess.seconds
                    for _ in 0..<rounds { try await sync.meet() }
                    text += "\(String(format: "%.2f", (SyncSpeedProcess.seconds - start) / Double(rounds) * 1000)) ms "
                }
                return text
            }
        }

        func change() async throws -> String {
            try await device("Ann") { store, sync in
                try store.withSession { session in
                    _ = try session.execute(
                        "UPDATE \"shared_row\" SET \"second\" = \"second\" + 1 WHERE \"id\" <= 10000")
                }
                let replica = try StoredReplica(store)
                _ = try replica.groups
                var text = "\(try replica.waiting().count) wait, "
                try store.withSession { session in
                    _ = try session.execute("UPDATE \"shared_row\" SET \"third\" = \"third\" + 1 WHERE \"id\" <= 10000")
                }
                let start = SyncSpeedProcess.seconds
                text += "absorbed \(try replica.absorb()) in a known replica: \(SyncSpeedProcess.seconds - start) s, "
                return text + "sent \(try await sync.meet().sentObjects)"
            }
        }

        func changeOne() async throws -> String {
            try await device("Ann") { store, sync in
                try await sync.meet()
                try store.withSession { session in
                    _ = try session.execute("UPDATE \"shared_row\" SET \"second\" = \"second\" + 1 WHERE \"id\" = 7")
                }
                let start = SyncSpeedProcess.seconds
                let sent = try await sync.meet().sentObjects
                return "sent \(sent): \(SyncSpeedProcess.seconds - start) s"
            }
        }

        func sizes() async throws -> String {
            let files = FileManager.default.enumerator(atPath: "\(folder)/shared")
            var bytes = 0
            while let name = files?.nextObject() as? String {
                let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder)/shared/\(name)")
                if attributes[.type] as? FileAttributeType == .typeRegular { bytes += attributes[.size] as? Int ?? 0 }
            }
            let plain = "\(folder)/plain.sqlite"
            let store = try Store(plain, configuration: .init(onNote: { _ in }))
            try store.prepare(OwnRow.self)
            try store.withSession { session in
                let rows = (0..<count).map { OwnRow($0) }
                try session.save(rows)
            }
            try store.vacuum()
            store.close()
            _ = try await device("Ann") { store, _ in
                try store.vacuum()
                return ""
            }
            func size(_ path: String) throws -> Int {
                try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
            }
            let (own, shared) = (try size(plain), try size("\(folder)/Ann.sqlite"))
            return
                "\(bytes) bytes in the folder (\(bytes / count) each), file \(shared / count) bytes each, plain \(own / count)"
        }
    }
#endif
