internal import Dispatch
@_spi(Locks) internal import StoreEngine

/// Runs jobs one after another on a separate queue, so that none of Swift's few shared threads waits for the database.
final class StoreExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "PersistentObjects.Store")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}

/// A store's threads for tasks: up to a number of jobs run at once, and further jobs wait in the order of arrival.
final class StoreThreads: TaskExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        /// The index of the next job.
        var next = 0
        /// Serial queues, because each of them gets a thread even if all processors are busy.
        var idle: [DispatchQueue] = []
        var busyCount = 0
        var limit = 1

        mutating func takeJob() -> UnownedJob? {
            guard next < jobs.count else { return nil }
            defer {
                next += 1
                if next == jobs.count || next >= 1000 {
                    jobs.removeSubrange(..<next)
                    next = 0
                }
            }
            return jobs[next]
        }
    }

    private let state = Locked(State())

    /// Sets the number of jobs that run at once.
    func setLimit(_ limit: Int) { state.withLock { $0.limit = limit } }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let queue: DispatchQueue? = state.withLock { state in
            state.jobs.append(job)
            guard state.busyCount < state.limit else { return nil }
            state.busyCount += 1
            return state.idle.popLast() ?? DispatchQueue(label: "PersistentObjects.Store")
        }
        if let queue { queue.async { self.runJobs(on: queue) } }
    }

    private func runJobs(on queue: DispatchQueue) {
        while true {
            let job: UnownedJob? = state.withLock { state in
                if let job = state.takeJob() { return job }
                state.busyCount -= 1
                state.idle.append(queue)
                return nil
            }
            guard let job else { return }
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}

extension Store {
    /// The store's threads, for tasks that use a server without `perform` and `withSession`.
    ///
    /// Calls on classes block the thread of their task while the server works. Swift's tasks share as many threads as
    /// there are processors, so only that many statements run at once. A task that prefers this executor uses the
    /// store's threads instead, as many as ``Configuration/concurrency``. The store must live as long as the tasks.
    ///
    /// ```swift
    /// let count = try await withTaskExecutorPreference(store.executor) { try Person.count() }
    /// ```
    public var executor: any TaskExecutor {
        threads.setLimit(concurrency)
        return threads
    }
}
