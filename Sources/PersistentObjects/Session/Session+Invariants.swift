extension Session {
    /// The violated invariant of an identity map; nil if there is none, as there must be. For tests.
    package var brokenInvariant: String? { classes.allIdentities.lazy.compactMap { $0.brokenInvariant() }.first }
}
