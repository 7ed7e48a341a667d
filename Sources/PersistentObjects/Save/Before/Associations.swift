internal import StoreEngine

/// Objects that other objects refer to and require to have no problems.
///
/// These objects may require the same of further objects, in cycles and long chains. All objects are collected first,
/// in a list and without recursion. Then problems are propagated back to the objects that refer to them.
struct Associations {
    private struct Node {
        let object: PersistentObject
        var messages: [String] = []
        /// The objects that require this object to have no problems.
        var referrers: [(node: Int, message: String)] = []
    }

    private let session: SessionParts
    private var wishes: [(question: Validation.Question, nodes: [Int])] = []
    private var nodes: [Node] = []
    private var places: [ObjectIdentifier: Int] = [:]

    init(_ session: SessionParts) { self.session = session }

    mutating func add(_ question: Validation.Question, _ objects: [PersistentObject]) {
        wishes.append((question, objects.map { node(of: $0) }))
    }

    private mutating func node(of object: PersistentObject) -> Int {
        if let known = places[ObjectIdentifier(object)] { return known }
        places[ObjectIdentifier(object)] = nodes.count
        nodes.append(Node(object: object))
        return nodes.count - 1
    }

    /// The problems of objects that require other objects to have no problems.
    mutating func problems() throws -> [StoreError.Problem] {
        // The list grows while it is walked.
        var next = 0
        while next < nodes.count {
            try examine(next)
            next += 1
        }
        var waiting = nodes.indices.filter { !nodes[$0].messages.isEmpty }
        while let node = waiting.popLast() {
            for (referrer, message) in nodes[node].referrers {
                if nodes[referrer].messages.isEmpty { waiting.append(referrer) }
                if !nodes[referrer].messages.contains(message) { nodes[referrer].messages.append(message) }
            }
        }
        return wishes.compactMap { question, wanted in
            guard let first = wanted.first(where: { !nodes[$0].messages.isEmpty }) else { return nil }
            return question.problem("is not valid: \(nodes[first].messages.joined(separator: ", "))")
        }
    }

    private mutating func examine(_ place: Int) throws {
        let object = nodes[place].object
        let map = try ClassMap.map(of: type(of: object))
        guard map.hooks.contains(.validate) else { return }
        var validation = Validation(session)
        try validation.validate(object, map, takesAll: true)
        var uniqueness = UniquenessCheck(session, SavePlan(SaveOptions()))
        var found = validation.problems
        for question in validation.questions {
            switch question.kind {
            case .isUnique:
                if try !uniqueness.holds(question) { found.append(question.problem(ClassMap.takenMessage)) }
            case .areValid(let objects):
                let message = "\(question.names.joined(separator: ", ")) \(question.message ?? "is not valid")"
                for other in objects { nodes[node(of: other)].referrers.append((place, message)) }
            }
        }
        nodes[place].messages = found.map { "\(($0.properties + [$0.message]).joined(separator: " "))" }
    }
}
