import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Each call to the system that a piece of work makes fails in turn: once or from then on, with nothing written, half of
/// it, or no space left.
@Suite struct FaultSweepTests {
    /// What is tried of a script by default: a log or a journal, with a cache or without one, by turns.
    static let sweeps: [(FaultScript, FaultSweep.Setting)] = scripts.enumerated().flatMap { index, script in
        let settings = FaultSweep.Setting.all
        let chosen = FaultSweep.isFull ? settings : [settings[index % 2], settings[3 - index % 2]]
        return chosen.map { (script, $0) }
    }

    /// All, or those whose names have what `PO_FAULT_SCRIPT` says.
    private static var scripts: [FaultScript] {
        let all = FaultScript.work + FaultScript.care
        guard let part = ProcessInfo.processInfo.environment["PO_FAULT_SCRIPT"] else { return all }
        return all.filter { $0.name.contains(part) }
    }

    @Test(arguments: sweeps)
    func `a call that fails leaves file and memory as they were, and works when it is made again`(
        _ script: FaultScript, _ setting: FaultSweep.Setting
    ) throws {
        let outcome = try FaultSweep(script, setting).run(atMost: FaultSweep.isFull ? nil : Scale.rounds(6), seed: 15)
        #expect(outcome.calls > 0 && outcome.points > 0)
        if FaultSweep.isFull { print("\(script.name), \(setting.testDescription): \(outcome)") }
    }
}
