import Foundation
import PersistentObjects
import PersistentTransfer
import TestSupport
import Testing

/// Transfers of many objects. The environment variable `PO_TRANSFER_ROWS=1000000` sets a million.
@Suite(.hangLimit, .ownProcesses)
struct TransferScaleTests {
    private static let rows =
        ProcessInfo.processInfo.environment["PO_TRANSFER_ROWS"].flatMap { Int($0) } ?? Scale.of(30_000)

    final class Player: PersistentObject {
        override class var tableName: String { "transfer_player" }
        var firstName = ""
        var lastName = ""
        var club = ""
        var goals = 0
        var height = 0.0
        var born = Date(timeIntervalSinceReferenceDate: 0)
        var isActive = false
        var nick: String?
        var shirt: Int?
        var mate: Player?
        var tags: [String] = []
    }

    /// The resident memory of the process in bytes, or nil if the system does not report it.
    private static var memory: Int? {
        guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix("VmRSS:") })
        else { return nil }
        return line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) }.map { $0 * 1024 }
    }

    @Test func `exports and imports of many objects use bounded memory and keep all objects`() async {
        // Runs in a separate process, so that the memory of other tests is not counted.
        await #expect(processExitsWith: .success) { try TransferScaleTests.exportAndImport() }
    }

    private static func exportAndImport() throws {
        let count = TransferScaleTests.rows
        try withTemporaryStore(.init(durability: .relaxed)) { store, file in
            let (url, again) = (file.folder.appending(path: "a.jsonl"), file.folder.appending(path: "b.jsonl"))
            try store.withSession { session in
                for start in stride(from: 0, to: count, by: 10_000) {
                    try autoreleasing {
                        try session.save(TransferScaleTests.players(start..<min(start + 10_000, count)))
                    }
                }
                // Links all objects in a chain: an export that followed references would load every object.
                try session.execute("UPDATE transfer_player SET mate_id = ? - id", count + 1)
            }
            var sizes: [Int] = []
            func note(_ progress: Progress) {
                // The page cache of SQLite first fills up to its limit.
                if progress.fractionCompleted > 0.6, let memory = TransferScaleTests.memory { sizes.append(memory) }
            }
            let start = ContinuousClock.now
            try expect(store.export(Player.self, to: url, note), count)
            let exported = ContinuousClock.now
            let outGrowth = (sizes.max() ?? 0) - (sizes.first ?? 0)
            sizes = []
            try withTemporaryStore(.init(durability: .relaxed)) { other, _ in
                let report = try other.import(Player.self, from: url, note)
                expect(report.count, count)
                let imported = ContinuousClock.now
                let inGrowth = (sizes.max() ?? 0) - (sizes.first ?? 0)
                if count > 100_000 {
                    let size = try Data(contentsOf: url, options: .alwaysMapped).count
                    print(
                        "\(count) objects, \(size >> 20) MB: out \(exported - start), memory +\(outGrowth >> 10) KB; "
                            + "in \(imported - exported), memory +\(inGrowth >> 10) KB; now \((TransferScaleTests.memory ?? 0) >> 20) MB"
                    )
                }
                // A tenth of the memory that the objects would need. Sanitizers keep freed memory.
                let limit = max(16 << 20, count * 40)
                #expect(Sanitizer.isActive || outGrowth < limit && inGrowth < limit)
                try expect(other.export(Player.self, to: again), count)
            }
            #expect(FileManager.default.contentsEqual(atPath: url.path, andPath: again.path))
        }
    }

    private static func players(_ places: Range<Int>) -> [Player] {
        places.map { index in
            let player = Player()
            player.firstName = "Joe \(index)"
            player.lastName = "Smith \(index % 1000)"
            player.club = "FC \(index % 100)"
            player.goals = index
            player.height = 1.5 + Double(index % 100) / 300
            player.born = Date(timeIntervalSinceReferenceDate: Double(index) * 1000.1)
            player.isActive = index % 2 == 0
            player.shirt = index % 3 == 0 ? nil : index % 30
            player.tags = index % 4 == 0 ? ["a", "b\(index % 7)"] : []
            return player
        }
    }
}

/// On Apple's systems, Foundation releases some objects only at the end of an autorelease pool.
private func autoreleasing<R>(_ body: () throws -> R) rethrows -> R {
    #if canImport(ObjectiveC)
        try autoreleasepool(invoking: body)
    #else
        try body()
    #endif
}
