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
/// References have an index without it. Collections and inverses have no columns
/// that could have one.
public struct Index: Sendable {
    /// The direction of an index.
    public enum Order: Sendable {
        /// From the least to the greatest.
        case ascending
        /// From the greatest to the least.
        case descending
    }

    enum Property: Sendable {
        case name(String)
        case path(any AnyKeyPath & Sendable)
        /// What is made of properties; a value, in the shape of a condition.
        case value(Condition)
        /// Texts without regard to case.
        indirect case caseless(Property)
    }

    let properties: [Property]
    let isUnique: Bool
    let order: Order
    /// Which rows it is of; nil for all.
    let condition: Condition?

    init(_ properties: [Property], isUnique: Bool, _ order: Order, where condition: Condition?) {
        self.properties = properties
        self.isUnique = isUnique
        self.order = order
        self.condition = condition
    }

    /// An index over properties given by key path, `Index(\Person.lastName, \Person.firstName)`.
    public init(_ properties: (any AnyKeyPath & Sendable)..., unique: Bool = false, order: Order = .ascending) {
        self.init(properties.map { .path($0) }, isUnique: unique, order, where: nil)
    }

    /// An index over a text without regard to small and capital letters, for what is looked for so.
    ///
    /// ```swift
    /// override class var indexes: [Index] { [Index(ignoringCase: \Person.email)] }
    /// // Person.findFirstByEmailIgnoreCase("Ann@Example.com")
    /// // Person.where { $0.email.hasPrefix("ann", ignoringCase: true) }
    /// ```
    ///
    /// Finders with `IgnoreCase`, `isEqual(to:ignoringCase:)` and
    /// `hasPrefix(_:ignoringCase:)` use it. It is in SQLite's own order
    /// `NOCASE`, so that other programs can write the table. That knows the
    /// letters of ASCII: rows are found by what the text begins with before its
    /// first other letter, and then compared. With `unique: true` no two rows
    /// may differ by the case of such letters alone; on PostgreSQL of any.
    ///
    /// Of a property that is no `String` it is `SchemaError.notIndexable` at
    /// the first use of the class.
    public init<T: Persistent, V>(ignoringCase property: any KeyPath<T, V> & Sendable, unique: Bool = false) {
        self.init([.caseless(.path(property))], isUnique: unique, .ascending, where: nil)
    }

    /// An index over properties given by name, `Index("lastName", "firstName")`.
    public init(_ properties: String..., unique: Bool = false, order: Order = .ascending) {
        self.init(properties.map { .name($0) }, isUnique: unique, order, where: nil)
    }
}
