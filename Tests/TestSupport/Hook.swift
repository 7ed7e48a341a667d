/// Code of a test that one of its classes calls, for example in an initializer, `encode(to:)` or `deinit`.
///
/// It is an object, because task locals of closure types crash in release builds (Swift 6.3.1).
public final class Hook: Sendable {
    private let body: @Sendable () throws -> Void

    /// Creates a hook.
    public init(_ body: @escaping @Sendable () throws -> Void) { self.body = body }

    /// Runs the code.
    public func callAsFunction() throws { try body() }
}
