/// Reads dynamic finder names of one class. Properties come first: at each
/// point every property that could stand there is tried, then every operator,
/// and only a reading that consumes the whole name counts, so properties may
/// themselves be called `order`, `island` or `and`. Two readings are refused.
///
/// Behind a link a name may go on with a property of the class that it leads
/// to. Of readings that differ in this the one with the fewest steps counts, so
/// a class's own `employerName` is never the name of its employer.
struct FinderParser: Sendable {
    let vocabulary: FinderVocabulary
    private var lexicon: FinderLexicon { vocabulary.lexicon }
    var className: String { vocabulary.className }

    init(_ vocabulary: FinderVocabulary) { self.vocabulary = vocabulary }

    /// Reads names of a class without links.
    init(className: String, properties: [String]) {
        self.init(FinderVocabulary(className: className, properties: properties))
    }

    func parse(_ name: String) throws(FinderError) -> ParsedFinder {
        let asWritten = Array(name.utf8)
        guard let opening = try opening(of: name, asWritten) else {
            throw .notAFinder(className: className, name: name, suggestions: namesMeant(by: name))
        }
        var chart = FinderChart(of: asWritten, from: opening.end, vocabulary)
        if !chart.isComplete, let uniform = lexicon.uniform(asWritten, from: opening.end) {
            let other = FinderChart(of: uniform, from: opening.end, vocabulary)
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
        return FinderChart(of: bytes, from: opening.end, vocabulary).isComplete
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
        var path: [Int] = []
        for word in words {
            switch word {
            case .link(let index), .property(let index):
                path.append(index)
            case .operation(let row):
                let row = FinderGrammar.operators[row]
                group.append(.init(path: path, operation: row.operation, firstArgument: arguments))
                path = []
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
                return vocabulary.text(of: criterion.path) + (row?.reading ?? "")
            }.joined(separator: " and ")
        }.joined(separator: " or ")
    }
}
