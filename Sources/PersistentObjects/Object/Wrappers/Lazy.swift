/// Reads the property at its first access, for all objects of one fetch together.
///
/// ```swift
/// @Lazy var photo: Data?
/// @Lazy var mentor: Person?
///
/// let face = joe.photo                // also nil if it cannot be loaded
/// let sure = try joe.$photo.load()    // throws in that case
/// ```
///
/// Use it for references, collections and large values. A property that cannot be loaded has its initial value, and
/// `$photo.problem` is the error. Can be combined with the other wrappers; `$photo` requires `@Lazy` to be the first
/// wrapper.
///
/// A reference can be weak: it keeps its object only while it is read or edited, and loads it again at the next access,
/// as an inverse does. Use it for back references, because a plain reference would keep a cycle of objects alive:
///
/// ```swift
/// final class Folder: PersistentObject {
///     var folders: [Folder] = []
///     @Lazy(.weak) var parent: Folder?
/// }
/// ```
@propertyWrapper
public struct Lazy<Value> {
    let box: ValueBox<Value>
    private let hold: Hold

    /// How long a reference keeps the object that it has loaded.
    public enum Hold: Sendable {
        /// As long as the owner exists.
        case strong
        /// While it is read or edited.
        ///
        /// After some further calls on the session it keeps only the id. The next access looks the object up again,
        /// with a query only if it is no longer in memory.
        case weak
    }

    /// Wraps the value of a new object.
    public init(wrappedValue: Value) {
        box = ValueBox(wrappedValue)
        hold = .strong
    }

    /// Creates the wrapper with nil.
    public init() where Value: ExpressibleByNilLiteral { self.init(wrappedValue: nil) }

    /// Wraps the reference of a new object.
    public init<T: Persistent>(wrappedValue: Value = nil, _ hold: Hold) where Value == T? {
        box = ValueBox(wrappedValue)
        self.hold = hold
    }

    /// The property's value.
    public var wrappedValue: Value {
        get {
            box.wasUsed = true
            return box.currentValue
        }
        nonmutating _modify {
            box.wasUsed = true
            yield &box.currentValue
        }
        nonmutating set { box.currentValue = newValue }
    }

    /// The wrapper itself, as `$photo`: whether it is loaded, and loading with errors.
    public var projectedValue: Lazy<Value> { self }

    /// Whether the value is in memory.
    ///
    /// For a weak reference it is false again some calls after the last access.
    public var isLoaded: Bool { !box.state.isAway }

    /// The error of the last access, if it could not load the value; otherwise nil.
    public var problem: (any Error)? { box.problem }

    /// Returns the value, after loading it if necessary.
    ///
    /// - Throws: `StoreError` if it cannot be loaded: the session has ended, the row was deleted, or the file cannot be
    ///   read.
    /// - Complexity: A query for all objects of one fetch together, if it is not loaded.
    @discardableResult
    public func load(isolation: isolated (any Actor)? = #isolation) throws -> Value {
        box.wasUsed = true
        return try box.loadedValue()
    }
}

extension Lazy: BoxedWrapper {
    func describe(_ options: inout PropertyOptions) {
        options.isLazy = true
        options.isWeak = hold == .weak
    }
}
