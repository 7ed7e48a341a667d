import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// A disk that is full at one of the writes, or from there on, and has room again later.
@Suite struct FullDiskSweepTests {
    private static let scripts: [FaultScript] = [
        .saveOfNewObjects, .transactions, .undo, .migration, .schemaChange, .firstUse, .backup, .importing,
    ]

    @Test(arguments: scripts, [JournalMode.wal, .rollback])
    func `what finds a full disk is done whole or not at all, and goes on when there is room`(
        _ script: FaultScript, _ journal: JournalMode
    ) throws {
        let sweep = try FaultSweep(script, FaultSweep.Setting(journal: journal, isStrained: journal == .wal))
        let outcome = try sweep.run([.fullDisk], atMost: FaultSweep.isFull ? nil : Scale.rounds(5), seed: 8)
        #expect(outcome.points > 0)
    }
}
