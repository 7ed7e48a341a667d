/// All readings of the text after the subject of one name, as a graph. A node is a position and the word kind expected
/// there; an edge is a word found there. Each node is visited once, so that the cost grows with the name's length, not
/// with the number of readings. Nothing recurses. The same holds for paths: a class that is reached twice at one
/// position is one node.
///
/// Words that are not allowed in their place are also read, at a higher cost than any valid reading, so that an error
/// can name the fault.
struct FinderChart {
    enum Word: Equatable {
        /// The `By` after a subject.
        case mark
        /// A property after which a path continues.
        case link(Int)
        case property(Int)
        /// A row of the operator table.
        case operation(Int)
        case ignoreCase
        case connective(FinderGrammar.Connective)
        case ignoreAllCase
        /// `OrderBy`, including a `By` before it if the name has no criteria.
        case order
        case direction(isDescending: Bool)
        /// A word that is not allowed in its place.
        case fault(FinderError.MisplacedReason)
        case end
    }

    struct Node {
        let position: Int
        let expectation: FinderGrammar.Expectation
        /// The index in `vocabularies` of the class whose properties are expected.
        var vocabulary = 0
        /// Whether the property before an expected operator is a collection or inverse.
        var hasElements = false
        fileprivate(set) var steps = 0..<0
        /// The last link step that leads to the node.
        fileprivate var linkHere: Int?
        /// The cost of the best reading from here to the end; nil if there is none.
        fileprivate(set) var cost: Int?

        init(
            _ expectation: FinderGrammar.Expectation, at position: Int, of vocabulary: Int = 0,
            hasElements: Bool = false
        ) {
            self.position = position
            self.expectation = expectation
            self.vocabulary = vocabulary
            self.hasElements = hasElements
        }
    }

    struct Step {
        let word: Word
        let from: Int
        let to: Int
        let cost: Int

        var isConnective: Bool {
            if case .connective = word { true } else { false }
        }

        var isLink: Bool {
            if case .link = word { true } else { false }
        }
    }

    /// The costs that rank readings. Each is higher than any possible sum of the cost before it.
    enum Price {
        static let link = 1
        /// An operator that requires elements after a property without elements.
        static let mismatch = 1 << 24
        static let fault = 1 << 44
    }

    private(set) var nodes: [Node] = []
    /// Steps ordered by their start position. Each leads to a node that is read later.
    private(set) var steps: [Step] = []
    /// Reached nodes that no word leads out of, in order.
    private(set) var deadEnds: [Int] = []
    let name: [UInt8]
    /// The vocabulary of the class, whose operators apply, then the vocabularies of the classes that links of this name
    /// lead to.
    private(set) var vocabularies: [FinderVocabulary]

    /// The nodes by position.
    private var pending: [[Int]]
    private let end: Int

    init(of name: [UInt8], from position: Int, _ first: FinderGrammar.Expectation, _ vocabulary: FinderVocabulary) {
        self.name = name
        vocabularies = [vocabulary]
        pending = Array(repeating: [], count: name.count + 2)
        nodes = [Node(first, at: position), Node(.closing, at: name.count + 1)]
        end = 1
        pending[position].append(0)
        readForwards(from: position)
        nodes[end].cost = 0
        for step in steps.reversed() {
            guard let rest = nodes[step.to].cost else { continue }
            let cost = rest + step.cost
            nodes[step.from].cost = nodes[step.from].cost.map { min($0, cost) } ?? cost
        }
    }

    /// Whether there is a reading in which each word is allowed.
    var isComplete: Bool { nodes[0].cost.map { $0 < Price.fault } ?? false }

    /// The best reading, and another equally good reading if there is one. The best reading has the fewest links, so
    /// that a property of the class takes precedence over a path. Two readings never have the same meaning, because the
    /// words at a node have different meanings (see the note at the operator table).
    func readings() -> (first: [Step], rival: [Step]?)? {
        guard nodes[0].cost != nil else { return nil }
        var path: [Step] = []
        var rival: [Step]?
        var node = 0
        while node != end {
            let open = bestSteps(from: node)
            if rival == nil, open.count > 1 {
                rival = path + [open[1]]
                var other = open[1].to
                while other != end, let step = bestSteps(from: other).first {
                    rival?.append(step)
                    other = step.to
                }
            }
            path.append(open[0])
            node = open[0].to
        }
        return (path, rival)
    }

    private func bestSteps(from node: Int) -> [Step] {
        steps[nodes[node].steps].filter { step in
            nodes[step.to].cost.map { $0 + step.cost } == nodes[node].cost
        }
    }

    private mutating func readForwards(from start: Int) {
        for position in start...name.count where !pending[position].isEmpty {
            // An empty word leads to a later expectation at the same position.
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

    mutating func add(_ word: Word, from node: Int, to next: Node, cost: Int = 0) {
        let known = pending[next.position].first {
            let known = nodes[$0]
            return known.expectation == next.expectation && known.vocabulary == next.vocabulary
                && known.hasElements == next.hasElements
        }
        if known == nil {
            pending[next.position].append(nodes.count)
            nodes.append(next)
        }
        let step = Step(word: word, from: node, to: known ?? nodes.count - 1, cost: cost)
        if step.isLink { nodes[step.to].linkHere = steps.count }
        steps.append(step)
    }

    mutating func addEnd(from node: Int) {
        if nodes[node].position == name.count { steps.append(Step(word: .end, from: node, to: end, cost: 0)) }
    }

    mutating func place(of vocabulary: FinderVocabulary) -> Int {
        if let known = vocabularies.firstIndex(where: { $0 === vocabulary }) { return known }
        vocabularies.append(vocabulary)
        return vocabularies.count - 1
    }
}

// Queries that explain a failure.
extension FinderChart {
    /// The properties of the links on the path to a node.
    func path(to node: Int) -> [Int] {
        var path: [Int] = []
        var node = node
        while let here = nodes[node].linkHere, case .link(let ordinal) = steps[here].word {
            path.append(ordinal)
            node = steps[here].from
        }
        return path.reversed()
    }

    /// The name of the property that a step reads.
    func propertyName(of step: Step) -> String? {
        guard case .property(let ordinal) = step.word else { return nil }
        return vocabularies[nodes[step.from].vocabulary].properties[ordinal]
    }

    /// The positions of up to three words that end the expected part.
    func cuts(after start: Int, _ expectation: FinderGrammar.Expectation) -> [Int] {
        let separators = FinderGrammar.separators(of: expectation)
        var cuts: [Int] = []
        var position = start + 1
        while position < name.count, cuts.count < 3 {
            let words = separators.matches(at: position, in: name)
            if words.contains(where: { !isInsideWord(position + $0.bytes.count) }) { cuts.append(position) }
            position += 1
        }
        return cuts
    }

    /// Whether there is a lowercase letter at the position. A token rarely begins with a lowercase letter.
    func isInsideWord(_ position: Int) -> Bool {
        position < name.count && (0x61...0x7A).contains(name[position])
    }

    func text(_ range: Range<Int>) -> String {
        String(decoding: name[range], as: UTF8.self)
    }

    /// The range of a step's word.
    func range(of step: Step) -> Range<Int> {
        nodes[step.from].position..<max(nodes[step.from].position, min(nodes[step.to].position, name.count))
    }
}
