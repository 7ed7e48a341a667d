#if !canImport(Darwin) || os(macOS)
    import CSQLite
    import Foundation
    @testable import PersistentObjects
    import StoreEngine
    import TestSupport
    import Testing

    /// The limit of SQLite's memory applies to the whole process, so the tests need a separate process.
    @Suite(.ownProcesses) struct MemoryLimitTests {
        private static func savePicture(_ path: String, limit: Int64) throws -> StoreError.Code? {
            sqlite3_hard_heap_limit64(0)
            let store = try Store(path, configuration: .quiet)
            return try store.withSession { session in
                let joe = person("Smith")
                joe.picture = [UInt8](repeating: 1, count: 100_000)
                sqlite3_hard_heap_limit64(limit)
                let failure = code(of: {
                    _ = try Person.all()
                    try joe.save()
                })
                sqlite3_hard_heap_limit64(0)
                expect(joe.isNew, failure != nil, "new, at \(limit)")
                expect(session.busyStatementCount, 0, "busy, at \(limit)")
                #expect(!session.isInFileTransaction, "open, at \(limit)")
                if joe.isNew { try joe.save() }
                try joe.delete()
                return failure
            }
        }

        @Test func `a save without memory fails with outOfMemory, and succeeds once there is memory`() async throws {
            let file = try TemporaryStore()
            try file.fill(200)
            await #expect(processExitsWith: .success) { [path = file.path as String] in
                var failures: Set<StoreError.Code?> = []
                for limit: Int64 in stride(from: 150_000, through: 3_000_000, by: 150_000) {
                    failures.insert(try MemoryLimitTests.savePicture(path, limit: limit))
                }
                expect(failures, [.outOfMemory, nil], "\(failures)")
            }
            try expect(file.sqlite("SELECT count(*) FROM person; PRAGMA integrity_check"), "200\nok")
        }

        @Test func `opening a store without memory fails with outOfMemory`() async throws {
            let file = try TemporaryStore()
            try file.fill(2)
            await #expect(processExitsWith: .success) { [path = file.path as String] in
                var failures: Set<StoreError.Code?> = []
                for limit: Int64 in stride(from: 1000, through: 400_000, by: 10_000) {
                    sqlite3_hard_heap_limit64(limit)
                    failures.insert(code(of: { _ = try Store(path) }))
                }
                sqlite3_hard_heap_limit64(0)
                expect(failures, [.outOfMemory, nil], "\(failures)")
                try Store(path).withSession { _ throws in try expect(Person.count(), 2) }
            }
        }
    }
#endif
