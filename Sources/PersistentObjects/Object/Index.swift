/// An index over one or more properties, declared in `class var indexes`.
///
/// ```swift
/// override class var indexes: [Index] {
///     [
///         Index(\Person.lastName, \Person.firstName),
///         Index(\Person.email, unique: true, where: { $0.deletedAt == nil }),
///         Index(of: Person.self) { $0.width * $0.height },
///     ]
/// }
/// ```
///
/// References are indexed without a declaration. Collections and inverses have no columns to index.
public struct Index: Sendable {
    /// The sort direction of an index.
    public enum Order: Sendable {
        /// From the lowest to the highest value.
        case ascending
        /// From the highest to the lowest value.
        case descending
    }

    enum Property: Sendable {
        case name(String)
        case path(any AnyKeyPath & Sendable)
        /// An expression over properties; a value, represented as a condition.
        case value(Condition)
        /// Strings, ignoring case.
        indirect case caseless(Property)
    }

    let properties: [Property]
    let isUnique: Bool
    let order: Order
    /// The condition of a partial index; nil if it covers all rows.
    let condition: Condition?

    init(_ properties: [Property], isUnique: Bool, _ order: Order, where condition: Condition?) {
        self.properties = properties
        self.isUnique = isUnique
        self.order = order
        self.condition = condition
    }

    /// Creates an index over properties given by key path: `Index(\Person.lastName, \Person.firstName)`.
    public init(_ properties: (any AnyKeyPath & Sendable)..., unique: Bool = false, order: Order = .ascending) {
        self.init(properties.map { .path($0) }, isUnique: unique, order, where: nil)
    }

    /// Creates an index over a string that ignores case, for case-insensitive lookups.
    ///
    /// ```swift
    /// override class var indexes: [Index] { [Index(ignoringCase: \Person.email)] }
    /// // Person.findFirstByEmailIgnoreCase("Ann@Example.com")
    /// // Person.where { $0.email.hasPrefix("ann", ignoringCase: true) }
    /// ```
    ///
    /// Finders with `IgnoreCase`, `isEqual(to:ignoringCase:)` and `hasPrefix(_:ignoringCase:)` use it. The index uses
    /// SQLite's `NOCASE` collation, so that other programs can write the table. `NOCASE` folds only ASCII letters: rows
    /// are found by the prefix up to the first other letter, and then compared. With `unique: true`, no two rows may
    /// differ only by the case of ASCII letters; on PostgreSQL, by the case of any letters.
    ///
    /// A property that is not a `String` causes `SchemaError.notIndexable` at the first use of the class.
    public init<T: Persistent, V>(ignoringCase property: any KeyPath<T, V> & Sendable, unique: Bool = false) {
        self.init([.caseless(.path(property))], isUnique: unique, .ascending, where: nil)
    }

    /// Creates an index over properties given by name: `Index("lastName", "firstName")`.
    public init(_ properties: String..., unique: Bool = false, order: Order = .ascending) {
        self.init(properties.map { .name($0) }, isUnique: unique, order, where: nil)
    }
}
