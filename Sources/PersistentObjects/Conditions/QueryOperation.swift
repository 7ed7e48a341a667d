internal import StoreEngine

/// An operation on the values of a query. Each takes the values before it.
enum QueryOperation: Hashable, Sendable {
    // Two values.
    /// The table and the object of an entry of the history: whether it is of a class.
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
    /// The number of bytes is the third value: of a text's end.
    case hasSuffix
    /// A collection and an element of it.
    case containsElement
    /// A dictionary and one of its keys: the value there.
    case valueOfKey

    // Three values.
    case between
    /// A value, the first string with a prefix, and the first string after all of them.
    case hasPrefix

    // One value.
    case isNil, isNotNil
    /// A value that is true or false, as a condition.
    case isTrue
    case not
    case negate
    /// An integer as a decimal number with that many decimal places.
    case scaled(Int)
    case lowercased, uppercased, folded, unaccented, characterCount
    case datePart(ZonedDatePart)
    /// A condition as a value: 1 where it holds, else 0.
    case truth
    /// A string compared without regard to case.
    case ignoringCase
    case isEmpty, isNotEmpty
    case elementCount
    /// An aggregate of the elements of a collection.
    case elementAggregate(AggregateFunction)
    /// An aggregate of a value in all rows of a group.
    case groupAggregate(AggregateFunction)
    /// A search as the engine understands it: whether its words are in the object at the top.
    case matchesText

    /// A value and a list of values as JSON, whose elements may have to be decoded.
    case isIn(decoded: Bool)

    /// As many values as it is called with.
    case function(CalledFunction)
    /// A condition in the user's own SQL, likewise.
    case raw(RawCondition)

    // No value.
    case always, never
    /// Another number for each row, each time.
    case random
}
