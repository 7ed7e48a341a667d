/// Has `search` look for words in the property.
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
/// For properties that are stored as texts, of the topmost class of a
/// hierarchy. An index of the words is made at the first use of the class, and
/// kept up by triggers whoever writes. Composable with the other wrappers.
@propertyWrapper
public struct Searchable<Value> {
    /// The property's value.
    public var wrappedValue: Value

    /// Wraps a value.
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    /// Begins with nil.
    public init() where Value: ExpressibleByNilLiteral { wrappedValue = nil }
}

extension Searchable: Sendable where Value: Sendable {}

extension Searchable: StoredWrapper {
    func describe(_ options: inout PropertyOptions) { options.isSearchable = true }
}
