/// Reads dynamic finder names of one class. Properties come first: at each
/// point every property that could stand there is tried, then every operator,
/// and only a reading that consumes the whole name counts, so properties may
/// themselves be called `order`, `island` or `and`. Two readings are refused.
struct FinderParser: Sendable {
    let className: String
    let properties: [String]
    let propertyNames: NameSuggestions

    private let lexicon: FinderLexicon

    init(className: String, properties: [String]) {
        self.className = className
        self.properties = properties
        propertyNames = NameSuggestions(properties)
        lexicon = FinderLexicon(properties: properties)
    }

    func parse(_ name: String) throws(FinderError) -> ParsedFinder {
        let asWritten = Array(name.utf8)
        guard let opening = try opening(of: name, asWritten) else {
            throw .notAFinder(className: className, name: name, suggestions: namesMeant(by: name))
        }
        var chart = FinderChart(of: asWritten, from: opening.end, lexicon)
        if !chart.isComplete, let uniform = lexicon.uniform(asWritten, from: opening.end) {
            let other = FinderChart(of: uniform, from: opening.end, lexicon)
            if other.isComplete { chart = other }
        }
        guard let (words, rival) = chart.readings() else {
            throw failure(in: name, chart)
        }
        let finder = finder(opening.subject, words)
        if let rival {
            let readings = [finder, self.finder(opening.subject, rival)].map(text(of:))
            throw .ambiguous(className: className, finder: name, readings: readings)
        }
        return finder
    }

    /// Whether a name is a finder of this class, of one reading or several.
    func reads(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        guard let opening = try? opening(of: name, bytes) else { return false }
        return FinderChart(of: bytes, from: opening.end, lexicon).isComplete
    }

    private func opening(
        of name: String, _ bytes: [UInt8]
    ) throws(FinderError) -> (subject: ParsedFinder.Subject, end: Int)? {
        for word in lexicon.subjects where word.stands(at: 0, in: bytes) {
            let start = word.bytes.count
            var end = start
            while word.meaning.takesLimit, end < bytes.count, (0x30...0x39).contains(bytes[end]) { end += 1 }
            guard lexicon.mark.stands(at: end, in: bytes) else { continue }
            let criteria = end + lexicon.mark.bytes.count
            if start == end { return (word.meaning.subject(nil), criteria) }
            let digits = String(decoding: bytes[start..<end], as: UTF8.self)
            guard let limit = Int(digits), limit > 0 else {
                throw .invalidLimit(className: className, finder: name, part: digits, offset: start)
            }
            return (word.meaning.subject(limit), criteria)
        }
        return nil
    }

    private func finder(_ subject: ParsedFinder.Subject, _ words: [FinderChart.Word]) -> ParsedFinder {
        var alternatives: [[ParsedFinder.Criterion]] = []
        var group: [ParsedFinder.Criterion] = []
        var arguments = 0
        var property = 0
        for word in words {
            switch word {
            case .property(let index):
                property = index
            case .operation(let row):
                let row = FinderGrammar.operators[row]
                group.append(.init(property: property, operation: row.operation, firstArgument: arguments))
                arguments += row.argumentCount
            case .connective(.and):
                break
            case .connective(.or), .end:
                alternatives.append(group)
                group = []
            }
        }
        return ParsedFinder(subject: subject, alternatives: alternatives, argumentCount: arguments)
    }

    /// A reading as shown to the user: `lastName = ? and age = ?`.
    func text(of finder: ParsedFinder) -> String {
        finder.alternatives.map { group in
            group.map { criterion in
                let row = FinderGrammar.operators.first { $0.operation == criterion.operation }
                return properties[criterion.property] + (row?.reading ?? "")
            }.joined(separator: " and ")
        }.joined(separator: " or ")
    }
}

