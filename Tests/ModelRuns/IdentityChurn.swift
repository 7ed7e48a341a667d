import Foundation
import PersistentObjects
import PersistentObjectsTesting
@_spi(Locks) import StoreEngine

extension ModelRuns {
    final class Churned: PersistentObject {
        override class var tableName: String { "churned" }
        var number = 0
    }

    /// Fetches and releases the objects of the same 48 rows in several ways, in four threads with a session each.
    ///
    /// - Returns: A line with the figures.
    /// - Throws: `ModelFailure` if a row has two objects in a session, or if an object is left after all were released.
    public static func churn(operations: Int) throws -> String {
        let file = try TemporaryStore()
        let store = try file.open(configuration: .init(durability: .relaxed))
        try store.withSession { session throws in
            try session.save(
                (0..<48).map { number in
                    let object = Churned()
                    object.number = number
                    return object
                })
        }
        let failures = Locked<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            do { try churn(store, operations / 4, UInt64(thread)) } catch {
                failures.withLock { $0.append("thread \(thread): \(error)") }
            }
        }
        let texts = failures.withLock { $0 }
        guard texts.isEmpty else { throw ModelFailure(description: texts.joined(separator: "\n")) }
        return "\(operations) fetches and drops by 4 threads, one object a row, none left"
    }

    private static func churn(_ store: Store, _ operations: Int, _ seed: UInt64) throws {
        try store.withSession { session throws in
            var random = ModelRandom(seed: seed)
            var held: [Int64: Churned] = [:]
            func meet(_ object: Churned) throws {
                let id = object.id ?? 0
                guard held[id] == nil || held[id] === object else {
                    throw ModelFailure(description: "row \(id) has two objects")
                }
                held[id] = object
            }
            for _ in 0..<operations {
                let id = Int64(random.below(48) + 1)
                switch random.below(16) {
                case 0..<8: held[id] = nil
                case 8..<14: if let object = try Churned.find(id) { try meet(object) }
                case 14: for object in try Churned.findBy.number(in: [Int(id), Int(id) - 1]) { try meet(object) }
                default: for object in try Churned.where({ $0.number > 40 }).all() { try meet(object) }
                }
            }
            held = [:]
            if let broken = session.brokenInvariant { throw ModelFailure(description: broken) }
            let live = try session.counts.live
            guard live == 0 else { throw ModelFailure(description: "\(live) objects are left") }
        }
    }
}
