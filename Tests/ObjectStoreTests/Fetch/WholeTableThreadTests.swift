import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Fetches of all objects while other threads write: the objects match one state of the file.
struct WholeTableThreadTests {
    final class Grain: PersistentObject {
        override class var tableName: String { "grain" }
        var value = 0
    }

    @Test func `in each state of the file, all objects match its rows`() throws {
        // The threads wait for each other, on a busy machine for seconds.
        try withTemporaryStore(.init(busyTimeout: .seconds(600))) { store, _ in
            try store.withSession { session in
                var held = (0..<500).map { _ in Grain() }
                try session.save(held)
                let problems = Recorder<String>()
                let group = DispatchGroup()
                for seed in 0..<2 {
                    DispatchQueue.global().async(group: group) {
                        do { try Self.write(store, UInt64(seed)) } catch { problems.add("\(error)") }
                    }
                }
                var states = 0
                var isWritten = false
                while !isWritten || states < 20 {
                    isWritten = group.wait(timeout: .now()) == .success
                    // The known ranges are recorded only outside read blocks.
                    held = try Grain.all()
                    try session.reading {
                        let all = try Grain.all()
                        let rows = try session.rows(
                            "SELECT group_concat(id || ':' || value) AS line FROM (SELECT * FROM grain ORDER BY id)")
                        let line = all.map { "\($0.id ?? 0):\($0.value)" }.joined(separator: ",")
                        expect(rows[0]["line"], .text(line))
                    }
                    states += 1
                }
                expect(problems.all, [])
                withExtendedLifetime(held) {}
            }
        }
    }

    /// Inserts, changes and deletes rows, with one commit each.
    private static func write(_ store: Store, _ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        try store.withSession { session in
            for step in 0..<Scale.of(600) {
                if Bool.random(using: &random) { try Grain().save() }
                // The transaction keeps the other writer from deleting the row found here.
                try session.transaction {
                    guard let grain = try Grain.query.order(by: \.value).first() else { return }
                    if step % 3 == 0 {
                        try grain.delete()
                    } else {
                        grain.value = step
                        try grain.save()
                    }
                }
            }
        }
    }
}
