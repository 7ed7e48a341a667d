import TestSupport
import Testing

@testable import PersistentObjects

/// Two sessions move and delete rows whose objects the other has in memory; a model has the expected contents of the
/// file.
struct TwoSessionModelTests {
    final class Node: PersistentObject {
        override class var tableName: String { "node" }
        @Inverse(\Item.owner) var items: [Item]
        @Inverse(\Item.fans) var liked: [Item]
    }

    final class Item: PersistentObject {
        override class var tableName: String { "item" }
        var n = 0
        var owner: Node?
        @Lazy var guardian: Node?
        var fans: [Node] = []
        var crowd: Set<Node> = []
    }

    /// The contents of the file.
    struct Model {
        var nodes: Set<Int64> = []
        var owner: [Int64: Int64] = [:]
        var guardian: [Int64: Int64] = [:]
        var fans: [Int64: [Int64]] = [:]
        var crowd: [Int64: Set<Int64>] = [:]
        var n: [Int64: Int] = [:]

        mutating func delete(_ node: Int64) {
            nodes.remove(node)
            owner = owner.filter { $1 != node }
            guardian = guardian.filter { $1 != node }
            for item in n.keys {
                fans[item]?.removeAll { $0 == node }
                crowd[item]?.remove(node)
            }
        }
    }

    /// A session, and the objects that the client holds.
    final class Side {
        let session: Session
        var nodes: [Node]
        let items: [Item]

        init(_ session: Session) throws {
            self.session = session
            (nodes, items) = try CurrentSession.with(session) { (try Node.all(), try Item.all()) }
        }
    }

    struct Run {
        var model = Model()
        var random: SeededGenerator
        var log: [String] = []

        init(seed: UInt64) { random = SeededGenerator(seed: seed) }

        /// Edits one property of one item; nothing changes if another session has changed it too.
        mutating func edit(_ side: Side) throws {
            guard let item = side.items.randomElement(using: &random), let id = item.id else { return }
            let known = side.nodes.filter { !$0.isDeleted }
            let some = known.shuffled(using: &random).prefix(Int.random(in: 0...2, using: &random))
            var model = model
            let ids = some.compactMap(\.id)
            switch Int.random(in: 0..<5, using: &random) {
            case 0:
                item.owner = some.first
                model.owner[id] = ids.first
            case 1:
                item.guardian = some.first
                model.guardian[id] = ids.first
            case 2:
                item.fans = Array(some)
                model.fans[id] = ids
            case 3:
                item.crowd = Set(some)
                model.crowd[id] = Set(ids)
            default:
                item.n += 100
                model.n[id] = item.n
            }
            log.append("edit \(id): \(item.changes)")
            guard item.hasChanges else { return }
            do {
                try item.save()
                self.model = model
            } catch let error as StoreError where [.staleObject, .brokenReference].contains(error.code) {
                log.append("refused: \(error.code)")
                try item.reload()
            }
        }

        mutating func delete(_ side: Side) throws {
            guard let node = side.nodes.filter({ !$0.isDeleted }).randomElement(using: &random), let id = node.id
            else { return }
            log.append("delete \(id)")
            try node.delete()
            model.delete(id)
        }

        mutating func make(_ side: Side) throws {
            let node = Node()
            try side.session.save([node])
            side.nodes.append(node)
            model.nodes.insert(node.id ?? 0)
        }

        /// Verifies that after a refresh, all objects match the file.
        func check(_ side: Side) throws {
            try side.session.refresh()
            for item in side.items {
                let id = item.id ?? 0
                #expect(!item.hasChanges, "\(item.changes) \(log)")
                #expect(item.n == model.n[id] ?? 0 && item.owner?.id == model.owner[id], "\(id) \(log)")
                expect(item.guardian?.id, model.guardian[id], "\(id) \(log)")
                expect(item.fans.map(\.id), model.fans[id] ?? [], "\(id) \(log)")
                expect(Set(item.crowd.compactMap(\.id)), model.crowd[id] ?? [], "\(id) \(log)")
            }
            for node in side.nodes {
                let id = node.id ?? 0
                #expect(node.isDeleted != model.nodes.contains(id), "\(id) \(log)")
                guard !node.isDeleted else { continue }
                let items = side.items.filter { $0.owner === node }
                let liked = side.items.filter { $0.fans.contains(node) }
                #expect(node.items == items && node.liked == liked && !node.hasChanges, "\(id) \(log)")
            }
            side.nodes.removeAll(where: \.isDeleted)
            expect(side.session.classes.allIdentities.compactMap { $0.brokenInvariant() }, [])
        }
    }

    @Test(arguments: SeededGenerator.seeds(60), [false, true])
    func `two sessions with random edits, deletions and queries match a model`(seed: UInt64, isTold: Bool) throws {
        try withTemporaryStore(.init(lostEdits: .ignore)) { store, _ in
            var run = Run(seed: seed)
            try store.withSession { session in
                let nodes = (0..<5).map { _ in Node() }
                let items = (0..<4).map { _ in Item() }
                try session.save(nodes + items)
                for node in nodes { run.model.nodes.insert(node.id ?? 0) }
                for item in items { run.model.n[item.id ?? 0] = 0 }
            }
            try store.withSession { one in
                try store.withSession { two in
                    let sides = [try Side(one), try Side(two)]
                    if isTold { for side in sides { side.session.memory.listenToCommits() } }
                    for _ in 0..<40 {
                        let side = sides[Int.random(in: 0...1, using: &run.random)]
                        switch Int.random(in: 0..<16, using: &run.random) {
                        case 0..<8: try run.edit(side)
                        case 8..<11: try run.delete(side)
                        case 11: try run.make(side)
                        case 12: _ = try CurrentSession.with(side.session) { try Item.all() }
                        case 13: for node in side.nodes { _ = (node.items, node.liked) }
                        default: try run.check(side)
                        }
                    }
                    for side in sides { try run.check(side) }
                }
            }
        }
    }
}
