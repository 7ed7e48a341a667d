/// Lets `search` find words in the property.
///
/// ```swift
/// final class Note: PersistentObject {
///     @Searchable var title = ""
///     @Searchable var text: String?
/// }
///
/// let found = try Note.search("smi*").all()
/// ```
///
/// Use it for properties that are stored as strings, in the topmost class of a hierarchy. A search index is created at
/// the first use of the class. Triggers maintain it for all programs that write. Can be combined with the other
/// wrappers.
@propertyWrapper
public struct Searchable<Value> {
    /// The property's value.
    public var wrappedValue: Value

    /// Wraps a value.
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    /// Creates the wrapper with nil.
    public init() where Value: ExpressibleByNilLiteral { wrappedValue = nil }
}

extension Searchable: Sendable where Value: Sendable {}

extension Searchable: StoredWrapper {
    func describe(_ options: inout PropertyOptions) { options.isSearchable = true }
}
