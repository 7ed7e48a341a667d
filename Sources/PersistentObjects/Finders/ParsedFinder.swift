/// What a finder name says, free of how it was spelled: what to do, and with
/// the objects for which one of the alternatives holds. Properties stand as
/// indexes into the list that the parser was given.
struct ParsedFinder: Equatable, Sendable {
    /// What is done with the objects found.
    enum Subject: Equatable, Sendable {
        case find
        /// `findFirst`; with a number where the name has one.
        case first(Int?)
        case count
        case exists
        case delete
    }

    /// One condition on one property.
    struct Criterion: Equatable, Sendable {
        /// The links that lead to the property, each in the list of its class, and the property.
        var path: [Int]
        var operation: FinderOperator
        /// Where this criterion's arguments begin among those of the call.
        var firstArgument: Int
    }

    var subject: Subject
    /// An object is meant when all criteria of one alternative hold.
    var alternatives: [[Criterion]]
    var argumentCount: Int
}

/// How a property is compared with its arguments.
enum FinderOperator: Equatable, Sendable {
    case equal
    /// A collection or inverse has the argument among its elements.
    case containing
    case isEmpty
    case isNotEmpty
}
