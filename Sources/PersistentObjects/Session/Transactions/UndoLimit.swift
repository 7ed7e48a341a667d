/// A limit on the work of a session that can be undone; older work is forgotten.
///
/// ```swift
/// session.undoLimit = UndoLimit(levels: 20, bytes: 8 << 20)
/// ```
public struct UndoLimit: Sendable, Equatable {
    /// The maximum number of levels, including undone levels.
    public var levels: Int

    /// The maximum number of bytes of all old and new values together.
    ///
    /// A commit that exceeds it by itself cannot be undone, nor can the commits before it.
    public var bytes: Int

    /// Creates a limit; by default 100 levels and 64 MB.
    public init(levels: Int = 100, bytes: Int = 64 << 20) {
        self.levels = levels
        self.bytes = bytes
    }
}
