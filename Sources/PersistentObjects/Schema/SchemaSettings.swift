/// What a store does where its file is not what the classes say.
public enum SchemaChanges: Sendable, Hashable {
    /// The file is changed, and loses nothing: what no class wants any more stays. The default.
    case automatic
    /// The file is changed, and columns and collections that no class has any more go.
    ///
    /// It is the consent to lose what is in them. Those of subclasses that the program has not used are not touched.
    case dropping
    /// Nothing is changed: a difference is a `SchemaError` that lists what would have to be.
    case refused
}

/// How a store goes about changes of its file.
struct SchemaSettings: Sendable, Equatable {
    var changes: SchemaChanges = .automatic
    /// Whether messages may have values in them.
    var showsValues = false
}
