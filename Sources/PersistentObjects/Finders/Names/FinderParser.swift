// Names: the grammar of finder names, from text to meaning. It knows the properties of classes, and must know
// neither stores nor SQL.

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
    /// What is wrong with the class's own operators: it is thrown for each name.
    let problem: FinderError?
    private var lexicon: FinderLexicon { vocabulary.lexicon }
    var className: String { vocabulary.className }

    /// The subject of a name.
    struct Opening {
        var row: FinderGrammar.SubjectRow
        var subject: ParsedFinder.Subject
        /// Where it ends and the chart begins.
        var end: Int

        /// What follows the subject.
        var expectation: FinderGrammar.Expectation { row.isAggregate ? .measured : .mark }
    }

    init(_ vocabulary: FinderVocabulary, problem: FinderError? = nil) {
        self.vocabulary = vocabulary
        self.problem = problem
    }

    /// Reads names of a class without links.
    init(className: String, properties: [String]) {
        self.init(FinderVocabulary(className: className, properties: properties))
    }

    func parse(_ name: String) throws(FinderError) -> ParsedFinder {
        if let problem { throw problem }
        let asWritten = Array(name.utf8)
        guard let opening = try opening(of: name, asWritten) else {
            throw .notAFinder(className: className, name: name, suggestions: namesMeant(by: name))
        }
        var chart = chart(of: asWritten, opening)
        if !chart.isComplete, let uniform = lexicon.uniform(asWritten, from: opening.end) {
            let other = self.chart(of: uniform, opening)
            if other.isComplete { chart = other }
        }
        guard let (steps, rival) = chart.readings() else {
            throw failure(in: name, chart)
        }
        if let misplaced = misplacedWord(in: steps, of: opening.subject, chart) {
            throw .misplacedWord(
                className: className, finder: name, part: chart.text(misplaced.range),
                offset: misplaced.range.lowerBound, reason: misplaced.reason)
        }
        let finder = finder(opening, steps, chart)
        if let rival {
            let readings = [finder, self.finder(opening, rival, chart)].map(text(of:))
            throw .ambiguous(className: className, finder: name, readings: readings)
        }
        return finder
    }

    /// Whether a name is a finder of this class, of one reading or several.
    func reads(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        guard let opening = try? opening(of: name, bytes) else { return false }
        let chart = chart(of: bytes, opening)
        guard chart.isComplete, let steps = chart.readings()?.first else { return false }
        return misplacedWord(in: steps, of: opening.subject, chart) == nil
    }

    private func chart(of name: [UInt8], _ opening: Opening) -> FinderChart {
        FinderChart(of: name, from: opening.end, opening.expectation, vocabulary)
    }

    private func opening(of name: String, _ bytes: [UInt8]) throws(FinderError) -> Opening? {
        for row in FinderGrammar.subjects {
            guard let start = row.opening.end(at: 0, in: bytes) else { continue }
            var digits = start
            while row.takesLimit, digits < bytes.count, (0x30...0x39).contains(bytes[digits]) { digits += 1 }
            guard let end = row.closing.end(at: digits, in: bytes) else { continue }
            let goesOn = [FinderGrammar.mark, FinderGrammar.order].contains { $0.stands(at: end, in: bytes) }
            guard goesOn || row.isAggregate else { continue }
            if start == digits { return Opening(row: row, subject: row.subject(nil), end: end) }
            let number = String(decoding: bytes[start..<digits], as: UTF8.self)
            guard let limit = Int(number), limit > 0 else {
                throw .invalidLimit(className: className, finder: name, part: number, offset: start)
            }
            return Opening(row: row, subject: row.subject(limit), end: end)
        }
        return nil
    }
}
