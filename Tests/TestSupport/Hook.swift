/// Code that a test lets run where a class of its own calls it: in an initialiser, in `encode(to:)`, in a deinit.
///
/// An object and not a closure: task locals of closure types crash in release builds (Swift 6.3.1).
public final class Hook: Sendable {
    private let body: @Sendable () throws -> Void

    /// Keeps the code.
    public init(_ body: @escaping @Sendable () throws -> Void) { self.body = body }

    /// Runs it.
    public func callAsFunction() throws { try body() }
}
