import Foundation
public import PersistentObjects

/// Lets the pending work of the main actor run.
@MainActor public func settle() async { for _ in 0..<40 { await Task.yield() } }

/// Waits until a condition holds, at most ten minutes. If it never holds, the test fails at its next expectation.
///
/// Other tests can keep all threads of the pool busy for minutes, but not the main thread, where this waits.
@MainActor public func wait(until isTrue: () throws -> Bool) async rethrows {
    let limit = ContinuousClock.now + .seconds(600)
    var round = 0
    while try !isTrue(), ContinuousClock.now < limit {
        round += 1
        if round < 1000 { await Task.yield() } else { try? await Task.sleep(for: .milliseconds(1)) }
    }
}

/// Follows a value on the main actor, and counts its evaluations.
@MainActor public final class FollowedValue<Value: Equatable> {
    /// The values so far.
    public private(set) var values: [Value] = []
    /// The number of evaluations.
    public private(set) var askCount = 0
    /// The error with which it ended.
    public private(set) var error: (any Error)?
    /// Whether it has ended.
    public private(set) var hasEnded = false
    private var task: Task<Void, Never>?

    /// Follows a value of a query.
    public init<T: Persistent>(_ query: Query<T>, _ answer: @escaping (Query<T>) throws -> Value) async {
        let updates = query.updates { query in
            self.askCount += 1
            return try answer(query)
        }
        await follow(updates)
    }

    /// Follows a value of a session.
    public init(_ session: Session, _ answer: @escaping () throws -> Value) async {
        let updates = session.updates {
            self.askCount += 1
            return try answer()
        }
        await follow(updates)
    }

    private func follow(_ updates: ValueUpdates<Value>) async {
        task = Task {
            do { for try await value in updates { values.append(value) } } catch { self.error = error }
            hasEnded = true
        }
        await wait { askCount > 0 && (!values.isEmpty || hasEnded) }
    }

    /// Stops following the value.
    public func cancel() { task?.cancel() }
}
