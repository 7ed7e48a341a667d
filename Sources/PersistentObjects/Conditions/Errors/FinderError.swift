/// An error in a finder's name or call.
///
/// Every case is thrown before any SQL runs. The ``description`` states what to write instead; if one part of a name is
/// invalid, it shows the name with that part underlined:
///
///     Person.findByLastNme: no property matches "LastNme"; did you mean lastName?
///         findByLastNme
///               ^~~~~~~
///
/// Errors never contain the values of arguments.
public enum FinderError: Error, Sendable, Equatable {
    /// A part of the name is not a property, although a property is expected in its place.
    ///
    /// `part` is the invalid text and `offset` its distance in UTF-8 bytes from the start of `finder`; `part` is empty
    /// if the name ends although a property should follow. `suggestions` holds up to three properties with similar
    /// names, the nearest first.
    case unknownProperty(className: String, finder: String, part: String, offset: Int, suggestions: [String])

    /// The text after a reference, collection of objects or inverse is not a property or an operator.
    ///
    /// The properties are those of the referenced class. `path` is the part read before it, `employer`, and `target`
    /// the class that it leads to. `part` and `offset` are as in
    /// ``unknownProperty(className:finder:part:offset:suggestions:)``; `suggestions` holds up to three whole paths,
    /// `employer.name`.
    case unknownPathProperty(
        className: String, finder: String, path: String, target: String, part: String, offset: Int,
        suggestions: [String])

    /// The text after a property is neither an operator nor a word that ends the criterion.
    ///
    /// `part` and `offset` are as in ``unknownProperty(className:finder:part:offset:suggestions:)``; `property` is the
    /// property read before it. `suggestions` holds up to three operators with similar spellings.
    case unknownOperator(
        className: String, finder: String, property: String, part: String, offset: Int, suggestions: [String])

    /// The text after a complete part of the name is not one of the words allowed there.
    ///
    /// `OrderByAgeDecs` and `sumOfAgeFor` contain such a text. `part` and `offset` are as in
    /// ``unknownProperty(className:finder:part:offset:suggestions:)``; `previous` is the part read before it,
    /// `expected` the words allowed there. `suggestions` holds the allowed words with similar spellings.
    case unknownWord(
        className: String, finder: String, previous: String, part: String, offset: Int, expected: [String],
        suggestions: [String])

    /// A word of the grammar is not allowed in its place.
    ///
    /// `NotNot`, an `OrderBy` of a count, and `IgnoreCase` without a comparison are examples. `part` and `offset` are
    /// as in ``unknownProperty(className:finder:part:offset:suggestions:)``.
    case misplacedWord(className: String, finder: String, part: String, offset: Int, reason: MisplacedReason)

    /// The number in a name such as `findFirst10ByAge` is 0, or greater than `Int.max`.
    ///
    /// `part` is the number as written, `offset` its distance in UTF-8 bytes from the start of `finder`.
    case invalidLimit(className: String, finder: String, part: String, offset: Int)

    /// The name is neither a static member nor a finder: it does not begin with `find…By`, `count…By` etc.
    ///
    /// `suggestions` holds up to three names that may have been meant.
    case notAFinder(className: String, name: String, suggestions: [String])

    /// The name can be read in more than one way.
    ///
    /// With properties `name`, `age` and `nameAndAge`, `findByNameAndAge` is ambiguous. `readings` shows two of its
    /// readings. Use a typed finder or criteria to specify the meaning.
    case ambiguous(className: String, finder: String, readings: [String])

    /// The call has more or fewer arguments than the name requires.
    ///
    /// `properties` names the property that each required argument is compared with, in the order of the arguments.
    case wrongArgumentCount(className: String, finder: String, properties: [String], expected: Int, given: Int)

    /// An argument has a type that its property cannot be compared with.
    ///
    /// `expected` and `given` are the names of types.
    case wrongArgumentType(className: String, finder: String, property: String, expected: String, given: String)

    /// An operator is used on a kind of property that it does not support.
    ///
    /// Collections and inverses cannot be compared as a whole: query their elements. `isCollection` is true if
    /// `property` is a collection or an inverse; `operation` is the operator, empty if the name has none.
    case wrongOperator(
        className: String, finder: String, property: String, operation: String, isCollection: Bool)

