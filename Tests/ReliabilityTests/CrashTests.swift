#if !canImport(Darwin) || os(macOS)
    import Foundation
    import PersistentObjects
    import TestSupport
    import Testing

    /// A killed process loses no acknowledged save.
    @Suite(.ownProcesses) struct CrashTests {
        /// Saves in an endless loop, logs each save that returned, and is killed by another thread.
        private static func saveUntilKilled(_ path: String, after microseconds: UInt32) throws {
            let log = open(path + ".log", O_WRONLY | O_CREAT | O_APPEND, 0o600)
            let store = try Store(path, configuration: .init(lostEdits: .ignore))
            Thread.detachNewThread {
                usleep(microseconds)
                kill(getpid(), SIGKILL)
            }
            try store.withSession { session in
                var number: Int64 = 0
                while true {
                    // Three rows in one save: all of them or none may be stored.
                    let group = (0..<3).map { _ in person("group \(number)") }
                    try session.save(group)
                    group[1].age = 1
                    try group[1].save()
                    write(log, &number, 8)
                    number += 1
                }
            }
        }

        @Test(arguments: [15_000, 40_000, 90_000] as [UInt32])
        func `acknowledged saves survive a kill`(_ microseconds: UInt32) async throws {
            let file = try TemporaryStore()
            for round in 1...2 {
                await #expect(processExitsWith: .signal(SIGKILL)) {
                    [path = "\(file.path)-\(round)" as String, microseconds = microseconds as UInt32] in
                    try CrashTests.saveUntilKilled(path, after: microseconds)
                }
                try check("\(file.path)-\(round)")
            }
        }

        private func check(_ path: String) throws {
            let acknowledged = (try? Data(contentsOf: URL(filePath: path + ".log")))?.count ?? 0
            // The kill may have happened before the table was created.
            guard try SQLiteTool.run(path, "SELECT count(*) FROM sqlite_schema WHERE name = 'person'") == "1" else {
                expect(acknowledged, 0)
                return
            }
            let groups = acknowledged / 8
            let found = try SQLiteTool.run(
                path,
                "SELECT count(*) FROM (SELECT 1 FROM person GROUP BY last_name HAVING count(*) = 3 AND sum(age) = 1)")
            #expect(try #require(Int(found)) >= groups)
            let torn = try SQLiteTool.run(
                path, "SELECT count(*) FROM (SELECT 1 FROM person GROUP BY last_name HAVING count(*) <> 3)")
            expect(torn, "0")
            try expect(SQLiteTool.run(path, "PRAGMA integrity_check"), "ok")
            try Store(path, configuration: .quiet).withSession { _ throws in
                #expect(try Person.count() >= groups * 3)
                try person("after").save()
            }
        }
    }
#endif
