extension Duration {
    /// The number of milliseconds, clamped to the nonnegative values of SQLite's and PostgreSQL's type.
    package var wholeMilliseconds: Int32 {
        // The seconds are clamped first, so that the product does not overflow.
        let (seconds, attoseconds) = components
        let clamped = min(max(seconds, -1), Int64(Int32.max))
        return Int32(clamping: max(0, clamped * 1000 + attoseconds / 1_000_000_000_000_000))
    }
}
