/// Why a finder could not be understood or called.
///
/// All of these are found before any SQL runs. The ``description`` says what
/// to write instead; where one part of a name is at fault, it shows the name
/// with that part underlined:
///
///     Person.findByLastNme: no property matches "LastNme"; did you mean lastName?
///         findByLastNme
///               ^~~~~~~
///
/// The values of arguments never appear in an error.
public enum FinderError: Error, Sendable, Equatable {
    /// A part of the name stands where a property should and is none.
    ///
    /// `part` is the text at fault and `offset` its distance in UTF-8 bytes
    /// from the start of `finder`; `part` is empty if the name ends although
    /// a property should follow. `suggestions` holds up to three properties
    /// with similar names, the nearest first.
    case unknownProperty(className: String, finder: String, part: String, offset: Int, suggestions: [String])

    /// What follows a reference, collection of objects or inverse is neither a
    /// property of the objects that it leads to nor an operator.
    ///
    /// `path` is what was read before it, `employer`, and `target` the class
    /// that it leads to. `part` and `offset` are as in
    /// ``unknownProperty(className:finder:part:offset:suggestions:)``;
    /// `suggestions` holds up to three whole paths, `employer.name`.
    case unknownPathProperty(
        className: String, finder: String, path: String, target: String, part: String, offset: Int,
        suggestions: [String])

    /// What follows a property is neither an operator nor a word that ends the criterion.
    ///
    /// `part` and `offset` are as in ``unknownProperty(className:finder:part:offset:suggestions:)``;
    /// `property` is the one read before it. `suggestions` holds up to three
    /// operators with similar spellings.
    case unknownOperator(
        className: String, finder: String, property: String, part: String, offset: Int, suggestions: [String])

    /// What follows a part of the name that is complete is none of the words that can.
    ///
    /// `OrderByAgeDecs` and `sumOfAgeFor` have such a part. `part` and `offset`
    /// are as in ``unknownProperty(className:finder:part:offset:suggestions:)``;
    /// `previous` is what was read before it, `expected` the words that may
    /// stand there. `suggestions` holds those of them that are near.
    case unknownWord(
        className: String, finder: String, previous: String, part: String, offset: Int, expected: [String],
        suggestions: [String])

    /// A word of the grammar has no meaning where it stands.
    ///
    /// `NotNot`, an `OrderBy` of what is counted, and `IgnoreCase` where
    /// nothing is compared are such words. `part` and `offset` are as in
    /// ``unknownProperty(className:finder:part:offset:suggestions:)``.
    case misplacedWord(className: String, finder: String, part: String, offset: Int, reason: MisplacedReason)

    /// The number in a name such as `findFirst10ByAge` is 0, or greater than
    /// `Int.max`.
    ///
    /// `part` is the number as written, `offset` its distance in UTF-8 bytes
    /// from the start of `finder`.
    case invalidLimit(className: String, finder: String, part: String, offset: Int)

    /// The name is neither a static member nor a finder: no `find…By`,
    /// `count…By` and so on opens it.
    ///
    /// `suggestions` holds up to three names that may have been meant.
    case notAFinder(className: String, name: String, suggestions: [String])

    /// The name can be read in more than one way.
    ///
    /// With properties `name`, `age` and `nameAndAge`, `findByNameAndAge` is
    /// such a name. `readings` shows two of its readings. A typed finder or
    /// criteria text says which is meant.
    case ambiguous(className: String, finder: String, readings: [String])

    /// The call has more or fewer arguments than the name asks for.
    ///
    /// `properties` names the property that each wanted argument is compared
    /// with, in the order of the arguments.
    case wrongArgumentCount(className: String, finder: String, properties: [String], expected: Int, given: Int)

    /// An argument has a type that its property cannot be compared with.
    ///
    /// `expected` and `given` are the names of types.
    case wrongArgumentType(className: String, finder: String, property: String, expected: String, given: String)

    /// An operator is used on a kind of property that it is not made for.
    ///
    /// Collections and inverses are asked for their elements: they cannot be
    /// compared as a whole. `isCollection` says whether `property` is one;
    /// `operation` is the operator, empty if the name has none.
    case wrongOperator(
        className: String, finder: String, property: String, operation: String, isCollection: Bool)

