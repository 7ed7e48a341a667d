internal import Dispatch

/// Runs jobs one after another on a separate queue, so that none of Swift's few shared threads waits for the database.
final class StoreExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "PersistentObjects.Store")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
