import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Each system call of a script fails in turn, once or from then on: with nothing written, half of the data written,
/// or no space left.
@Suite struct FaultSweepTests {
    /// The default sweeps: each script with a log and with a journal, alternating with and without a cache.
    static let sweeps: [(FaultScript, FaultSweep.Setting)] = scripts.enumerated().flatMap { index, script in
        let settings = FaultSweep.Setting.all
        let chosen = FaultPoint.triesAll ? settings : [settings[index % 2], settings[3 - index % 2]]
        return chosen.map { (script, $0) }
    }

    /// All scripts, or those whose names contain the value of `PO_FAULT_SCRIPT`.
    private static var scripts: [FaultScript] {
        let all = FaultScript.work + FaultScript.care
        guard let part = ProcessInfo.processInfo.environment["PO_FAULT_SCRIPT"] else { return all }
        return all.filter { $0.name.contains(part) }
    }

    @Test(arguments: sweeps)
    func `a failed call leaves file and memory unchanged, and succeeds when it is repeated`(
        _ script: FaultScript, _ setting: FaultSweep.Setting
    ) throws {
        let outcome = try FaultSweep(script, setting).run(atMost: FaultPoint.triesAll ? nil : Scale.rounds(6), seed: 15)
        #expect(outcome.calls > 0 && outcome.points > 0)
        if FaultPoint.triesAll { print("\(script.name), \(setting.testDescription): \(outcome)") }
    }
}
