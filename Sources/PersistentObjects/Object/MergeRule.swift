/// How sync merges concurrent changes of a number or date; see ``Merged``.
public enum MergeRule: String, Sendable, Hashable, CaseIterable {
    /// The differences of all devices are added: `stars += 1` on two devices results in 2.
    case counter
    /// The greatest value wins.
    case max
    /// The least value wins.
    case min
}
