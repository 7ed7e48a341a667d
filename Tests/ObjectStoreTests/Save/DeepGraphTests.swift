import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// No operation recurses over a graph: all of them run on a thread with a stack of 512 KB.
///
/// `PO_DEEP=1` uses the sizes that the library promises; a release build needs seconds for them.
struct DeepGraphTests {
    final class Node: PersistentObject {
        override class var tableName: String { "node" }
        @OnDelete(.cascade) var next: Node?
        var value = 0
        @Transient var token: LifetimeTracker.Token?
    }

    final class ArrayNode: PersistentObject {
        override class var tableName: String { "array_node" }
        @OnDelete(.cascade) var children: [ArrayNode] = []
        var value = 0
        @Transient var token: LifetimeTracker.Token?
    }

    final class SetNode: PersistentObject {
        override class var tableName: String { "set_node" }
        var children: Set<SetNode> = []
        @Transient var token: LifetimeTracker.Token?
    }

    final class DictionaryNode: PersistentObject {
        override class var tableName: String { "dictionary_node" }
        var children: [String: DictionaryNode] = [:]
        @Transient var token: LifetimeTracker.Token?
    }

    final class LazyNode: PersistentObject {
        override class var tableName: String { "lazy_node" }
        @Lazy var next: LazyNode?
        @Transient var token: LifetimeTracker.Token?
    }

    final class InverseNode: PersistentObject {
        override class var tableName: String { "inverse_node" }
        weak var previous: InverseNode?
        @Inverse(\InverseNode.previous) var following: [InverseNode]
        @Transient var token: LifetimeTracker.Token?
    }

    private static let isFull = ProcessInfo.processInfo.environment["PO_DEEP"] == "1"
    // In unoptimized builds, the chain is shorter, but still long enough for a recursive walk to overflow the small
    // stack.
    private static let chainLength = isFull ? 1_000_000 : Scale.isFull ? 100_000 : 30_000
    private static let ringLength = isFull ? 100_000 : 10_000
    private static let treeDepth = isFull ? 20_000 : 2_000

    private static let configuration = Store.Configuration(durability: .relaxed, lostEdits: .ignore)

    /// Runs a step, and prints its duration in the full size.
    private static func measure<R>(_ name: String, _ body: () throws -> R) rethrows -> R {
        let start = ContinuousClock.now
        let result = try body()
        if isFull { print("deep graph: \(name): \(ContinuousClock.now - start)") }
        return result
    }

    private static func makeChain(_ count: Int, _ tracker: LifetimeTracker) -> Node {
        var head = Node()
        head.token = tracker.token()
        for index in 1..<count {
            let node = Node()
            node.token = tracker.token()
            node.value = index
            node.next = head
            head = node
        }
        return head
    }

    @Test func `a long chain is built, saved, released, found, changed and deleted with cascade`() throws {
        let count = Self.chainLength
        let tracker = LifetimeTracker()
        let left = try onSmallStack {
            try withTemporaryStore(Self.configuration) { store, file throws in
                try store.withSession { _ throws in
                    var head: Node? = Self.measure("build") { Self.makeChain(count, tracker) }
                    try Self.measure("save") { try head?.save() }
                    #expect(head?.id == 1 && tracker.liveCount == count)
                    Self.measure("release") { head = nil }
                    expect(tracker.liveCount, 0)
                }
                try expect(file.sqlite("SELECT count(*), count(next_id) FROM node"), "\(count)|\(count - 1)")
                try store.withSession { session throws in
                    var head = try Self.measure("find") { try Node.find(1) }
                    var last = head
                    var length = 0
                    Self.measure("walk") {
                        while let node = last {
                            length += 1
                            guard let next = node.next else { break }
                            last = next
                        }
                    }
                    #expect(length == count && last?.id == Int64(count))
                    last?.value = -1
                    try Self.measure("save of one change, reached") { try head?.save() }
                    expect(last?.hasChanges, false)
                    last?.value = -2
                    try Self.measure("save of one change, found") { try session.saveChanges() }
                    try Self.measure("delete with cascade") { try head?.delete() }
                    #expect(head?.isDeleted == true && last?.isDeleted == true)
                    last = nil
                    Self.measure("release") { head = nil }
                }
                return try file.sqlite("SELECT count(*) FROM node")
            }
        }
        #expect(left == "0" && tracker.liveCount == 0)
    }

    @Test func `a long chain that was never saved is released`() throws {
        let tracker = LifetimeTracker()
        try onSmallStack { _ = Self.makeChain(Self.chainLength, tracker) }
        expect(tracker.liveCount, 0)
    }

