internal import CSQLite

/// The task whose code the calling thread runs.
struct RunningTask: Equatable {
    /// Where it is in memory; a later task can be at the same place when it has ended.
    let address: UInt
    /// No other task of the process ever has it.
    let id: UInt64

    /// The task, where its code belongs to no actor; nil on actors, the main actor included, and outside of tasks.
    ///
    /// It asks the run time, not `#isolation`: a nonisolated function that an actor calls runs on that actor.
    static var outsideActors: RunningTask? {
        guard let task = po_current_task(), !po_is_on_actor() else { return nil }
        return RunningTask(address: UInt(bitPattern: task), id: po_task_id(task))
    }
}
