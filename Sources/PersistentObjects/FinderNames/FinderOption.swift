/// An option of a dynamic finder's call: a limit, an offset, an order, or properties to load.
///
/// ```swift
/// let page = try Person.findByLastName("Smith", .order(by: \Person.age, .descending), .limit(20), .offset(40))
/// ```
///
/// Options follow all arguments, in any order. Written as `.limit(5)`, they are resolved by the type that finders take;
/// kept in a variable, they are written `FinderOption.limit(5)`. An option that does not apply to the finder's result,
/// or that is given twice, throws a `FinderError` before any SQL.
public struct FinderOption: Sendable {
    enum Content: Sendable {
        case limit(Int)
        case offset(Int)
        case order(Key, isDescending: Bool)
        case including([QueryPath])
    }

    /// A key to order objects by.
    enum Key: Sendable {
        case path(QueryPath)
        case name(String)
    }

    let content: Content

    /// The direction of an order: ascending or descending.
    public enum Order: Sendable {
        /// From the lowest to the highest; nil is less than any value.
        case ascending
        /// From the highest to the lowest.
        case descending
    }

    /// Limits the result to the first objects; a negative count is treated as 0.
    public static func limit(_ count: Int) -> FinderOption { FinderOption(content: .limit(Swift.max(count, 0))) }

    /// Skips the first objects; a negative count is treated as 0.
    public static func offset(_ count: Int) -> FinderOption { FinderOption(content: .offset(Swift.max(count, 0))) }

    /// Orders by a property, after the order of the finder's name and of the options before it.
    ///
    /// Objects that compare equal in all of them are ordered by their ids.
    public static func order<T: Persistent, V>(by property: KeyPath<T, V>, _ order: Order = .ascending) -> FinderOption
    {
        FinderOption(content: .order(.path(QueryPath(property)), isDescending: order == .descending))
    }

    /// Orders by a property given by its name, also through references: `"employer.name"`.
    ///
    /// The name is looked up in the class and never becomes SQL.
    public static func order(by property: String, _ order: Order = .ascending) -> FinderOption {
        FinderOption(content: .order(.name(property), isDescending: order == .descending))
    }

    /// Loads lazy properties and inverses, with one query for each. See `Query.including(_:)`.
    public static func including<T: Persistent>(_ properties: PartialKeyPath<T>...) -> FinderOption {
        FinderOption(content: .including(properties.map { QueryPath($0) }))
    }
}

/// Options in place of an argument: `.limit(5)` is looked up in the argument type.
extension Optional where Wrapped == Any {
    /// Limits the result to the first objects. See `FinderOption.limit(_:)`.
    public static func limit(_ count: Int) -> Any? { FinderOption.limit(count) }

    /// Skips the first objects. See `FinderOption.offset(_:)`.
    public static func offset(_ count: Int) -> Any? { FinderOption.offset(count) }

    /// Orders by a property. See `FinderOption.order(by:_:)`.
    public static func order<T: Persistent, V>(
        by property: KeyPath<T, V>, _ order: FinderOption.Order = .ascending
    ) -> Any? { FinderOption.order(by: property, order) }

    /// Orders by a property given by its name. See `FinderOption.order(by:_:)`.
    public static func order(by property: String, _ order: FinderOption.Order = .ascending) -> Any? {
        FinderOption.order(by: property, order)
    }

    /// Loads lazy properties and inverses. See `FinderOption.including(_:)`.
    public static func including<T: Persistent>(_ properties: PartialKeyPath<T>...) -> Any? {
        FinderOption(content: .including(properties.map { QueryPath($0) }))
    }
}
