/// The meaning of a finder name, independent of its spelling. It is the contract between the grammar, which knows only
/// names, and the code that runs finders.
///
///     findFirst3ByLastNameOrAgeBetweenOrderByAgeDesc
///
/// is `.first(3)` with the alternatives `[[lastName equal, 0]]` and
/// `[[age between, 1]]`, the order `[age, descending]` and 3 arguments.
///
/// A path contains indices into the lists of properties that were passed to the parser, one list for each class. All
/// but the last are links to the next class. In a list made from a class map, the index after the last property is the
/// id.
///
/// The parser does not check whether an operator fits the type of its property.
struct ParsedFinder: Equatable, Sendable {
    /// The operation on the matching objects.
    enum Subject: Equatable, Sendable {
        case find
        /// `findFirst`, `findTop`: the given number of objects from the start of the order, at least 1. Nil if the name
        /// has no number, which means one object.
        case first(Int?)
        /// `findLast`: the same from the end of the order. Without an order in the name, objects are ordered by id.
        case last(Int?)
        /// `findOnly`, `get`, `sole`: exactly one object; otherwise it throws.
        case only
        case count
        case exists
        case delete
        /// `findOrCreate`, `findOrSave`. There is one alternative of properties of the class itself. Each is compared
        /// with `equal`, is not negated and does not ignore case, because a new object receives these values.
        case findOrCreate
        /// Like `findOrCreate`, but a new object is not saved.
        case findOrInitialize
        case ids
        /// `sumOfAge`; the path leads to the property.
        case aggregate(Aggregate, of: [Int])
    }

    enum Aggregate: Equatable, Sendable {
        case sum
        /// Like `sum`, but 0 instead of nil if there are no values.
        case total
        case average
        case minimum
        case maximum
    }

    /// One condition on one property.
    struct Criterion: Equatable, Sendable {
        var path: [Int]
        var comparison: FinderComparison
        /// Set by `IgnoreCase` or `Ilike` at this criterion. The comparison has arguments. If the property is not a
        /// string, running the finder throws.
        var ignoresCase = false
        /// The index of the criterion's first argument in the call. The criterion has `comparison.argumentCount`
        /// arguments.
        var firstArgument: Int
    }

    /// One property to order by.
    struct Order: Equatable, Sendable {
        var path: [Int]
        var isDescending = false
    }

    var subject: Subject
    /// Whether each object is found once, even if a path through a collection finds it several times.
    var isDistinct = false
    /// An object matches if all criteria of at least one alternative hold. No alternative is empty. Without
    /// alternatives (`listOrderByAge`, `sumOfAge`), all objects match.
    var alternatives: [[Criterion]] = []
    /// `AllIgnoreCase`. It applies to all criteria that compare strings.
    var ignoresCaseOfTexts = false
    /// The order by the first property, then by the next. Empty for `count`, `exists`, `only`, aggregates and subjects
    /// that may create an object.
    var orders: [Order] = []
    /// The number of arguments that the call must have.
    var argumentCount = 0
}

/// The comparison of a property: an operation, or its negation.
///
/// The negation holds for exactly those objects for which the operation does not hold, including those whose property
/// is nil.
struct FinderComparison: Hashable, Sendable {
    let operation: FinderOperation
    let isNegated: Bool

    init(_ operation: FinderOperation, isNegated: Bool = false) {
        self.operation = operation
        self.isNegated = isNegated
    }

    var argumentCount: Int { operation.argumentCount }
}

/// An operation of a comparison. It takes one argument unless specified otherwise.
enum FinderOperation: Hashable, Sendable {
    /// The argument may be nil.
    case equal
    /// A range from the first argument to the second, inclusive.
    case between
    /// A Swift range of any kind.
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
    /// A part of a string, or an element of a collection or inverse.
    case containing
    /// A list. The collection or inverse must contain all of its elements.
    case containingAll
    /// A list. The collection or inverse must contain at least one of its elements.
    case containingAny
    /// A list.
    case `in`
    /// No argument.
    case isTrue
    /// No argument. It is not the negation of `isTrue`, which also holds for nil.
    case isFalse
    /// No argument. Supported by strings, collections and inverses.
    case isEmpty
    /// A regular expression.
    case matches
    /// A custom operator of the class, by its index.
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
