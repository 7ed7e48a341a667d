internal import Dispatch

/// Runs jobs one after the other on a queue of its own: none of Swift's few shared threads waits for the database there.
final class StoreExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "PersistentObjects.Store")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
