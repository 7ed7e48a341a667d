extension Session {
    /// The violated invariant of an identity map, for tests; nil if all invariants hold.
    package var brokenInvariant: String? { classes.allIdentities.lazy.compactMap { $0.brokenInvariant() }.first }
}