    @Test func `a long ring is saved, found and deleted`() throws {
        let count = Self.ringLength
        let left = try onSmallStack {
            try withTemporaryStore(Self.configuration) { store, file throws in
                try store.withSession { _ throws in
                    let nodes = (0..<count).map { _ in Node() }
                    for (index, node) in nodes.enumerated() { node.next = nodes[(index + 1) % count] }
                    try Self.measure("ring: save") { try nodes[0].save() }
                    for node in nodes { node.next = nil }
                }
                try store.withSession { _ throws in
                    let start = try Self.measure("ring: find") { try Node.find(7) }
                    var nodes: [Node] = []
                    var next = start
                    while let node = next, nodes.isEmpty || node !== start {
                        nodes.append(node)
                        next = node.next
                    }
                    #expect(nodes.count == count)
                    try Self.measure("ring: delete") { try nodes[count / 2].delete() }
                    #expect(nodes.allSatisfy { $0.isDeleted })
                    for node in nodes { node.next = nil }
                }
                return try file.sqlite("SELECT count(*) FROM node")
            }
        }
        #expect(left == "0")
    }

    @Test func `a deep tree of arrays is saved, found, changed and deleted`() throws {
        let depth = Self.treeDepth
        let tracker = LifetimeTracker()
        let left = try onSmallStack {
            try withTemporaryStore(Self.configuration) { store, file throws in
                try store.withSession { _ throws in
                    let root = ArrayNode()
                    var level = root
                    for _ in 0..<depth {
                        level.children = (0..<3).map { _ in ArrayNode() }
                        for child in level.children { child.token = tracker.token() }
                        level = level.children[1]
                    }
                    try Self.measure("array tree: save") { try root.save() }
                }
                #expect(tracker.liveCount == 0)
                try store.withSession { _ throws in
                    let root = try #require(try Self.measure("array tree: find") { try ArrayNode.find(1) })
                    var level = root
                    var found = 0
                    while level.children.count == 3 { (level, found) = (level.children[1], found + 1) }
                    #expect(found == depth)
                    level.value = 5
                    try root.save()
                    try Self.measure("array tree: delete") { try root.delete() }
                    #expect(level.isDeleted)
                }
                return try file.sqlite("SELECT (SELECT count(*) FROM array_node) + count(*) FROM array_node_children")
            }
        }
        #expect(left == "0")
    }

    @Test func `deep trees of sets and dictionaries are saved and found`() throws {
        let depth = Self.treeDepth
        let tracker = LifetimeTracker()
        try onSmallStack {
            try withTemporaryStore(Self.configuration) { store, _ throws in
                try store.withSession { session throws in
                    let (root, key) = (SetNode(), DictionaryNode())
                    var (level, place) = (root, key)
                    for index in 0..<depth {
                        let (child, value) = (SetNode(), DictionaryNode())
                        child.token = tracker.token()
                        value.token = tracker.token()
                        level.children = [child]
                        place.children = ["k\(index)": value]
                        (level, place) = (child, value)
                    }
                    try session.save([root, key])
                }
                expect(tracker.liveCount, 0)
                try store.withSession { _ throws in
                    var (level, place) = (try SetNode.find(1), try DictionaryNode.find(1))
                    var found = 0
                    while let next = level?.children.first, let other = place?.children["k\(found)"] {
                        (level, place, found) = (next, other, found + 1)
                    }
                    expect(found, depth)
                }
            }
        }
    }

    @Test func `a long chain of lazy references is walked, saved and released`() throws {
        let count = Self.treeDepth * 2
        let tracker = LifetimeTracker()
        try onSmallStack {
            try withTemporaryStore(Self.configuration) { store, file throws in
                try store.withSession { _ throws in
                    var head = LazyNode()
                    for _ in 1..<count {
                        let node = LazyNode()
                        node.token = tracker.token()
                        node.next = head
                        head = node
                    }
                    try head.save()
                }
                expect(tracker.liveCount, 0)
                try expect(file.sqlite("SELECT count(*), count(next_id) FROM lazy_node"), "\(count)|\(count - 1)")
                try store.withSession { _ throws in
                    let head = try LazyNode.find(1)
                    var next = head
                    var found = 0
                    while let node = next {
                        node.token = tracker.token()
                        (next, found) = (node.next, found + 1)
                    }
                    expect(found, count)
                    try head?.save()
                    withExtendedLifetime(head) {}
                }
                expect(tracker.liveCount, 0)
            }
        }
    }

    @Test func `a long chain of inverses is walked, saved and released`() throws {
        let count = Self.treeDepth
        let tracker = LifetimeTracker()
        try onSmallStack {
            try withTemporaryStore(Self.configuration) { store, file throws in
                try store.withSession { _ throws in
                    let head = InverseNode()
                    var last = head
                    for _ in 1..<count {
                        let node = InverseNode()
                        node.token = tracker.token()
                        last.following = [node]
                        last = node
                    }
                    try head.save()
                    #expect(last.previous != nil && !last.hasChanges)
                }
                expect(tracker.liveCount, 0)
                let counts = try file.sqlite("SELECT count(*), count(previous_id) FROM inverse_node")
                expect(counts, "\(count)|\(count - 1)")
                try store.withSession { _ throws in
                    let head = try InverseNode.find(1)
                    var next = head
                    var found = 0
                    while let node = next {
                        node.token = tracker.token()
                        (next, found) = (node.following.first, found + 1)
                    }
                    expect(found, count)
                    withExtendedLifetime(head) {}
                }
                expect(tracker.liveCount, 0)
            }
        }
    }
}
