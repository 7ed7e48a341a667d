internal import Foundation
public import Testing

/// Runs tests on separate threads instead of the cooperative pool, which has only as many threads as processors.
public struct OwnThreads: SuiteTrait, TestTrait, TestScoping {
    /// Prefers an executor that creates threads. Child tasks, and so a suite's tests, inherit the preference.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(ThreadExecutor.shared) { try await function() }
    }
}

extension Trait where Self == OwnThreads {
    /// For tests that sleep, or wait for a process. They start at once, and the pool's threads can run other tests.
    ///
    /// ```swift
    /// @Suite(.ownThreads) struct KillTests {
    /// ```
    public static var ownThreads: Self { OwnThreads() }
}

/// Runs exit tests on separate threads, a few at once.
///
/// Swift Testing starts a process and then waits for it in a task of its own. Until that task runs, which on the pool is
/// after all other tests have started, a process that has ended makes the library's monitor use a whole processor.
public struct OwnProcesses: SuiteTrait, TestTrait, TestScoping {
    private static let slots = Slots(2 * ProcessInfo.processInfo.activeProcessorCount)

    public var isRecursive: Bool { true }

    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(ThreadExecutor.shared) {
            try await OwnProcesses.slots.use { try await function() }
        }
    }
}

extension Trait where Self == OwnProcesses {
    /// For suites with exit tests.
    ///
    /// ```swift
    /// @Suite(.ownProcesses) struct CrashTests {
    /// ```
    public static var ownProcesses: Self { OwnProcesses() }
}

/// Runs each job of a task on a new thread.
private final class ThreadExecutor: TaskExecutor {
    static let shared = ThreadExecutor()

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        Thread.detachNewThread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
