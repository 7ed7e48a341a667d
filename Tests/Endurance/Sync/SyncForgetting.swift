#if Sync
    import Foundation
    import PersistentObjects
    import PersistentSync

    /// Two devices that insert and delete objects, and forget them: what remains in bytes.
    struct SyncForgetting: Sendable {
        let count: Int
        private let scratch: Scratch
        private var folder: String { scratch.path }

        init(count: Int) throws {
            self.count = count
            scratch = try Scratch()
        }

        func run() throws -> String {
            defer { scratch.remove() }
            let result = "\(folder)/result"
            try ChildProcess.run {
                let text = try waitFor { try await work() }
                try Data(text.utf8).write(to: URL(filePath: result))
            }
            return try String(contentsOfFile: result, encoding: .utf8)
        }

        private func device(_ name: String) throws -> (Store, Sync) {
            let store = try Store("\(folder)/\(name).sqlite", configuration: .init(onNote: { _ in }))
            try store.prepare(SharedRow.self)
            let sync = try Sync(
                store, through: .folder(URL(filePath: "\(folder)/shared")), device: name,
                configuration: .init(stateFolder: URL(filePath: "\(folder)/keys-\(name)")))
            return (store, sync)
        }

        private func work() async throws -> String {
            let ((annStore, ann), (bobStore, bob)) = (try device("Ann"), try device("Bob"))
            defer { for store in [annStore, bobStore] { store.close() } }
            let group = try await ann.makeGroup("Group")
            _ = try await bob.join(try await group.invitation())
            for sync in [ann, bob, ann] { try await sync.meet() }
            // The object that remains.
            try insert(1, annStore, group)
            let empty = try bytes(annStore, "Ann")
            try insert(count, annStore, group)
            try await meet(ann, bob)
            let (full, shared) = (try bytes(annStore, "Ann"), try sharedBytes())
            try bobStore.withSession { session in
                _ = try session.execute("DELETE FROM shared_row WHERE id IN (SELECT id FROM shared_row LIMIT ?)", count)
            }
            try await meet(ann, bob)
            for (name, store) in [("Ann", annStore), ("Bob", bobStore)] {
                let rows = try store.withSession { session in
                    try session.rows("SELECT count(*) AS n FROM po_sync_object").map { try $0.value("n") as Int }
                }
                try require(rows == [1], "\(name) knows \(rows) objects")
                try require(try store.withSession { _ in try SharedRow.count() } == 1, "\(name) shows other objects")
                let left = try bytes(store, name)
                try require(left < empty + 100_000, "the file of \(name) has \(left) bytes, and had \(empty)")
            }
            let (left, sharedLeft) = (try bytes(annStore, "Ann"), try sharedBytes())
            // The newest file of each log stays, and a snapshot is written only after a mebibyte of changes.
            try require(sharedLeft < 2_500_000, "the folder has \(sharedLeft) bytes")
            return """
                \(count) objects deleted and forgotten by two devices: file \(empty) bytes, with the objects \(full), \
                afterwards \(left); folder \(shared) bytes, afterwards \(sharedLeft)
                """
        }

        private func insert(_ count: Int, _ store: Store, _ group: SyncGroup) throws {
            try store.withSession { session in
                try session.transaction {
                    for start in stride(from: 0, to: count, by: 1000) {
                        let rows = (start..<min(count, start + 1000)).map { SharedRow($0) }
                        for row in rows { try row.setSyncGroup(group) }
                        try session.save(rows)
                    }
                }
            }
        }

        /// Rounds until all devices know that the others have everything.
        private func meet(_ ann: Sync, _ bob: Sync) async throws {
            for _ in 0..<4 {
                for sync in [ann, bob] {
                    let report = try await sync.meet()
                    try require(report.problems.isEmpty, "\(report.problems)")
                }
            }
        }

        /// The size of a file without free pages.
        private func bytes(_ store: Store, _ name: String) throws -> Int {
            try store.vacuum()
            try store.checkpoint()
            return try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name).sqlite")[.size] as? Int ?? 0
        }

        private func sharedBytes() throws -> Int { try SyncForgetting.bytes(inFilesOf: "\(folder)/shared") }

        /// The sizes of all files of a folder.
        static func bytes(inFilesOf folder: String) throws -> Int {
            try FileManager.default.subpathsOfDirectory(atPath: folder).reduce(0) { sum, name in
                let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
                guard attributes[.type] as? FileAttributeType == .typeRegular else { return sum }
                return sum + (attributes[.size] as? Int ?? 0)
            }
        }
    }
#endif
