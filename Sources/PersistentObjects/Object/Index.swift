/// An index over one or more properties, declared in `class var indexes`.
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
    }

    let properties: [Property]
    let isUnique: Bool
    let order: Order

    /// An index over properties given by key path, `Index(\Person.lastName, \Person.firstName)`.
    public init(_ properties: (any AnyKeyPath & Sendable)..., unique: Bool = false, order: Order = .ascending) {
        self.properties = properties.map { .path($0) }
        isUnique = unique
        self.order = order
    }

    /// An index over properties given by name, `Index("lastName", "firstName")`.
    public init(_ properties: String..., unique: Bool = false, order: Order = .ascending) {
        self.properties = properties.map { .name($0) }
        isUnique = unique
        self.order = order
    }
}
