/// Passes values on to other threads.
enum SendableBox {
    /// A value that is independent of every other copy of itself: proven so (`TypeFacts.isPlainValue`), or just made.
    static func sendable(_ value: Any) -> any Sendable {
        // `Sendable` has no run-time part, so the two existentials have one layout, and there is no cast for it;
        // `unsafeBitCast` would open the existential.
        withUnsafePointer(to: value) { pointer in
            UnsafeRawPointer(pointer).assumingMemoryBound(to: (any Sendable).self).pointee
        }
    }
}
