/// Carries what is not `Sendable` into a hook or to another thread.
public final class Smuggled<Value>: @unchecked Sendable {  // each test sees to it who has the value when
    /// What is carried.
    public var value: Value

    /// Takes up a value.
    public init(_ value: Value) { self.value = value }
}
