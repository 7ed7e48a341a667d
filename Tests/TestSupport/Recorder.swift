internal import Synchronization

/// Collects values from any thread.
public final class Recorder<Value: Sendable>: Sendable {
    private let values = Mutex<[Value]>([])

    /// Begins empty.
    public init() {}

    /// Adds a value.
    public func add(_ value: Value) { values.withLock { $0.append(value) } }

    /// All values so far, and forgets them.
    public func take() -> [Value] {
        values.withLock { values in
            defer { values = [] }
            return values
        }
    }

    /// All values so far.
    public var all: [Value] { values.withLock { $0 } }
}
