// Grammar: the grammar of finder names, from text to their parts. It knows the properties of classes, and must know
// neither stores nor SQL.

/// Reads dynamic finder names of one class. At each position every possible property is tried, then every operator.
/// Only a reading that consumes the whole name is valid, so that properties may be named `order`, `island` or `and`. A
/// name with two readings is rejected.
///
/// After a link, a name may continue with a property of the linked class. The reading with the fewest links is used, so
/// that the class's own `employerName` is never read as the employer's name.
struct FinderParser: Sendable {
    let vocabulary: FinderVocabulary
    /// The problem of the class's custom operators. It is thrown for each name.
    let problem: FinderError?
    var lexicon: FinderLexicon { vocabulary.lexicon }
    var className: String { vocabulary.className }

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

    /// Whether a name is a finder of this class, with one reading or several.
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
}
