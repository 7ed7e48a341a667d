/// Waits until a condition that nothing reports is true, while other tasks run.
///
/// ```swift
/// try await waitUntil { store.performs.waiterCount == 3 }
/// ```
public func waitUntil(_ isTrue: () -> Bool) async throws {
    while !isTrue() { try await Task.sleep(for: .milliseconds(1)) }
}
