import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// The disk is full at one of the writes, or from then on, and has space again later.
@Suite struct FullDiskSweepTests {
    private static let scripts: [FaultScript] = [
        .saveOfNewObjects, .transactions, .undo, .migration, .schemaChange, .firstUse, .backup, .importing,
    ]

    @Test(arguments: scripts, [JournalMode.wal, .rollback])
    func `work on a full disk is done completely or not at all, and succeeds once there is space`(
        _ script: FaultScript, _ journal: JournalMode
    ) throws {
        let sweep = try FaultSweep(script, FaultSweep.Setting(journal: journal, isStrained: journal == .wal))
        let outcome = try sweep.run([.fullDisk], atMost: FaultPoint.triesAll ? nil : Scale.rounds(5), seed: 8)
        #expect(outcome.points > 0)
    }
}
