// Wrappers: `@Unique`, `@Lazy` and their like: what a property says of itself. They must hold no logic: mapping
// reads them.

/// A property wrapper of this package: a structure whose first field is the wrapped value.
///
/// The mapping looks through it to the value, and asks it what it says of the
/// column. Wrappers of others are values like any other.
protocol StoredWrapper {
    associatedtype Value
    /// Adds what this wrapper says to what is known of the property.
    func describe(_ options: inout PropertyOptions)
}

extension StoredWrapper {
    static var valueType: Any.Type { Value.self }
}

/// A wrapper whose value is in a box of its own, which is loaded later than the object. Its first field is the box.
protocol BoxedWrapper {
    associatedtype Value
    var box: ValueBox<Value> { get }
    /// Adds what this wrapper says to what is known of the property.
    func describe(_ options: inout PropertyOptions)
}

/// What wrappers say of a property.
struct PropertyOptions {
    var column: String?
    var formerColumns: [String] = []
    /// Those behind the first of a reference by several columns.
    var furtherColumns: [String] = []
    /// How the value stands in its column, where not as usual.
    var format: ColumnFormat?
    /// Whether the library never writes the column.
    var isReadOnly = false
    var isIndexed = false
    var isUnique = false
    var isSearchable = false
    var isTransient = false
    /// Whether the value's fields are columns.
    var isEmbedded = false
    var isLazy = false
    /// Whether what was loaded is let go of again.
    var isWeak = false
    /// The property on the other side.
    var inverse: AnyKeyPath?
    /// The order of an inverse; empty where it is that of the ids.
    var inverseOrder: [InverseOrderStep] = []
    /// Which of the objects on the other side an inverse has; nil where it is all.
    var inverseCondition: (any InverseCondition)?
    var deleteRule: DeleteRule?
}
