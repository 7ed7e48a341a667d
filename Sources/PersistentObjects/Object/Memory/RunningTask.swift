internal import CSQLite

/// The task whose code the calling thread runs.
struct RunningTask: Equatable {
    /// Its address; a later task can have the same address after it has ended.
    let address: UInt
    /// The task's id, unique in the process.
    let id: UInt64

    /// The task, if its code belongs to no actor; nil on actors, including the main actor, and outside tasks.
    ///
    /// It queries the runtime, not `#isolation`, because a nonisolated function called by an actor runs on that actor.
    static var outsideActors: RunningTask? {
        guard let task = po_current_task(), !po_is_on_actor() else { return nil }
        return RunningTask(address: UInt(bitPattern: task), id: po_task_id(task))
    }
}
