/// How much of a session's work can be undone; what is older is forgotten.
///
/// ```swift
/// session.undoLimit = UndoLimit(levels: 20, bytes: 8 << 20)
/// ```
public struct UndoLimit: Sendable, Equatable {
    /// How many levels there are at most, undone ones too.
    public var levels: Int

    /// How many bytes of old and new values they have together at most. A commit that has more by itself cannot be
    /// undone, nor what was before it.
    public var bytes: Int

    /// A limit; by default 100 levels and 64 MB.
    public init(levels: Int = 100, bytes: Int = 64 << 20) {
        self.levels = levels
        self.bytes = bytes
    }
}
