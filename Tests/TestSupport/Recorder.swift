internal import Foundation

/// Collects values from any thread.
public final class Recorder<Value: Sendable>: @unchecked Sendable {  // the values are reached under the lock only
    private let lock = NSLock()
    private var values: [Value] = []

    /// Creates an empty recorder.
    public init() {}

    /// Adds a value.
    public func add(_ value: Value) { lock.withLock { values.append(value) } }

    /// Removes and returns all values so far.
    public func take() -> [Value] {
        lock.withLock {
            defer { values = [] }
            return values
        }
    }

    /// All values so far.
    public var all: [Value] { lock.withLock { values } }
}
