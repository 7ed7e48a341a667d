/// Passes values on to other threads.
enum SendableBox {
    /// A value that is proven to be independent of every other copy of itself (`TypeFacts.isPlainValue`).
    static func sendable(_ value: Any) -> any Sendable {
        // `Sendable` has no run-time part, so the two existentials have one layout, and there is no cast for it;
        // `unsafeBitCast` would open the existential.
        withUnsafePointer(to: value) { pointer in
            UnsafeRawPointer(pointer).assumingMemoryBound(to: (any Sendable).self).pointee
        }
    }

    /// A value that may hold class instances: its encoding, decoded again.
    static func independentCopy(of value: any Codable) -> (any Sendable)? {
        func copy<T: Codable>(_ value: T) -> (any Sendable)? {
            CodableForm<T>.independentCopy(of: value).map { sendable($0) }
        }
        return copy(value)
    }
}
