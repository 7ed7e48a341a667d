/// Passes values to other threads.
enum SendableBox {
    /// A value that is independent of its copies: proven (`TypeFacts.isPlainValue`), or newly created.
    static func sendable(_ value: Any) -> any Sendable {
        // `Sendable` has no runtime part, so the two existentials have the same layout, and there is no cast for it;
        // `unsafeBitCast` would open the existential.
        withUnsafePointer(to: value) { pointer in
            UnsafeRawPointer(pointer).assumingMemoryBound(to: (any Sendable).self).pointee
        }
    }
}
