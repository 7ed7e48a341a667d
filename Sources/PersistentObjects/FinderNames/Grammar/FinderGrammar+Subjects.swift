// The words that begin a name: the operation on the objects.
extension FinderGrammar {
    struct SubjectRow: Sendable {
        /// The subject up to its number, or the whole subject if it takes no number.
        let opening: FinderWord<Void>
        /// The word after the number.
        let closing: FinderWord<Void>
        let spelling: String
        let takesLimit: Bool
        let isDistinct: Bool
        /// Whether the property of an aggregate follows instead of `By`.
        let isAggregate: Bool
        let subject: @Sendable (_ limit: Int?) -> ParsedFinder.Subject
        /// Whether the user's own words can follow, as in `findPeopleByAge`.
        var takesWords: Bool { !isAggregate && spelling != "ids" }

        fileprivate init(
            _ opening: String, _ closing: String = "", takesLimit: Bool = false, isDistinct: Bool = false,
            isAggregate: Bool = false, _ subject: @escaping @Sendable (_ limit: Int?) -> ParsedFinder.Subject
        ) {
            self.opening = FinderWord(opening, ())
            self.closing = FinderWord(closing, ())
            spelling = opening + closing
            self.takesLimit = takesLimit
            self.isDistinct = isDistinct
            self.isAggregate = isAggregate
            self.subject = subject
        }
    }

    /// Shortest first, so that the simplest subject is suggested. If `By` or `OrderBy` follows, no name begins with two
    /// subjects.
    static let subjects = (lists + portions + others + aggregates)
        .sortedUnspecialized { $0.spelling.utf8.count < $1.spelling.utf8.count }

    /// Synonyms.
    private static let finding = ["find", "read", "query", "search", "retrieve", "stream"]

    private static let lists: [SubjectRow] =
        (finding + finding.map { $0 + "All" } + ["getAll", "list", "all"]).map { verb in
            SubjectRow(verb) { _ in .find }
        }
        + finding.flatMap { verb in
            ["Distinct", "AllDistinct", "DistinctAll"].map { verb + $0 }
        }.map { SubjectRow($0, isDistinct: true) { _ in .find } }

    private static let portions: [SubjectRow] = (finding + ["get"]).flatMap { verb in
        [("First", false), ("Top", false), ("Last", true)].flatMap { word, isFromEnd in
            let subject = { @Sendable (limit: Int?) -> ParsedFinder.Subject in
                isFromEnd ? .last(limit) : .first(limit)
            }
            return [
                SubjectRow(verb + word, takesLimit: true, subject),
                SubjectRow(verb + "Distinct" + word, takesLimit: true, isDistinct: true, subject),
                SubjectRow(verb + word, "Distinct", takesLimit: true, isDistinct: true, subject),
            ]
        }
    }

    private static let others: [SubjectRow] =
        ["findOnly", "get", "sole", "findSole"].map { SubjectRow($0) { _ in .only } }
        + ["count", "countAll"].map { SubjectRow($0) { _ in .count } }
        + [SubjectRow("countDistinct", isDistinct: true) { _ in .count }]
        + ["exists"].map { SubjectRow($0) { _ in .exists } }
        + ["delete", "remove", "erase", "deleteAll", "removeAll", "eraseAll"].map { SubjectRow($0) { _ in .delete } }
        + ["findOrCreate", "findOrSave"].map { SubjectRow($0) { _ in .findOrCreate } }
        + ["findOrInitialize"].map { SubjectRow($0) { _ in .findOrInitialize } }
        + ["ids"].map { SubjectRow($0) { _ in .ids } }

    /// The path of an aggregate is read after its subject.
    private static let aggregates: [SubjectRow] = [
        ("sum", .sum), ("total", .total), ("average", .average), ("avg", .average), ("min", .minimum),
        ("minimum", .minimum), ("max", .maximum), ("maximum", .maximum),
    ].map { (word: String, aggregate: ParsedFinder.Aggregate) in
        SubjectRow(word + "Of", isAggregate: true) { _ in .aggregate(aggregate, of: []) }
    }

    /// Words of subjects that have a meaning even outside a subject.
    private static let subjectWords = ["First", "Top", "Last", "Only", "One", "Sole", "All", "Distinct"]

    /// Whether a word after a subject was probably meant as part of a subject that does not support it. It is misplaced
    /// or, unless it is very short, misspelled by one letter: wrong, missing, or swapped with its neighbor.
    static func isSubjectWord(_ word: String) -> Bool {
        let letters = Array(word.lowercased().unicodeScalars)
        return subjectWords.contains { other in
            let wanted = Array(other.lowercased().unicodeScalars)
            return NameSuggestions.distance(letters, wanted, atMost: wanted.count < 4 ? 0 : 1) != nil
        }
    }

    /// The restriction that a word after a subject suggests.
    enum Restriction {
        case rank
        case number
        case state
        case negation
    }

    /// Words that seem to restrict the objects. The names of the class's properties seem to as well.
    static let restrictingWords: [String: Restriction] = {
        let rank = [
            "Oldest", "Youngest", "Newest", "Latest", "Earliest", "Recent", "Next", "Previous", "Most", "Least", "Max",
            "Maximum", "Min", "Minimum", "Highest", "Lowest", "Largest", "Biggest", "Greatest", "Smallest", "Longest",
            "Shortest", "Nearest", "Closest", "Cheapest", "Best", "Worst",
            "First", "Top", "Last",
        ]
        let number = ["Any", "One", "Single", "Unique", "Some", "Few", "Two", "Three", "Half", "Only", "Sole"]
        let state = ["Active", "Inactive", "Enabled", "Disabled", "Deleted", "Archived"]
        let words =
            rank.map { ($0, Restriction.rank) } + number.map { ($0, .number) } + state.map { ($0, .state) }
            + ["Not", "Non", "No", "None", "Never", "Without", "Except", "But"].map { ($0, .negation) }
        return Dictionary(uniqueKeysWithValues: words)
    }()

    /// Words that negate the property after them.
    static let negations = ["Not", "Non", "No", "Without", "Un", "In"]

    /// Words that suggest an aggregate of the property after them.
    static let extremes = ["Max": "maxOf", "Maximum": "maxOf", "Min": "minOf", "Minimum": "minOf"]
}
