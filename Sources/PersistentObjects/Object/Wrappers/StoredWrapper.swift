// Wrappers: `@Unique`, `@Lazy` and the other declarations of a property. They must not contain logic, because the
// mapping reads and applies them.

/// A property wrapper of this package: a structure whose first field is the wrapped value.
///
/// The mapping unwraps the value, and reads the declarations about the column. Wrappers of other modules are ordinary
/// values.
protocol StoredWrapper {
    associatedtype Value
    /// Adds the declarations of this wrapper to the property's options.
    func describe(_ options: inout PropertyOptions)
}

extension StoredWrapper {
    static var valueType: Any.Type { Value.self }
}

/// A wrapper whose value is in a separate box, which is loaded later than the object. Its first field is the box.
protocol BoxedWrapper {
    associatedtype Value
    var box: ValueBox<Value> { get }
    /// Adds the declarations of this wrapper to the property's options.
    func describe(_ options: inout PropertyOptions)
}

/// The wrappers' declarations about a property.
struct PropertyOptions {
    var column: String?
    var formerColumns: [String] = []
    /// The columns after the first, for a reference with several columns.
    var furtherColumns: [String] = []
    /// The column format of the value, if it is not the default.
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
    var isEncrypted = false
    /// Whether the hash of an encrypted value is stored with it.
    var isHashed = false
    /// Whether an encrypted value is padded.
    var isPadded = true
    /// Whether a loaded object is released again.
    var isWeak = false
    /// The property on the other side.
    var inverse: AnyKeyPath?
    /// The order of an inverse; empty if it is the order of the ids.
    var inverseOrder: [InverseOrderStep] = []
    /// The condition that selects objects on the other side of an inverse; nil for all.
    var inverseCondition: (any InverseCondition)?
    var deleteRule: DeleteRule?
    /// How sync merges concurrent changes; nil if the last change wins.
    var mergeRule: MergeRule?
}
