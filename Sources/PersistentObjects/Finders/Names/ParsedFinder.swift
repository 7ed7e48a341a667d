/// What a finder name says, free of how it was spelled: the contract between
/// the grammar, which knows names only, and what executes finders.
///
///     findFirst3ByLastNameOrAgeBetweenOrderByAgeDesc
///
/// is `.first(3)` with the alternatives `[[lastName equal, 0]]` and
/// `[[age between, 1]]`, the order `[age, descending]` and 3 arguments.
///
/// Paths are the places of properties in the lists that the parser was given,
/// one for each class: all but the last are links that lead to the next class.
/// In the lists made of class maps the id is the place after the last property.
///
/// Whether an operator fits the type of its property is not known here.
struct ParsedFinder: Equatable, Sendable {
    /// What is done with the objects that are meant.
    enum Subject: Equatable, Sendable {
        case find
        /// `findFirst`, `findTop`: the given number of objects, from the start of the order; nil if the name has no
        /// number, which means one. Never less than 1.
        case first(Int?)
        /// `findLast`: the same from the end of the order; where the name has no order, of that by id.
        case last(Int?)
        /// `findOnly`, `get`, `sole`: exactly one, else an error.
        case only
        case count
        case exists
        case delete
        /// `findOrCreate`, `findOrSave`. There is one alternative, of properties of the class itself, each `equal`,
        /// not negated and with its case: what the values of a new object are taken from.
        case findOrCreate
        /// The same, but a new object is not saved.
        case findOrInitialize
        case ids
        /// `sumOfAge`; the path leads to the property.
        case aggregate(Aggregate, of: [Int])
    }

    enum Aggregate: Equatable, Sendable {
        case sum
        /// As `sum`, but 0 and not nil where there is nothing to sum up.
        case total
        case average
        case minimum
        case maximum
    }

    /// One condition on one property.
    struct Criterion: Equatable, Sendable {
        var path: [Int]
        var comparison: FinderComparison
        /// Said of this criterion with `IgnoreCase` or `Ilike`: it is an error where the property holds no text.
        /// The comparison has arguments.
        var ignoresCase = false
        /// Where this criterion's arguments begin among those of the call. It has `comparison.argumentCount` of them.
        var firstArgument: Int
    }

    /// One key to sort by.
    struct Order: Equatable, Sendable {
        var path: [Int]
        var isDescending = false
    }

    var subject: Subject
    /// No object twice, of those that a path over a collection leads to.
    var isDistinct = false
    /// An object is meant when all criteria of one alternative hold; none is empty. Where there are no alternatives
    /// at all (`listOrderByAge`, `sumOfAge`), all objects are meant.
    var alternatives: [[Criterion]] = []
    /// `AllIgnoreCase` for all criteria: it applies to those that compare strings and does not affect the rest.
    var ignoresCaseOfTexts = false
    /// By the first, then by the next; empty for `count`, `exists`, `only`, aggregates and what may create.
    var orders: [Order] = []
    /// How many arguments the call must have, of all criteria.
    var argumentCount = 0
}

/// How a property is compared: an operation, or the opposite of it.
///
/// The opposite holds for exactly those objects that the operation does not
/// hold for, those whose property is nil included.
struct FinderComparison: Hashable, Sendable {
    let operation: FinderOperation
    let isNegated: Bool

    init(_ operation: FinderOperation, isNegated: Bool = false) {
        self.operation = operation
        self.isNegated = isNegated
    }

    var argumentCount: Int { operation.argumentCount }
}

/// What a property can be asked, with the arguments that it takes: one where nothing else is said.
enum FinderOperation: Hashable, Sendable {
    /// nil is an argument too.
    case equal
    /// From the first argument to the second, both included.
    case between
    /// A Swift range, of any kind.
    case inRange
    case lessThan
    case lessThanOrEqual
    case greaterThan
    case greaterThanOrEqual
    /// No argument.
    case isNull
    /// A pattern with `%` and `_`.
    case like
    case startingWith
    case endingWith
    /// A part of a text, or an element of a collection or inverse.
    case containing
    /// A list: a collection or inverse has all of its elements among its own.
    case containingAll
    /// A list: a collection or inverse has one of its elements at least.
    case containingAny
    /// A list.
    case `in`
    /// No argument.
    case isTrue
    /// No argument. It is not the opposite of `isTrue`, which holds for nil too.
    case isFalse
    /// No argument; of texts, collections and inverses.
    case isEmpty
    /// A regular expression.
    case matches
    /// One of the operators that are the class's own, by its place among them.
    case own(Int, argumentCount: Int)

    var isOwn: Bool { if case .own = self { true } else { false } }

    var argumentCount: Int {
        switch self {
        case .own(_, let count): count
        case .isNull, .isTrue, .isFalse, .isEmpty: 0
        case .between: 2
        default: 1
        }
    }
}
