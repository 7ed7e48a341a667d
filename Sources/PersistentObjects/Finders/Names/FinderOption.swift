/// What a call of a dynamic finder may ask after its arguments: a part of what is found, an order, what to load along.
///
/// ```swift
/// let page = try Person.findByLastName("Smith", .order(by: \Person.age, .descending), .limit(20), .offset(40))
/// ```
///
/// Options stand after all arguments, in any order. Written as `.limit(5)`
/// they are found by the type that finders take; kept in a variable they are
/// `FinderOption.limit(5)`. An option that says nothing of what is asked for,
/// and one that is given twice, is a `FinderError`, thrown before any SQL.
public struct FinderOption: Sendable {
    enum Content: Sendable {
        case limit(Int)
        case offset(Int)
        case order(Key, isDescending: Bool)
        case including([QueryPath])
    }

    /// What objects are ordered by.
    enum Key: Sendable {
        case path(QueryPath)
        case name(String)
    }

    let content: Content

    /// Ascending or descending.
    public enum Order: Sendable {
        /// From the least to the greatest; nil is less than any value.
        case ascending
        /// From the greatest to the least.
        case descending
    }

    /// The first objects only; less than 0 counts as 0.
    public static func limit(_ count: Int) -> FinderOption { FinderOption(content: .limit(Swift.max(count, 0))) }

    /// Without the first objects; less than 0 counts as 0.
    public static func offset(_ count: Int) -> FinderOption { FinderOption(content: .offset(Swift.max(count, 0))) }

    /// In the order of a property, after the order that the finder's name and the options before it say.
    ///
    /// Objects that are equal in all are in the order of their ids.
    public static func order<T: Persistent, V>(by property: KeyPath<T, V>, _ order: Order = .ascending) -> FinderOption
    {
        FinderOption(content: .order(.path(QueryPath(property)), isDescending: order == .descending))
    }

    /// In the order of a property given by its name, also over references: `"employer.name"`.
    ///
    /// The name is looked up in the class and never becomes SQL.
    public static func order(by property: String, _ order: Order = .ascending) -> FinderOption {
        FinderOption(content: .order(.name(property), isDescending: order == .descending))
    }

    /// With lazy properties and inverses loaded, by one query for each. See `Query.including(_:)`.
    public static func including<T: Persistent>(_ properties: PartialKeyPath<T>...) -> FinderOption {
        FinderOption(content: .including(properties.map { QueryPath($0) }))
    }
}

/// The options of finders where an argument is written: `.limit(5)` is looked up in the type of the arguments.
extension Optional where Wrapped == Any {
    /// The first objects only. See `FinderOption.limit(_:)`.
    public static func limit(_ count: Int) -> Any? { FinderOption.limit(count) }

    /// Without the first objects. See `FinderOption.offset(_:)`.
    public static func offset(_ count: Int) -> Any? { FinderOption.offset(count) }

    /// In the order of a property. See `FinderOption.order(by:_:)`.
    public static func order<T: Persistent, V>(
        by property: KeyPath<T, V>, _ order: FinderOption.Order = .ascending
    ) -> Any? { FinderOption.order(by: property, order) }

    /// In the order of a property given by its name. See `FinderOption.order(by:_:)`.
    public static func order(by property: String, _ order: FinderOption.Order = .ascending) -> Any? {
        FinderOption.order(by: property, order)
    }

    /// With lazy properties and inverses loaded. See `FinderOption.including(_:)`.
    public static func including<T: Persistent>(_ properties: PartialKeyPath<T>...) -> Any? {
        FinderOption(content: .including(properties.map { QueryPath($0) }))
    }
}

extension FinderOption: NoArgument {
    var advice: String { "It is an option of dynamic finders. Write LIMIT, ORDER BY and so on in the SQL instead" }
}
