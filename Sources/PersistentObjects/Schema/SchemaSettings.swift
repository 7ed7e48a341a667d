/// The behavior of a store if its file differs from the classes.
public enum SchemaChanges: Sendable, Hashable {
    /// The file is changed without losing data, and unused tables and columns are kept; the default.
    case automatic
    /// The file is changed, and columns and collections that no class uses are dropped.
    ///
    /// This permits losing their contents. Columns and collections of subclasses that the program has not used are
    /// kept.
    case dropping
    /// Nothing is changed: a difference is a `SchemaError` that lists the necessary changes.
    case refused
}

/// How a store handles changes of its file.
struct SchemaSettings: Sendable, Equatable {
    var changes: SchemaChanges = .automatic
    /// Whether messages may contain values.
    var showsValues = false
    /// The encrypted values; nil without a keyring.
    var sealed: SealedValues?
}