/// Every way to read the criteria of one name, as a graph: a node is a position
/// and what is expected there, a step is a word that stands there. Each node is
/// visited once, so the cost grows with the name's length, not with the number
/// of readings; and nothing recurses, whatever the length.
struct FinderChart {
    enum Word: Equatable {
        case property(Int)
        /// A row of the operator table.
        case operation(Int)
        case connective(FinderGrammar.Connective)
        case end
    }

    struct Step {
        let word: Word
        let from: Int
        let to: Int

        var isConnective: Bool {
            if case .connective = word { true } else { false }
        }
    }

    /// Ordered by where they start; each leads to a later node.
    private(set) var steps: [Step] = []
    /// Reached nodes that no word leads out of, in order.
    private(set) var deadEnds: [Int] = []
    let name: [UInt8]
    let lexicon: FinderLexicon

    private var firstStep: [Int] = []
    private var completes: [Bool]
    private let start: Int
    private let end: Int

    init(of name: [UInt8], from position: Int, _ lexicon: FinderLexicon) {
        self.name = name
        self.lexicon = lexicon
        start = Self.node(.property, at: position)
        end = Self.node(.property, at: name.count + 1)
        completes = Array(repeating: false, count: end + 1)
        readForwards()
        completes[end] = true
        for step in steps.reversed() where completes[step.to] { completes[step.from] = true }
    }

    var isComplete: Bool { completes[start] }

    /// The first complete reading, and another one where there is one. No two
    /// say the same: at a node each word means something else (see the note at
    /// the operator table).
    func readings() -> (first: [Word], rival: [Word]?)? {
        guard isComplete else { return nil }
        var words: [Word] = []
        var rival: [Word]?
        var node = start
        while node != end {
            let open = openSteps(from: node)
            if rival == nil, open.count > 1 {
                rival = words + [open[1].word]
                var other = open[1].to
                while other != end, let step = openSteps(from: other).first {
                    rival?.append(step.word)
                    other = step.to
                }
            }
            words.append(open[0].word)
            node = open[0].to
        }
        return (words, rival)
    }

    static func position(of node: Int) -> Int { node / FinderGrammar.Expectation.allCases.count }

    static func expectation(at node: Int) -> FinderGrammar.Expectation? {
        FinderGrammar.Expectation(rawValue: node % FinderGrammar.Expectation.allCases.count)
    }

    private static func node(_ expectation: FinderGrammar.Expectation, at position: Int) -> Int {
        position * FinderGrammar.Expectation.allCases.count + expectation.rawValue
    }

    private mutating func readForwards() {
        var reached = Array(repeating: false, count: end + 1)
        reached[start] = true
        firstStep.reserveCapacity(end + 1)
        for node in 0..<end {
            firstStep.append(steps.count)
            guard reached[node] else { continue }
            step(from: node)
            if firstStep[node] == steps.count { deadEnds.append(node) }
            for step in steps[firstStep[node]...] { reached[step.to] = true }
        }
        firstStep.append(steps.count)
    }

    private mutating func step(from node: Int) {
        let position = Self.position(of: node)
        switch Self.expectation(at: node) {
        case .property:
            for word in lexicon.properties(at: position, in: name) {
                let next = Self.node(.operation, at: position + word.bytes.count)
                steps.append(Step(word: .property(word.meaning), from: node, to: next))
            }
        case .operation:
            for word in lexicon.operators where word.stands(at: position, in: name) {
                let next = Self.node(.connective, at: position + word.bytes.count)
                steps.append(Step(word: .operation(word.meaning), from: node, to: next))
            }
        case .connective:
            if position == name.count { steps.append(Step(word: .end, from: node, to: end)) }
            for word in lexicon.connectives where word.stands(at: position, in: name) {
                let next = Self.node(.property, at: position + word.bytes.count)
                steps.append(Step(word: .connective(word.meaning), from: node, to: next))
            }
        case nil:
            break
        }
    }

    private func openSteps(from node: Int) -> [Step] {
        steps[firstStep[node]..<firstStep[node + 1]].filter { completes[$0.to] }
    }
}
