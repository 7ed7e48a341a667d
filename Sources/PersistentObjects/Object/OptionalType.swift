/// An optional of any type.
protocol OptionalType {
    static var wrapped: Any.Type { get }
    /// The wrapped value; nil if there is no value.
    var unwrapped: Any? { get }
}

extension Optional: OptionalType {
    static var wrapped: Any.Type { Wrapped.self }
    var unwrapped: Any? { self.map { $0 as Any } }
}

/// Values of unknown type that may be nested optionals, for example from a dictionary of optionals.
enum OptionalValue {
    /// The value inside all optionals; nil if one of them is nil.
    static func flattened(_ value: Any?) -> Any? {
        // Bound to `Any` first: an `Any?` would itself match as an optional, in endless recursion.
        guard let inner: Any = value else { return nil }
        // The most common case: comparing types costs little compared with the cast, which looks up a conformance.
        let type = type(of: inner)
        if type == String.self || type == Int.self { return inner }
        guard let optional = inner as? any OptionalType else { return inner }
        return flattened(optional.unwrapped)
    }
}
