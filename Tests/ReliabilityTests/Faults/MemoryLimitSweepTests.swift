#if !canImport(Darwin) || os(macOS)
    import CSQLite
    import Foundation
    import StoreEngine
    import TestSupport
    import Testing

    @testable import PersistentObjects

    /// SQLite runs out of memory in the middle of all kinds of work. The limit applies to the whole process, so the
    /// test needs a separate process.
    @Suite(.ownProcesses) struct MemoryLimitSweepTests {
        private static let scripts: [FaultScript] = [
            .saveOfNewObjects, .transactions, .undo, .redo, .schemaChange, .firstUse, .backup, .fetch, .queryUpdate,
            .migration, .deletion,
        ]

        @Test func `work that runs out of memory fails with outOfMemory, changes nothing, and succeeds afterwards`()
            async
        {
            await #expect(processExitsWith: .success) {
                var failures = 0
                for (index, script) in MemoryLimitSweepTests.scripts.enumerated() {
                    let setting = FaultSweep.Setting(
                        journal: index % 2 == 0 ? .wal : .rollback, isStrained: index % 3 == 0)
                    failures += try MemoryLimitSweepTests.run(script, setting)
                }
                // Each script fails at more than one limit on average.
                #expect(failures > MemoryLimitSweepTests.scripts.count)
            }
        }

        /// Runs a script with increasing memory limits. Returns the number of failures.
        private static func run(_ script: FaultScript, _ setting: FaultSweep.Setting) throws -> Int {
            let sweep = try FaultSweep(script, setting)
            var failures = 0
            for step in 0..<(FaultPoint.triesAll ? 40 : 6) {
                let isFailed = try sweep.withWork { stage, work, log in
                    let before = try sweep.state(stage, work, log)
                    // From no additional memory to enough.
                    let more = step * step * (FaultPoint.triesAll ? 500 : 8000)
                    sqlite3_hard_heap_limit64(sqlite3_memory_used() + Int64(more))
                    var failure: (any Error)?
                    do { try work.call() } catch { failure = error }
                    sqlite3_hard_heap_limit64(0)
                    guard let failure else { return false }
                    let place = "\(script.name), \(setting.testDescription), \(more) bytes more: \(failure)"
                    expect((failure as? StoreError)?.code, .outOfMemory, "\(place)")
                    let now = try sweep.state(stage, work, log)
                    expect(now.session, before.session, "\(place): \(now.session.difference(from: before.session))")
                    expect(now.events, before.events, "\(place)")
                    let isWhole = now.file == before.file || sweep.steps.contains(now.file)
                    #expect(isWhole, "\(place): \(now.file.difference(from: before.file))")
                    do { try work.call() } catch { Issue.record("\(place), then: \(error)") }
                    return true
                }
                if isFailed { failures += 1 }
            }
            return failures
        }
    }
#endif
