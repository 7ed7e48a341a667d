/// The words of dynamic finder names, as tables. These tables and the parser know only names: neither types nor columns
/// nor sessions.
///
///     name      = subject [ noun ] ( "By" criteria [ order ] | "By" order | order )
///               | aggregate path [ "By" criteria ]
///     criteria  = criterion { ( "And" | "Or" ) criterion } [ "AllIgnoreCase" ]
///     criterion = path [ "IgnoreCase" ] operator | path operator [ "IgnoreCase" ]
///     path      = { link [ "_" ] } property
///     order     = "OrderBy" path [ direction ] { "And" path [ direction ] }
///
/// A noun is the user's name for the objects: `findPeopleByAge`. After a direction, the `And` of an order may be
/// omitted. To add a word, add a row. The subjects and the operators have separate files.
enum FinderGrammar {
    /// The word kind that the parser expects next. An empty word always leads to a later case, because the chart must
    /// have no cycles.
    enum Expectation: Int, CaseIterable {
        /// The `By` or `OrderBy` after a subject.
        case mark
        /// The property to aggregate.
        case measured
        /// `By` or the end, after the aggregated property.
        case measuredEnd
        case property
        case operation
        /// An operator after `IgnoreCase`. It must not be empty, so that `NameIgnoreCase` has only one reading.
        case caselessOperation
        /// After an operator: `IgnoreCase`, or the words that can precede a connective.
        case modifier
        /// A connective, or a word that ends the criteria.
        case connective
        /// A connective after an operator without arguments, which has no case to ignore.
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

    /// Negates an operator. It may occur only once.
    static let negation = FinderWord("Not", ())

    /// Words that end a part of a name that was not understood.
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

    /// Separates the parts of a path where the end of a link is ambiguous.
    static let boundary = FinderWord("_", ())

    /// The property that every class has, and its second spelling.
    static let identity = (name: "id", token: "ID")

    /// Static members that a misspelled name may have meant.
    static let staticNames = [
        "find", "all", "first", "last", "count", "deleteAll", "tableName", "formerTableNames", "indexes", "columns",
        "transient", "embedded",
        "isAbstract", "store", "finderOperators", "findByCriteria", "findFirstByCriteria", "countByCriteria",
    ]

    /// The spelling of a property in a finder name: `lastName` as `LastName`. A first character without an uppercase
    /// form stays as it is.
    static func token(of property: String) -> String {
        guard let first = property.first else { return "" }
        return first.uppercased() + property.dropFirst()
    }
}
