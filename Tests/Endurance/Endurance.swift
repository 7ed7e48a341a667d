import Foundation
import ModelRuns

/// The long runs. Each run prints one line of figures: `swift run -c release endurance kills`.
@main enum Endurance {
    private typealias Run = (name: String, run: @Sendable (Options) throws -> String)

    private static let runs: [Run] =
        [
            ("kills", runKills), ("power", runPower), ("writers", runWriters), ("chain", runChain),
            ("versions", runVersions), ("pairs", runPairs), ("transfers", runTransfers), ("chains", runChains),
            ("client", runClient),
            ("model", runModel), ("churn", runChurn),
            ("smoke", runSmoke),
            ("isolation", runIsolation), ("stress", runStress), ("flips", runFlips),
        ] + syncRuns

    #if Sync
        private static let syncRuns: [Run] = [
            ("sync", runSync), ("sync-service", runSyncService), ("sync-forget", runSyncForget),
            ("sync-devices", runSyncDevices), ("sync-speed", runSyncSpeed), ("sync-bytes", runSyncBytes),
        ]
    #else
        private static let syncRuns: [Run] = []
    #endif

    static func main() {
        let arguments = CommandLine.arguments
        guard let run = runs.first(where: { $0.name == arguments.dropFirst().first }) else {
            let names = runs.map(\.name).joined(separator: " | ")
            complain("usage: endurance \(names) [--rounds N] [--seconds S] [--seed S] [--first N] [--journal J]")
            exit(64)
        }
        if SealedEngine.isWanted { SealedEngine.choose() }
        let start = ContinuousClock.now
        do {
            let figures = try run.run(Options(arguments.dropFirst(2)))
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            let form = SealedEngine.isWanted ? ", encrypted" : ""
            print("\(run.name)\(form): \(figures); \(String(format: "%.1f", seconds)) s")
        } catch {
            complain("\(run.name) FAILED: \(error)")
            exit(1)
        }
    }

    private static func complain(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }
}
