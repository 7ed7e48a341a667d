import TestSupport
import Testing

@testable import PersistentObjects

/// Random graphs that are edited, saved, deleted and fetched, compared with a model.
struct GraphModelTests {
    private static let steps = 60

    @Test(arguments: SeededGenerator.seeds(48))
    func `a graph matches its model through random operations`(seed: UInt64) throws {
        let run = GraphRun(seed: seed)
        var step = 0
        do {
            try withTemporaryStore(.init(durability: .relaxed, lostEdits: .ignore)) { store, _ in
                while step < Self.steps {
                    try store.withSession { session in
                        run.objects = [:]
                        for object in try GraphKind.all() { run.objects[GraphKind.key(of: object)] = object }
                        try run.check(session)
                        while step < Self.steps {
                            step += 1
                            if try run.step(session) { break }
                        }
                        run.objects = [:]
                    }
                }
            }
        } catch {
            let history = run.log.suffix(40).joined(separator: "\n  ")
            Issue.record("seed \(seed), step \(step): \(error)\n  \(history)")
        }
    }
}
