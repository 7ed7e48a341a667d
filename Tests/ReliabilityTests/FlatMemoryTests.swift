#if !canImport(Darwin) || os(macOS)
    import CSQLite
    import CTestEngine
    import Foundation
    import PersistentObjects
    import TestSupport
    import Testing

    /// Repeated work must not use more and more memory. Each kind of work runs in a separate process, whose memory is
    /// measured. Objects and SQLite's memory are counted exactly. The allocator's figure for the rest includes its
    /// caches, which vary by some dozens of kilobytes.
    @Suite(.ownProcesses) struct FlatMemoryTests {
        final class Leaf: PersistentObject {
            override class var tableName: String { "leaf" }
            var name = ""
            var tags: [String] = []
            @OnDelete(.cascade) var next: Leaf?
            @Inverse(\Leaf.next) var previous: [Leaf]
            @Transient var token: LifetimeTracker.Token? = FlatMemoryTests.tracker.token()
        }

        private static let tracker = LifetimeTracker()

        enum Work: String, CaseIterable, Codable {
            case save, fetch, delete, transaction, rollback, undo, query, error, session, graph
        }

        private static func leaves(_ count: Int) -> [Leaf] {
            (0..<count).map { number in
                let leaf = Leaf()
                leaf.name = "a name that does not fit into a word \(number)"
                leaf.tags = [leaf.name, "b"]
                return leaf
            }
        }

        private struct Unwanted: Error {}

        private static func run(_ work: Work, _ store: Store) throws {
            try store.withSession { session throws in
                switch work {
                case .save:
                    let all = leaves(10)
                    try session.save(all)
                    for leaf in all { leaf.name += "!" }
                    try withExtendedLifetime(all) { try session.saveChanges() }
                    try session.delete(all)
                case .fetch:
                    for leaf in try Leaf.all() { _ = leaf.tags.count + leaf.previous.count }
                    _ = try Leaf.find(3)?.next
                case .delete:
                    try session.save(leaves(10))
                    try Leaf.where { $0.id > 20 }.delete()
                case .transaction:
                    try session.transaction {
                        let all = leaves(5)
                        try session.save(all)
                        try session.transaction { try session.delete(all) }
                    }
                case .rollback:
                    try? session.transaction { () throws in
                        try session.save(leaves(5))
                        for leaf in try Leaf.all() { leaf.tags.append("c") }
                        throw Unwanted()
                    }
                case .undo:
                    session.recordsUndo = true
                    let leaf = leaves(1)[0]
                    try leaf.save()
                    leaf.name = "other"
                    try leaf.save()
                    while try session.undo() {}
                    while try session.redo() {}
                    try leaf.delete()
                case .query:
                    _ = try Leaf.where { $0.name.contains("word") && $0.tags.contains("b") }.order(by: \.name).all()
                    _ = try Leaf.query.values(of: \.name)
                    _ = try Leaf.findByNameContains("word")
                    _ = try session.rows("SELECT count(*), max(name) FROM leaf")
                case .error:
                    _ = try? Leaf.findByCriteria("WHERE nothing = 1")
                    _ = try? session.rows("SELECT 1; SELECT 2")
                    let leaf = Leaf()
                    _ = try? leaf.set("nothing", to: 1)
                case .session:
                    try store.withSession { _ in _ = try Leaf.count() }
                case .graph:
                    let all = leaves(10)
                    for (leaf, next) in zip(all, all.dropFirst()) { leaf.next = next }
                    try all[0].save()
                    _ = all[5].previous
                    try all[0].delete()
                }
            }
        }

        /// Returns the memory in use after each ten repetitions of the work.
        private static func measure(_ path: String, _ work: Work) throws -> [(all: Int64, sqlite: Int64, objects: Int)]
        {
            let store = try Store(path, configuration: .init(durability: .relaxed, lostEdits: .ignore))
            try store.withSession { session in try session.save(leaves(20)) }
            return try (0..<25).map { _ in
                for _ in 0..<10 { try run(work, store) }
                return (po_used_memory(), sqlite3_memory_used(), tracker.liveCount)
            }
        }

        @Test(
            // A sanitizer has a separate allocator, and some systems do not report their allocator's usage.
            .disabled(if: po_used_memory() < 0 || Sanitizer.isActive, "the allocator cannot be asked here"),
            arguments: Work.allCases)
        func `repeating the work does not increase memory use`(_ work: Work) async throws {
            let file = try TemporaryStore()
            await #expect(processExitsWith: .success) { [path = file.path as String, work = work as Work] in
                let sizes = try FlatMemoryTests.measure(path, work)
                expect(sizes[24].objects, sizes[0].objects, "\(work): \(sizes.map(\.objects))")
                // Pages by which the file has grown are cached, up to `cacheSize`.
                #expect(sizes[24].sqlite - sizes[9].sqlite < 16_384, "\(work): \(sizes.map(\.sqlite))")
                let before = sizes[5..<15].map(\.all).min() ?? 0, after = sizes[15...].map(\.all).min() ?? 0
                #expect(after - before < 65_536, "\(work): \(sizes.map(\.all))")
            }
        }
    }
#endif