    /// A custom operator in `finderOperators` has an invalid name.
    ///
    /// The name cannot be parsed, or already has another meaning. `operation` is that name. Until it is fixed, all
    /// dynamic finders of the class throw this error.
    case invalidOperator(className: String, operation: String, reason: OperatorReason)

    /// The call requires a result type that this kind of finder cannot return.
    ///
    /// `asked` is the name of that type, and `use` the call to write instead.
    case wrongAnswerType(className: String, finder: String, asked: String, use: String)

    /// An option, such as `.limit(5)`, is not allowed in the call.
    ///
    /// `option` is its name, `.limit`.
    case wrongOption(className: String, finder: String, option: String, reason: OptionReason)

    /// A key path given to a typed finder does not name a stored property.
    case notStoredProperty(className: String, keyPath: String, reason: KeyPathReason)

    /// The reason why a word is not allowed in its place.
    public enum MisplacedReason: Sendable, Equatable {
        /// `Not` after another `Not`.
        case negatedTwice
        /// `IgnoreCase` after another `IgnoreCase`, or of `Ilike`.
        case caseIgnoredTwice
        /// `IgnoreCase` or `AllIgnoreCase` if no property is compared with an argument.
        case noCaseToIgnore
        /// `AllIgnoreCase` before the last criterion: more criteria follow this word.
        case notLast
        /// A second `OrderBy`.
        case orderedTwice
        /// `Asc` or `Desc` after another direction.
        case directedTwice
        /// `Or` between the properties of an order.
        case orInOrder
        /// `IgnoreCase` after a property of an order.
        case caseOfOrder
        /// `OrderBy` if the finder does not return a list of objects.
        case noOrder
        /// `IgnoreCase` with a custom operator, which alone decides whether case matters.
        case ownOperator
        /// A criterion that does not determine a new object's values.
        ///
        /// In `findOrCreate` and `findOrInitialize` these are a path, an operator other than equality, and `Or`.
        case notForCreation
        /// A custom word before `By` that seems to restrict the result, although it does not.
        ///
        /// Examples are `findOldestBy` and `findNotActiveBy`; in a deletion, any such word. `use` is what to write
        /// instead.
        case restrictsNothing(use: String)
    }

    /// The reason why an operator cannot have a name.
    public enum OperatorReason: Sendable, Equatable {
        /// The name has a character other than an ASCII letter or digit, or no uppercase letter at its start.
        case noWord
        /// A built-in operator has the name.
        case builtIn
        /// Another operator of the class has the name.
        case givenTwice
        /// The name begins with words of the finder grammar, so that a finder's name could be read in two ways.
        ///
        /// Such words are `Is`, `Not`, and an operator followed by a word that can follow it, such as `LikeOr`.
        case beginsWith(String)
    }

    /// The reason why an option is not allowed in a call.
    public enum OptionReason: Sendable, Equatable {
        /// The option precedes an argument.
        case beforeArgument
        /// Another option, or one of the labels `limit:` and `offset:`, specifies the same.
        case givenTwice
        /// The name already specifies the number of objects: `findFirst10By…`.
        case numberInName
        /// The call returns exactly one object, the only match.
        case onlyOne
        /// The finder may create its object: `findOrCreateBy…`.
        case mayCreate
        /// The finder does not return objects for which anything could be loaded.
        case noObjects
        /// Its key path begins at another class, whose name is given.
        case otherClass(String)
        /// A class has no property of that name; `suggestions` holds up to three of its properties.
        case unknownProperty(String, className: String, suggestions: [String])
        /// A dotted name continues after a part that is not a reference.
        case notAReference(String)
    }

    /// The reason why a key path does not lead to a property that can be looked up.
    public enum KeyPathReason: Sendable, Equatable {
        /// It names a computed property.
        case computed
        /// It leads through a property into another object or value.
        case path
        /// It begins at another class, whose name is given, as in a condition of that class.
        case otherClass(String)
        /// Its property's type has only one value, or the library cannot create two different values of it.
        ///
        /// The property can then not be distinguished from other properties of that type.
        case oneValuedType
        /// It contains a subscript: `\Person.tags[0]`.
        case hasSubscript
        /// It names a value that `@Embedded` stores in several columns, for these fields.
        ///
        /// A field is `address.city`, or `address?.city` if the value is optional.
        case embedded(fields: [String])
    }
}
