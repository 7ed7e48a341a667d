extension Session {
    /// What is wrong with an identity map, which never may be; nil where all is well. For tests.
    package var brokenInvariant: String? { classes.allIdentities.lazy.compactMap { $0.brokenInvariant() }.first }
}
