/// Stores the property encrypted, with a key of the store's keyring.
///
/// ```swift
/// final class Patient: PersistentObject {
///     var name = ""
///     @Encrypted var diagnosis = ""
///     @Encrypted(.searchable) var insuranceNumber: String?
/// }
///
/// let keys = try Keyring.file("keys.po")
/// let store = try Store("clinic.sqlite", configuration: .init(keyring: keys))
/// ```
///
/// The value is decrypted at its first access, for all objects of one fetch together, as with ``Lazy``. A property that
/// cannot be decrypted has its initial value, `$diagnosis.problem` is the error, and a save does not write the property
/// unless you assign it. `$diagnosis` requires `@Encrypted` to be the first wrapper.
///
/// A collection is encrypted as one value, so each change of an element writes the whole collection. Conditions can name
/// the property only if it is `.searchable`. The value nil is not encrypted. It requires a program
/// that is built with the package trait `Encryption`.
@propertyWrapper
public struct Encrypted<Value> {
    let box: ValueBox<Value>
    private let isSearchable: Bool
    private let isPadded: Bool

    /// The conditions that can name the property.
    public enum Search: Sendable {
        /// Conditions on equality.
        ///
        /// The file contains a hash of each value, which reveals which values are equal.
        case searchable
    }

    /// Wraps the value of a new object.
    ///
    /// - Parameters:
    ///   - wrappedValue: The initial value.
    ///   - padded: Whether the stored size is rounded up to a multiple of 16 bytes, so that it shows less of the size.
    public init(wrappedValue: Value, padded: Bool = true) {
        box = ValueBox(wrappedValue)
        isSearchable = false
        isPadded = padded
    }

    /// Wraps the value of a new object, which conditions can compare.
    ///
    /// - Parameters:
    ///   - wrappedValue: The initial value.
    ///   - search: The possible conditions.
    ///   - padded: Whether the stored size is rounded up to a multiple of 16 bytes, so that it shows less of the size.
    public init(wrappedValue: Value, _ search: Search, padded: Bool = true) {
        box = ValueBox(wrappedValue)
        isSearchable = true
        isPadded = padded
    }

    /// Creates the wrapper with nil.
    ///
    /// - Parameter padded: Whether the stored size is rounded up to a multiple of 16 bytes.
    public init(padded: Bool = true) where Value: ExpressibleByNilLiteral {
        self.init(wrappedValue: nil, padded: padded)
    }

    /// Creates the wrapper with nil, for a property that conditions can compare.
    ///
    /// - Parameters:
    ///   - search: The possible conditions.
    ///   - padded: Whether the stored size is rounded up to a multiple of 16 bytes.
    public init(_ search: Search, padded: Bool = true) where Value: ExpressibleByNilLiteral {
        self.init(wrappedValue: nil, search, padded: padded)
    }

    /// The property's value.
    public var wrappedValue: Value {
        get { box.currentValue }
        nonmutating _modify { yield &box.currentValue }
        nonmutating set { box.currentValue = newValue }
    }

    /// The wrapper itself, as `$diagnosis`: whether the value is loaded, and loading with errors.
    public var projectedValue: Encrypted<Value> { self }

    /// Whether the decrypted value is in memory.
    public var isLoaded: Bool { !box.state.isAway }

    /// The error of the last access, if it could not decrypt the value; otherwise nil.
    public var problem: (any Error)? { box.problem }

    /// Returns the value, after reading and decrypting it if necessary.
    ///
    /// - Throws: `StoreError`: `locked` if the keyring lacks the key, `wrongKey` if it has another key of this number,
    ///   `damaged` if the stored bytes were changed, and the errors of ``Lazy/load(isolation:)``.
    /// - Complexity: A query for all objects of one fetch together, if it is not loaded.
    @discardableResult
    public func load(isolation: isolated (any Actor)? = #isolation) throws -> Value { try box.loadedValue() }
}

extension Encrypted: BoxedWrapper {
    func describe(_ options: inout PropertyOptions) {
        options.isEncrypted = true
        options.isHashed = isSearchable
        options.isPadded = isPadded
    }
}
