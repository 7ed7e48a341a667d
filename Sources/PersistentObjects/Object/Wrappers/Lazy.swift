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
///
/// A reference can be weak: it keeps its object only while it is read or
/// edited, and loads it again at the next access, as an inverse does. For the
/// way back, where a plain reference would keep a ring of objects alive:
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

    /// For how long a reference keeps the object that it has loaded.
    public enum Hold: Sendable {
        /// As long as the owner lives.
        case strong
        /// While it is read or edited; some calls of the session later it knows the id only, and the next access looks
        /// the object up again, with a query where it has gone from memory.
        case weak
    }

    /// Wraps the value of a new object.
    public init(wrappedValue: Value) {
        box = ValueBox(wrappedValue)
        hold = .strong
    }

    /// Begins with nil.
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

    /// `$photo`: whether it is loaded, and loading with errors.
    public var projectedValue: Lazy<Value> { self }

    /// Whether the value is in memory; of a weak reference false again some calls after the last access.
    public var isLoaded: Bool { !box.state.isAway }

    /// Why the last access could not load the value; nil if it could.
    public var problem: (any Error)? { box.problem }

    /// The value, loaded if it was not.
    ///
    /// - Throws: `StoreError` if it cannot be loaded: the session has ended,
    ///   the row is gone, or the file cannot be read.
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
