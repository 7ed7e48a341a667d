internal import StoreEngine

/// An operation on the values of a query. It takes the values before it.
enum QueryOperation: Hashable, Sendable {
    // Two values.
    /// Whether a history entry, given by its table and object, belongs to a class.
    case isOfHistory(QueryClass)
    case equal, notEqual
    /// Equality with a value that may be nil.
    case identical
    case less, lessOrEqual, greater, greaterOrEqual
    case add, subtract, multiply, divide, remainder
    case concatenate
    case coalesce
    case and, or
    /// A pattern with wildcards.
    case glob
    case regexp
    /// The same with a pattern that begins with `^` and literal characters.
    case anchoredRegexp
    case contains
    /// A string, a suffix, and as the third value the suffix's number of bytes.
    case hasSuffix
    /// A collection and an element.
    case containsElement
    /// The value for a key of a dictionary.
    case valueOfKey

    // Three values.
    case between
    /// A value, the first string with a prefix, and the first string after all of them.
    case hasPrefix

    // One value.
    case isNil, isNotNil
    /// A Boolean value as a condition.
    case isTrue
    case not
    case negate
    /// An integer as a decimal number with the given number of decimal places.
    case scaled(Int)
    case lowercased, uppercased, folded, unaccented, characterCount
    case datePart(ZonedDatePart)
    /// A condition as a value: 1 if it holds, otherwise 0.
    case truth
    /// A string compared without regard to case.
    case ignoringCase
    case isEmpty, isNotEmpty
    case elementCount
    /// An aggregate of the elements of a collection.
    case elementAggregate(AggregateFunction)
    /// An aggregate of a value in all rows of a group.
    case groupAggregate(AggregateFunction)
    /// Whether a full-text search, in the engine's syntax, finds the query's object.
    case matchesText

    /// A value and a list of values as JSON, whose elements may need decoding.
    case isIn(decoded: Bool)

    /// A function, with its number of arguments.
    case function(CalledFunction)
    /// A condition in raw SQL, with its number of arguments.
    case raw(RawCondition)

    // No value.
    case always, never
    /// A different number for each row, each time.
    case random

    /// The number of values that it takes.
    var operandCount: Int {
        switch self {
        case .always, .never, .random, .groupAggregate(.rows): 0
        case .isNil, .isNotNil, .isTrue, .not, .negate, .scaled, .lowercased, .uppercased, .folded, .unaccented,
            .characterCount, .datePart, .truth, .ignoringCase, .isEmpty, .isNotEmpty, .elementCount,
            .elementAggregate, .groupAggregate, .matchesText:
            1
        case .isOfHistory, .equal, .notEqual, .identical, .less, .lessOrEqual, .greater, .greaterOrEqual, .add,
            .subtract, .multiply, .divide, .remainder, .concatenate, .coalesce, .and, .or, .glob, .regexp,
            .anchoredRegexp, .contains, .containsElement, .valueOfKey, .isIn:
            2
        case .between, .hasPrefix, .hasSuffix: 3
        case .function(let call): call.argumentCount
        case .raw(let condition): condition.lists.count
        }
    }
}
