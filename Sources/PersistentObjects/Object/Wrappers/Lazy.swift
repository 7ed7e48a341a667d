/// Reads the property from the database at its first access, for all objects of one fetch together.
///
/// ```swift
/// @Lazy var photo: Data?
/// @Lazy var mentor: Person?
///
/// let face = joe.photo                // nil too where it cannot be loaded
/// let sure = try joe.$photo.load()    // an error then
/// ```
///
/// For references, collections and large values. A property that cannot be
/// loaded reads as its initial value, and `$photo.problem` says why.
/// Composable with the other wrappers; `$photo` needs `@Lazy` to be the first.
@propertyWrapper
public struct Lazy<Value> {
    let box: ValueBox<Value>

    /// Wraps the value of a new object.
    public init(wrappedValue: Value) { box = ValueBox(wrappedValue) }

    /// Begins with nil.
    public init() where Value: ExpressibleByNilLiteral { box = ValueBox(nil) }

    /// The property's value.
    public var wrappedValue: Value {
        get { box.currentValue }
        nonmutating _modify { yield &box.currentValue }
        nonmutating set { box.currentValue = newValue }
    }

    /// `$photo`: whether it is loaded, and loading with errors.
    public var projectedValue: Lazy<Value> { self }

    /// Whether the value is in memory.
    public var isLoaded: Bool { !box.state.isAway }

    /// Why the last access could not load the value; nil if it could.
    public var problem: (any Error)? { box.problem }

    /// The value, loaded if it was not.
    ///
    /// - Throws: `StoreError` if it cannot be loaded: the session has ended,
    ///   the row is gone, or the file cannot be read.
    @discardableResult
    public func load(isolation: isolated (any Actor)? = #isolation) throws -> Value { try box.loadedValue() }
}

extension Lazy: BoxedWrapper {
    func describe(_ options: inout PropertyOptions) { options.isLazy = true }
}