    /// An operator of the class's own cannot be one: `finderOperators` has a
    /// name in it that could not be read, or that means something else.
    ///
    /// `operation` is that name. No finder of the class by name works.
    case invalidOperator(className: String, operation: String, reason: OperatorReason)

    /// The answer is asked for in a type that this kind of finder cannot give.
    ///
    /// `asked` is the name of that type, `use` is what to write instead.
    case wrongAnswerType(className: String, finder: String, asked: String, use: String)

    /// An option, as `.limit(5)`, stands where it has no meaning.
    ///
    /// `option` is its name, `.limit`.
    case wrongOption(className: String, finder: String, option: String, reason: OptionReason)

    /// A key path given to a typed finder does not name a stored property.
    case notStoredProperty(className: String, keyPath: String, reason: KeyPathReason)

    /// The reason why a word is not allowed in its place.
    public enum MisplacedReason: Sendable, Equatable {
        /// `Not` after another one.
        case negatedTwice
        /// `IgnoreCase` after another one, or of `Ilike`.
        case caseIgnoredTwice
        /// `IgnoreCase` or `AllIgnoreCase` where no property is compared with an argument.
        case noCaseToIgnore
        /// `AllIgnoreCase` before the last criterion: more of them follow it with this word.
        case notLast
        /// A second `OrderBy`.
        case orderedTwice
        /// `Asc` or `Desc` after another one.
        case directedTwice
        /// `Or` between the properties of an order.
        case orInOrder
        /// `IgnoreCase` after a property of an order.
        case caseOfOrder
        /// `OrderBy` where no list of objects is asked for.
        case noOrder
        /// `IgnoreCase` beside an operator of the class's own, which alone knows
        /// whether case counts.
        case ownOperator
        /// What a new object cannot be made of, in a `findOrCreate` or
        /// `findOrInitialize`: a path, another operator than equality, `Or`.
        case notForCreation
        /// A word of your own before `By` that reads as a restriction, which no word there is: `findOldestBy`,
        /// `findNotActiveBy`; in a deletion any such word. `use` is what to write instead.
        case restrictsNothing(use: String)
    }

    /// The reason why an operator cannot have a name.
    public enum OperatorReason: Sendable, Equatable {
        /// It is not made of ASCII letters and digits, or begins with no capital.
        case noWord
        /// An operator that is built in has the name.
        case builtIn
        /// Another one of the class has the name.
        case givenTwice
        /// It begins with words that mean something there already: `Is`, `Not`,
        /// or an operator with what may follow it, `LikeOr`. So a name could be
        /// read in two ways.
        case beginsWith(String)
    }

    /// The reason why an option is not allowed in a call.
    public enum OptionReason: Sendable, Equatable {
        /// It stands before an argument.
        case beforeArgument
        /// The same is said by another one, or by the labels `limit:` and `offset:`.
        case givenTwice
        /// The name says how many objects are meant: `findFirst10By…`.
        case numberInName
        /// Exactly one object is asked for, of all that there are.
        case onlyOne
        /// There may be no object that is found: `findOrCreateBy…`.
        case mayCreate
        /// No objects are answered that something could be loaded with.
        case noObjects
        /// Its key path begins at another class, the name of which is given.
        case otherClass(String)
        /// A class has no property of that name; `suggestions` holds up to three of its properties.
        case unknownProperty(String, className: String, suggestions: [String])
        /// A dotted name goes on after something that is not a reference.
        case notAReference(String)
    }

    /// The reason why a key path does not lead to a property that can be looked up.
    public enum KeyPathReason: Sendable, Equatable {
        /// It names a computed property.
        case computed
        /// It leads through a property into another object or value.
        case path
        /// It begins at another class, the name of which is given: a condition of that class, for example.
        case otherClass(String)
        /// Its property's type has one value only, or the library cannot make
        /// two different values of it, so that it cannot be told apart from
        /// others of that type.
        case oneValuedType
        /// It contains a subscript: `\Person.tags[0]`.
        case hasSubscript
        /// It names a value that `@Embedded` has in several columns, those of these fields: `address.city`.
        case embedded(fields: [String])
    }
}
