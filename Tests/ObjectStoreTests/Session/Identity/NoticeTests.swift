import TestSupport
import Testing

@testable import PersistentObjects

/// Notes about fetches that may cost more than expected, in debug builds.
struct NoticeTests {
    final class Node: PersistentObject {
        override class var tableName: String { "node" }
        var next: Node?
        @Lazy var other: Node?
        @Lazy var photo: [UInt8] = []
        @Inverse(\Node.other) var others: [Node]
    }

    final class Leaf: PersistentObject {
        override class var tableName: String { "leaf" }
        var node: Node?
        var nodes: [Node] = []
        @Lazy var spare: Node?
    }

    private static func withStore(_ body: (Store, Recorder<String>) throws -> Void) throws {
        let notes = Recorder<String>()
        try withTemporaryStore(.init(lostEdits: .ignore, onNote: { notes.add($0) })) { store, _ in
            try body(store, notes)
        }
    }

    @discardableResult
    private static func saveChain(_ count: Int, _ session: Session) throws -> Node {
        let nodes = (0..<count).map { _ in Node() }
        for (node, next) in zip(nodes, nodes.dropFirst()) { node.next = next }
        try session.save(nodes)
        return nodes[0]
    }

    #if DEBUG
        private static let isDebug = true
    #else
        private static let isDebug = false
    #endif

    @Test func `a fetch that loads far more objects than requested is noted once, with the property to mark`() throws {
        try Self.withStore { store, notes throws in
            try store.withSession { session throws in
                let leaf = Leaf()
                leaf.node = try Self.saveChain(150, session)
                try leaf.save()
                let full = Leaf()
                full.nodes = (0..<120).map { _ in Node() }
                try full.save()
            }
            try store.withSession { _ throws in
                for _ in 0..<3 { _ = try Node.find(1) }
                // Another class that is reached by the same property causes no further note.
                _ = try Leaf.find(1)
                for _ in 0..<3 { _ = try Leaf.find(2) }
            }
            let told = [
                "A fetch of 1 Node object also loaded 149 objects that they refer to, most by Node.next. Mark "
                    + "that property @Lazy if they are not always needed",
                "A fetch of 1 Leaf object also loaded 120 objects that they refer to, most by Leaf.nodes. Mark "
                    + "that property @Lazy if they are not always needed",
            ]
            expect(notes.take(), Self.isDebug ? told : [])
        }
    }

    @Test func `fetches that load about as many objects as requested are not noted`() throws {
        try Self.withStore { store, notes throws in
            try store.withSession { session throws in
                // One object fewer than the limit.
                try Self.saveChain(100, session)
                let leaves = (0..<30).map { _ in Leaf() }
                for (leaf, node) in zip(leaves, try Node.all()) { (leaf.node, leaf.spare) = (node, node) }
                try session.save(leaves)
            }
            try store.withSession { _ throws in
                _ = try Leaf.all()
                _ = try Node.all()
            }
            try store.withSession { _ throws in _ = try Node.find(1) }
            // Many objects, but fewer than ten times the number of requested objects.
            try store.withSession { session throws in
                let chains = try (0..<50).map { _ in try Self.saveChain(9, session) }
                let leaves = chains.map { node in
                    let leaf = Leaf()
                    leaf.node = node
                    return leaf
                }
                try session.save(leaves)
            }
            try store.withSession { _ throws in _ = try Leaf.where { $0.id > 30 }.all() }
            expect(notes.take(), [])
        }
    }

    @Test(.enabled(if: isDebug)) func `repeated single loads are noted once, by class and property`() throws {
        try Self.withStore { store, notes throws in
            try store.withSession { session throws in
                let nodes = (0..<120).map { _ in Node() }
                for node in nodes { node.other = nodes[0] }
                try session.save(nodes)
            }
            try store.withSession { _ throws in
                for id in 1...120 { try expect(Node.find(Int64(id))?.other?.id, 1) }
            }
            expect(
                notes.take(),
                [
                    "Node objects were found by id 50 times in a row. Use Node.find(ids) for a single query",
                    "Node.other was loaded 50 times, for a single object each time. Fetch the objects together to "
                        + "load it with one query",
                ])
            try store.withSession { _ throws in
                let nodes = try (1...120).map { try Node.findByCriteria("WHERE id = ?", $0)[0] }
                for node in nodes { _ = (node.photo, node.others) }
            }
            let found = notes.take().map { String($0.prefix { $0 != " " }) }
            expect(found, ["Node.photo", "Node.others"])
        }
    }

    @Test func `loads for siblings, and a few single loads, are not noted`() throws {
        try Self.withStore { store, notes throws in
            try store.withSession { session throws in
                let nodes = (0..<200).map { _ in Node() }
                for node in nodes { node.other = nodes[0] }
                try session.save(nodes)
            }
            try store.withSession { session throws in
                let nodes = try Node.all()
                let log = try statements(of: session) {
                    for node in nodes { _ = (try node.$other.load(), try node.$others.load()) }
                }
                #expect(log.count { $0.hasPrefix("SELECT") } <= 3, "\(log)")
                for node in nodes { _ = node.photo }
            }
            try store.withSession { _ throws in
                for id in 1...49 { _ = try Node.find(Int64(id))?.other }
            }
            #expect(notes.take() == [])
        }
    }
}
