import PersistentObjects

/// The classes of the model-based tests: each kind of link, with collections of values between them.
enum Graph {
    class Node: PersistentObject {
        override class var tableName: String { "node" }
        var key = 0
        var next: Node?
        @Lazy var lazyNext: Node?
        weak var buddy: Node?
        var list: [Node] = []
        var optionalList: [Node]?
        @Lazy var lazyList: [Node] = []
        var group: Set<Node> = []
        var table: [String: Node] = [:]
        var tags: [String] = []
        var marks: Set<Int>?
        var scores: [Int: Double]?
        @Lazy var lazyTags: [String]?
        var owner: Owner?
        @Inverse(\Node.next) var previous: [Node]
    }

    final class Leaf: Node {
        @OnDelete(.cascade) var part: Part?
        var extra: [Int]?
    }

    final class Owner: PersistentObject {
        override class var tableName: String { "owner" }
        var key = 0
        @Inverse(\Node.owner) var nodes: [Node]
        @Inverse(\Club.members) var clubs: [Club]
        @Inverse(\Badge.owner, onDelete: .cascade) var badge: Badge?
    }

    final class Badge: PersistentObject {
        override class var tableName: String { "badge" }
        var key = 0
        var owner: Owner?
    }

    final class Club: PersistentObject {
        override class var tableName: String { "club" }
        var key = 0
        var members: [Owner] = []
        @OnDelete(.cascade) var parts: [Part] = []
        @OnDelete(.cascade) var spares: [Part] = []
    }

    final class Part: PersistentObject {
        override class var tableName: String { "part" }
        var key = 0
    }
}
