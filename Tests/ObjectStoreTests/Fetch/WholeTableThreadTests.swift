import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// All objects again while others write: what one state of the file has, no more and no less.
struct WholeTableThreadTests {
    final class Grain: PersistentObject {
        override class var tableName: String { "grain" }
        var value = 0
    }

    @Test func `in each state all objects are those of its rows`() throws {
        try withTemporaryStore { store, _ in
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
                    // What is known is noted outside of readings only.
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

    /// Inserts, changes and deletes, a commit each.
    private static func write(_ store: Store, _ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        try store.withSession { session in
            for step in 0..<Scale.of(600) {
                if Bool.random(using: &random) { try Grain().save() }
                // The other writer is kept from deleting what this one has found.
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
