internal import Foundation
public import Testing

/// Runs tests on their own threads instead of on those of the cooperative pool, of which there are as many as processors.
public struct OwnThreads: SuiteTrait, TestTrait, TestScoping {
    /// Prefers an executor that makes threads. Child tasks inherit the preference, so a suite's tests do too.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(ThreadExecutor.shared) { try await function() }
    }
}

extension Trait where Self == OwnThreads {
    /// For tests that sleep, or wait for a process: they start at once, and the pool's threads run other tests meanwhile.
    ///
    /// ```swift
    /// @Suite(.ownThreads) struct KillTests {
    /// ```
    public static var ownThreads: Self { OwnThreads() }
}

/// Runs each job of a task on a new thread.
private final class ThreadExecutor: TaskExecutor {
    static let shared = ThreadExecutor()

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        Thread.detachNewThread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
