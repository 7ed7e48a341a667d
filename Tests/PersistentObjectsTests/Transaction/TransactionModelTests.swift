import TestSupport
import Testing

@testable import PersistentObjects

/// Compares random operations in nested transactions, which succeed or fail, with a model in plain dictionaries.
///
/// A failure contains its seed. `SEED=17 swift test --filter TransactionModelTests` replays it, and `WATCH=3` logs
/// object 3 at each step.
struct TransactionModelTests {
    static let seeds = SeededGenerator.seeds(200)

    @Test(arguments: seeds)
    func `file and memory equal the model after each operation`(seed: UInt64) throws {
        let store = try Store.inMemory(configuration: .init(lostEdits: .ignore))
        try store.withSession { session in
            _ = try TransactionNode.count()
            let run = TransactionRun(session, SeededGenerator(seed: seed))
            do { while run.count < 500 { try run.step(depth: 0) } } catch {
                Issue.record(
                    "SEED=\(seed), operation \(run.count): \(error)\n  \(run.log.suffix(Self.seeds.count == 1 ? 300 : 30).joined(separator: "\n  "))"
                )
            }
        }
    }
}
