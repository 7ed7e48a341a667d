/// The words of dynamic finder names, as tables. This folder turns names into
/// queries; these tables and the parser above them know names only: neither
/// types nor columns nor sessions.
///
///     name      = subject [ noun ] ( "By" criteria [ order ] | "By" order | order )
///               | aggregate path [ "By" criteria ]
///     criteria  = criterion { ( "And" | "Or" ) criterion } [ "AllIgnoreCase" ]
///     criterion = path [ "IgnoreCase" ] operator | path operator [ "IgnoreCase" ]
///     path      = { link [ "_" ] } property
///     order     = "OrderBy" path [ direction ] { "And" path [ direction ] }
///
/// A noun is what the user calls the objects: `findPeopleByAge`. Behind a
/// direction the `And` of an order may be left out. A word is added by adding a
/// row; the subjects and the operators have files of their own.
enum FinderGrammar {
    /// What a reader of names can stand before. A word of no length leads to a
    /// later case: the chart relies on it to be free of cycles.
    enum Expectation: Int, CaseIterable {
        /// The `By` or `OrderBy` after a subject.
        case mark
        /// The property that is summed up, and so on.
        case measured
        /// After the measured property: `By` or the end.
        case measuredEnd
        case property
        case operation
        /// An operator after `IgnoreCase`, which must be written out: `NameIgnoreCase` is read in one way only.
        case caselessOperation
        /// After an operator: `IgnoreCase`, or the words that can precede a connective.
        case modifier
        /// A connective, or what ends the criteria.
        case connective
        /// The same after an operator that compares with nothing, so that there is no case to ignore.
        case uncasedConnective
        /// After `AllIgnoreCase`.
        case closing
        case orderedProperty
        case direction
        /// After a direction.
        case orderConnective
    }

    enum Connective: Sendable {
        case and
        case or
    }

    static let connectives = FinderWords<Connective>([("And", .and), ("Or", .or)])

    /// Ends the subject.
    static let mark = FinderWord("By", ())

    /// Begins the order.
    static let order = FinderWord("OrderBy", ())

    /// Whether an order is descending, by its words.
    static let directions = FinderWords(directionNames.map { ($0, $0.hasPrefix("Desc")) })

    /// Applies to one criterion, after its property or its operator.
    static let ignoreCase = FinderWords([("IgnoreCase", ()), ("IgnoringCase", ())])

    /// Applies to all criteria, after the last one.
    static let ignoreAllCase = FinderWords([("AllIgnoreCase", ()), ("AllIgnoringCase", ())])

    /// Makes the opposite of an operator, and may stand once.
    static let negation = FinderWord("Not", ())

    /// Words that a part of a name ends before, where it was not understood.
    static func separators(of expectation: Expectation) -> FinderWords<Void> {
        switch expectation {
        case .mark, .measured, .measuredEnd: marks
        case .orderedProperty, .direction, .orderConnective: orderSeparators
        default: criteriaSeparators
        }
    }

    static let directionNames = ["Asc", "Desc", "Ascending", "Descending"]
    private static let marks = FinderWords(["By", "OrderBy"].map { ($0, ()) })
    private static let orderSeparators = FinderWords((["And", "Or", "OrderBy"] + directionNames).map { ($0, ()) })
    private static let criteriaSeparators = FinderWords(
        ["And", "Or", "OrderBy", "IgnoreCase", "IgnoringCase", "AllIgnoreCase", "AllIgnoringCase"].map { ($0, ()) })

    /// Says where a link ends, between the parts of a path.
    static let boundary = FinderWord("_", ())

    /// The property that every class has, and the second way to write it.
    static let identity = (name: "id", token: "ID")

    /// Static members that a misspelt name may have meant.
    static let staticNames = [
        "find", "all", "first", "last", "count", "deleteAll", "tableName", "formerTableNames", "indexes", "columns",
        "transient", "embedded",
        "isAbstract", "store", "finderOperators", "findByCriteria", "findFirstByCriteria", "countByCriteria",
    ]

    /// How a property is written in a finder name: `lastName` as `LastName`.
    /// A first character without an upper case stays as it is.
    static func token(of property: String) -> String {
        guard let first = property.first else { return "" }
        return first.uppercased() + property.dropFirst()
    }
}
