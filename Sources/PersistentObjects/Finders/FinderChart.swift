/// Every way to read the criteria of one name, as a graph: a node is a position
/// and what is expected there, a step is a word that stands there. Each node is
/// visited once, so the cost grows with the name's length, not with the number
/// of readings; and nothing recurses, whatever the length. The same holds of
/// paths: a class that is reached twice at one position is one node.
struct FinderChart {
    enum Word: Equatable {
        /// A property that a path goes on behind.
        case link(Int)
        case property(Int)
        /// A row of the operator table.
        case operation(Int)
        case connective(FinderGrammar.Connective)
        case end
    }

    struct Node {
        let position: Int
        let expectation: FinderGrammar.Expectation
        /// Whose properties are expected, in `vocabularies`.
        let vocabulary: Int
        fileprivate(set) var steps = 0..<0
        /// The last step over a link that leads here.
        fileprivate var linkHere: Int?
        /// How many links the best reading from here to the end has; nil where there is none.
        fileprivate(set) var cost: Int?

        fileprivate init(_ expectation: FinderGrammar.Expectation, at position: Int, of vocabulary: Int = 0) {
            self.position = position
            self.expectation = expectation
            self.vocabulary = vocabulary
        }
    }

    struct Step {
        let word: Word
        let from: Int
        let to: Int

        var isConnective: Bool {
            if case .connective = word { true } else { false }
        }

        var isLink: Bool {
            if case .link = word { true } else { false }
        }
    }

    private(set) var nodes: [Node] = []
    /// Ordered by the position where they start; each leads to a node that is read later.
    private(set) var steps: [Step] = []
    /// Reached nodes that no word leads out of, in order.
    private(set) var deadEnds: [Int] = []
    let name: [UInt8]
    /// That of the class first, then those that links of this name led to.
    private(set) var vocabularies: [FinderVocabulary]

    /// The nodes by position.
    private var pending: [[Int]]
    private let end: Int

    var lexicon: FinderLexicon { vocabularies[0].lexicon }

    init(of name: [UInt8], from position: Int, _ vocabulary: FinderVocabulary) {
        self.name = name
        vocabularies = [vocabulary]
        pending = Array(repeating: [], count: name.count + 2)
        nodes = [Node(.property, at: position), Node(.property, at: name.count + 1)]
        end = 1
        pending[position].append(0)
        readForwards(from: position)
        nodes[end].cost = 0
        for step in steps.reversed() {
            guard let rest = nodes[step.to].cost else { continue }
            let cost = rest + (step.isLink ? 1 : 0)
            nodes[step.from].cost = nodes[step.from].cost.map { min($0, cost) } ?? cost
        }
    }

    var isComplete: Bool { nodes[0].cost != nil }

    /// The first reading of those with the fewest links, so that a property of
    /// the class itself beats a path, and another one where there is one. No two
    /// say the same: at a node each word means something else (see the note at
    /// the operator table).
    func readings() -> (first: [Word], rival: [Word]?)? {
        guard isComplete else { return nil }
        var words: [Word] = []
        var rival: [Word]?
        var node = 0
        while node != end {
            let open = bestSteps(from: node)
            if rival == nil, open.count > 1 {
                rival = words + [open[1].word]
                var other = open[1].to
                while other != end, let step = bestSteps(from: other).first {
                    rival?.append(step.word)
                    other = step.to
                }
            }
            words.append(open[0].word)
            node = open[0].to
        }
        return (words, rival)
    }

    private func bestSteps(from node: Int) -> [Step] {
        steps[nodes[node].steps].filter { step in
            nodes[step.to].cost.map { $0 + (step.isLink ? 1 : 0) } == nodes[node].cost
        }
    }

    private mutating func readForwards(from start: Int) {
        for position in start...name.count {
            // An operator of no letters leads to a connective at the same position.
            for expectation in FinderGrammar.Expectation.allCases {
                for node in pending[position] where nodes[node].expectation == expectation {
                    let first = steps.count
                    step(from: node)
                    nodes[node].steps = first..<steps.count
                    if first == steps.count { deadEnds.append(node) }
                }
            }
        }
    }

    private mutating func step(from node: Int) {
        let position = nodes[node].position
        switch nodes[node].expectation {
        case .property:
            let vocabulary = vocabularies[nodes[node].vocabulary]
            for word in vocabulary.lexicon.properties(at: position, in: name) {
                let next = position + word.bytes.count
                add(.property(word.meaning), from: node, to: Node(.operation, at: next))
                guard next < name.count, let target = vocabulary.target(of: word.meaning) else { continue }
                let place = place(of: target)
                add(.link(word.meaning), from: node, to: Node(.property, at: next, of: place))
                if FinderGrammar.boundary.stands(at: next, in: name) {
                    let behind = next + FinderGrammar.boundary.bytes.count
                    add(.link(word.meaning), from: node, to: Node(.property, at: behind, of: place))
                }
            }
        case .operation:
            for word in lexicon.operators where word.stands(at: position, in: name) {
                let next = Node(.connective, at: position + word.bytes.count)
                add(.operation(word.meaning), from: node, to: next)
            }
        case .connective:
            if position == name.count { steps.append(Step(word: .end, from: node, to: end)) }
            for word in lexicon.connectives where word.stands(at: position, in: name) {
                let next = Node(.property, at: position + word.bytes.count)
                add(.connective(word.meaning), from: node, to: next)
            }
        }
    }

    private mutating func add(_ word: Word, from node: Int, to next: Node) {
        let known = pending[next.position].first {
            nodes[$0].expectation == next.expectation && nodes[$0].vocabulary == next.vocabulary
        }
        if known == nil {
            pending[next.position].append(nodes.count)
            nodes.append(next)
        }
        let step = Step(word: word, from: node, to: known ?? nodes.count - 1)
        if step.isLink { nodes[step.to].linkHere = steps.count }
        steps.append(step)
    }

    private mutating func place(of vocabulary: FinderVocabulary) -> Int {
        if let known = vocabularies.firstIndex(where: { $0 === vocabulary }) { return known }
        vocabularies.append(vocabulary)
        return vocabularies.count - 1
    }
}

// What explaining a failure asks.
extension FinderChart {
    /// The properties that a path went over before it came to a node.
    func path(to node: Int) -> [Int] {
        var path: [Int] = []
        var node = node
        while let here = nodes[node].linkHere, case .link(let place) = steps[here].word {
            path.append(place)
            node = steps[here].from
        }
        return path.reversed()
    }

    /// The name of the property that a step reads.
    func propertyName(of step: Step) -> String? {
        guard case .property(let place) = step.word else { return nil }
        return vocabularies[nodes[step.from].vocabulary].properties[place]
    }

    /// Places of an `And` or `Or` that the next word may begin behind.
    func cuts(after start: Int) -> [Int] {
        guard start < name.count else { return [] }
        return name.indices[(start + 1)...].filter { position in
            lexicon.connectives.contains { word in
                word.stands(at: position, in: name) && !isInsideWord(position + word.bytes.count)
            }
        }
    }

    /// Whether a small letter stands here: a token rarely begins so.
    func isInsideWord(_ position: Int) -> Bool {
        position < name.count && (0x61...0x7A).contains(name[position])
    }

    func text(_ range: Range<Int>) -> String {
        String(decoding: name[range], as: UTF8.self)
    }
}
