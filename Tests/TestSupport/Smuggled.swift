/// Carries a value that is not `Sendable` into a hook or to another thread.
public final class Smuggled<Value>: @unchecked Sendable {  // each test sees to it who has the value when
    /// The carried value.
    public var value: Value

    /// Wraps a value.
    public init(_ value: Value) { self.value = value }
}
