import Foundation
import PersistentObjects

/// Objects of all identities that refer to each other and to themselves, created from a seed.
struct TransferGraph {
    private var random: ModelRandom
    private var tag = 0
    private var automatic: [Node<Automatic>] = []
    private var given: [Node<Given>] = []
    private var worded: [Node<Worded>] = []
    private var unique: [Node<Unique16>] = []

    static let classes: [PersistentObject.Type] = [
        Node<Automatic>.self, Node<Given>.self, Node<Worded>.self, Node<Unique16>.self,
    ]
    static let subclasses: [PersistentObject.Type] = [
        Leaf<Automatic>.self, Leaf<Given>.self, Leaf<Worded>.self, Leaf<Unique16>.self,
    ]

    init(_ random: ModelRandom) { self.random = random }

    /// Creates and saves all objects.
    mutating func save(in session: Session) throws {
        automatic = (0..<random.below(4)).map { _ in random.isOne(in: 3) ? Leaf<Automatic>() : Node<Automatic>() }
        given = try (0..<1 + random.below(4)).map { number in
            let id = [1, 40, 7, 1 << 53 + 1, 3][number]
            return random.isOne(in: 3) ? try Leaf<Given>(id: id) : try Node<Given>(id: id)
        }
        worded = try (0..<1 + random.below(4)).map { number in
            let key = ["root", "a/b \"c\" 'd'", "e\u{301}", "12", "null"][(number + random.below(5)) % 5] + "\(number)"
            return random.isOne(in: 3) ? try Leaf<Worded>(key: key) : try Node<Worded>(key: key)
        }
        unique = (0..<1 + random.below(4)).map { _ in random.isOne(in: 3) ? Leaf<Unique16>() : Node<Unique16>() }
        if random.isOne(in: 2) { try unique.first?.setKey("6BA7B810-9DAD-41D1-80B4-00C04FD430C8") }
        for node in automatic { try fill(node, automatic) }
        for node in given { try fill(node, given) }
        for node in worded { try fill(node, worded) }
        for node in unique { try fill(node, unique) }
        try session.save(automatic + given as [PersistentObject] + worded + unique)
    }

    private mutating func some<T>(_ list: [T]) -> [T] {
        guard !list.isEmpty else { return [] }
        return (0..<random.below(4)).map { _ in list[random.below(list.count)] }
    }

    private mutating func perhaps<T>(_ list: [T]) -> T? { random.isOne(in: 3) ? nil : random.pick(list) }

    private mutating func fill<I: TransferIdentity>(_ node: Node<I>, _ own: [Node<I>]) throws {
        tag += 1
        node.tag = tag
        for property in Node<I>.values { property.fill(node, &random) }
        let prices: [Decimal] = [0, 100, Decimal(1234) / 100, Decimal(-1) / 100]
        node.price = prices[random.below(4)]
        node.next = random.isOne(in: 4) ? node : perhaps(own)
        node.friends = some(own)
        node.circle = Set(some(own))
        node.named = Dictionary(some(own).enumerated().map { ("k\($0) é", $1) }, uniquingKeysWith: { one, _ in one })
        node.toNumbered = perhaps(automatic)
        node.toGiven = perhaps(given)
        node.toWorded = perhaps(worded)
        node.toUnique = perhaps(unique)
        node.manyGiven = some(given)
        node.manyWorded = Set(some(worded))
        node.manyUnique = Dictionary(
            some(unique).enumerated().map { ($0 - 1, $1) }, uniquingKeysWith: { one, _ in one })
        if let leaf = node as? Leaf<I> {
            leaf.extra = [Double.random(&random), Double.random(&random)]
            leaf.note = random.isOne(in: 2) ? String.random(&random) : nil
            leaf.twin = perhaps(own.compactMap { $0 as? Leaf<I> })
        }
    }
}

/// The contents of a graph in a store, by the numbers of the objects.
struct TransferContent: Equatable {
    var lines: [Int: [String]] = [:]
    /// Ids and keys. If the store assigns the ids, they are offset in a store with rows.
    var names: [Int: String] = [:]

    static func read(fixedIDs: Bool = true) throws -> TransferContent {
        var content = TransferContent()
        func add<I: TransferIdentity>(_ type: Node<I>.Type) throws {
            for node in try Node<I>.where({ $0.tag > 0 }).all() {
                content.lines[node.tag] = ["\(Swift.type(of: node))"] + node.signature
                switch I.identity {
                case .integer: content.names[node.tag] = fixedIDs ? node.id.map { "\($0)" } : nil
                case .given: content.names[node.tag] = node.id.map { "\($0)" }
                default: content.names[node.tag] = node.key
                }
            }
        }
        try add(Node<Automatic>.self)
        try add(Node<Given>.self)
        try add(Node<Worded>.self)
        try add(Node<Unique16>.self)
        return content
    }

    /// The first difference; nil if there is none.
    func difference(from other: TransferContent) -> String? {
        if lines.keys.sorted() != other.lines.keys.sorted() {
            return "\(other.lines.count) objects, not \(lines.count)"
        }
        for (tag, line) in lines.sorted(by: { $0.key < $1.key }) {
            if let (own, found) = zip(line, other.lines[tag] ?? []).first(where: { $0 != $1 }) {
                return "object \(tag), \(line[0]): \(own) became \(found)"
            }
            if names[tag] != other.names[tag] {
                return "object \(tag), \(line[0]): \(names[tag] ?? "nil") became \(other.names[tag] ?? "nil")"
            }
        }
        return nil
    }
}
