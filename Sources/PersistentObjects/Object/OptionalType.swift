/// An optional, whatever it wraps.
protocol OptionalType {
    static var wrapped: Any.Type { get }
    /// The value inside, nil for none.
    var unwrapped: Any? { get }
}

extension Optional: OptionalType {
    static var wrapped: Any.Type { Wrapped.self }
    var unwrapped: Any? { self.map { $0 as Any } }
}

/// Values of unknown type that may be optionals once more, out of a dictionary of optionals for one.
enum OptionalValue {
    /// The value inside all optionals, nil where one of them is.
    static func flattened(_ value: Any?) -> Any? {
        // Bound to `Any` first: an `Any?` would itself be taken for an optional, without end.
        guard let inner: Any = value else { return nil }
        // The most common: to compare types is nothing beside the cast, which asks for a conformance.
        let type = type(of: inner)
        if type == String.self || type == Int.self { return inner }
        guard let optional = inner as? any OptionalType else { return inner }
        return flattened(optional.unwrapped)
    }
}
