import TestSupport
import Testing

@testable import PersistentObjects

/// Chains of objects are released iteratively, whatever links them.
@Suite struct ReleaseTests {
    private static var length: Int { Scale.of(300_000) }

    /// Every kind of link from one object to others. The class is never stored, so it is never mapped.
    private class Node: PersistentObject {
        var next: Node?
        var array: [Node] = []
        var maybeArray: [Node]?
        var dictionary: [String: Node] = [:]
        var byNode: [Node: Int] = [:]
        var set: Set<Node> = []
        var hop: Hop?
        var link = Link()
        @Transient var wrapped: Node?
        @Indexed @Transient var nested: [Node]? = nil
        var existential: (any Persistent)?
        var closure: (() -> Node)?
        let token: LifetimeTracker.Token?

        required init() { token = nil }
        init(_ tracker: LifetimeTracker) { token = tracker.token() }
    }

    private final class Other: Node { var back: Node? }
    private final class Hop {
        var node: Node?
        init(_ node: Node) { self.node = node }
    }
    private struct Link {
        var number = 1
        var inner = Inner()
        struct Inner {
            var text = "t"
            var node: Node?
        }
    }

    enum Shape: CaseIterable {
        case next, array, optionalArray, dictionary, keys, set, hop, structure, wrapped, nestedWrapped, twoClasses, ring
        case existential, closure, wide, mixed, twice, twiceInContainer
    }

    private static func connect(_ node: Node, to next: Node, _ shape: Shape, _ index: Int) {
        switch shape {
        case .next, .ring: node.next = next
        case .array: node.array = [next]
        case .optionalArray: node.maybeArray = [next]
        case .dictionary: node.dictionary["k"] = next
        case .keys: node.byNode[next] = 1
        case .set: node.set = [next]
        case .hop: node.hop = Hop(next)
        case .structure: node.link.inner.node = next
        case .wrapped: node.wrapped = next
        case .nestedWrapped: node.nested = [next]
        case .twoClasses: if let other = node as? Other { other.back = next } else { node.next = next }
        case .existential: node.existential = next
        case .closure: node.closure = { next }
        case .twice: (node.next, node.wrapped) = (next, next)
        case .twiceInContainer: (node.next, node.array, node.existential) = (next, [next], next)
        case .wide: break
        case .mixed: connect(node, to: next, Shape.allCases[index % 10], index)
        }
    }

    @Test(arguments: Shape.allCases)
    func `a long chain is released completely on a small stack`(_ shape: Shape) throws {
        let tracker = LifetimeTracker()
        try onSmallStack {
            var head: Node? = Node(tracker)
            let first = head
            var all: [Node] = []
            for index in 1..<ReleaseTests.length {
                let node = shape == .twoClasses && index % 2 == 0 ? Other(tracker) : Node(tracker)
                if shape == .wide {
                    all.append(node)
                } else if let next = head {
                    ReleaseTests.connect(node, to: next, shape, index)
                    head = node
                }
            }
            if shape == .wide { head?.array = all }
            all = []
            if shape == .ring {
                // Closes the ring, and opens it again at its first object.
                first?.next = head
                first?.next = nil
            }
            head = nil
        }
        expect(tracker.liveCount, 0)
    }

    @Test func `trees of 2^16 nodes are released by several threads at once`() async throws {
        let tracker = LifetimeTracker()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    try onSmallStack {
                        var level = [Node(tracker)]
                        let root = level[0]
                        for _ in 0..<15 {
                            level = level.flatMap { parent in
                                parent.array = [Node(tracker), Node(tracker)]
                                return parent.array
                            }
                        }
                        level = []
                        withExtendedLifetime(root) {}
                    }
                }
            }
            try await group.waitForAll()
        }
        expect(tracker.liveCount, 0)
    }

    @Test func `saved objects with transient links are released on a small stack as well`() throws {
        final class Stored: PersistentObject {
            override class var tableName: String { "stored" }
            var number = 0
            @Transient var next: Stored?
            @Transient var token: LifetimeTracker.Token?
        }
        let tracker = LifetimeTracker()
        let count = ReleaseTests.length / 10
        try onSmallStack {
            try Store.inMemory().withSession { session in
                var chain: [Stored] = (0..<count).map { _ in Stored() }
                for (index, stored) in chain.enumerated() {
                    stored.token = tracker.token()
                    if index > 0 { stored.next = chain[index - 1] }
                }
                try session.save(chain)
                chain = []
                let count = try session.space(of: Stored.self).identity.count
                expect(count, 0)
            }
        }
        expect(tracker.liveCount, 0)
    }

    @Test func `the release plan moves references, and moves nothing in a class of plain values`() {
        final class Plain: PersistentObject {
            var text = ""
            var numbers = [1]
            var texts: Set<String> = []
        }
        let plain = Plain()
        plain.numbers = [1, 2]
        ReleasePlan.plan(of: Plain.self).moveReferences(outOf: ObjectMemory.start(of: plain))
        expect(plain.numbers, [1, 2])
        let node = Node()
        node.array = [Node()]
        node.next = Node()
        ReleasePlan.plan(of: Node.self).moveReferences(outOf: ObjectMemory.start(of: node))
        #expect(node.array.isEmpty && node.next == nil)
    }
}
