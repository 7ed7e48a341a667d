public import PersistentObjects
internal import Synchronization

/// The receivers of what rounds report.
final class SyncListeners: Sendable {
    private struct Content {
        var state = Sync.State(waiting: 0, lastMeeting: nil, problems: [])
        var next = 0
        var states: [Int: AsyncStream<Sync.State>.Continuation] = [:]
        var conflicts: [Int: AsyncStream<Sync.Conflict>.Continuation] = [:]
        var changes: [@Sendable (ChangedObjects) -> Void] = []
    }

    private let content = Mutex(Content())

    var state: Sync.State { content.withLock { $0.state } }

    func deliver(_ changed: [ChangedObjects], _ conflicts: [Sync.Conflict], _ state: Sync.State) {
        let receivers = content.withLock { content in
            content.state = state
            return content
        }
        for change in changed where !change.isEmpty { receivers.changes.forEach { $0(change) } }
        for conflict in conflicts { receivers.conflicts.values.forEach { $0.yield(conflict) } }
        receivers.states.values.forEach { $0.yield(state) }
    }

    /// Reports the progress of a round, with the state before it; nil at its end.
    func deliver(_ download: Sync.Download?) {
        let (state, receivers) = content.withLock { content in
            let isNews = content.state.download != download
            content.state.download = download
            return (content.state, isNews ? content.states : [:])
        }
        receivers.values.forEach { $0.yield(state) }
    }

    func addHandler(_ handler: @escaping @Sendable (ChangedObjects) -> Void) {
        content.withLock { $0.changes.append(handler) }
    }

    func addStates() -> AsyncStream<Sync.State> {
        let (stream, continuation) = AsyncStream<Sync.State>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let number = content.withLock { content in
            content.next += 1
            content.states[content.next] = continuation
            return content.next
        }
        continuation.yield(state)
        continuation.onTermination = { [weak self] _ in self?.content.withLock { $0.states[number] = nil } }
        return stream
    }

    func addConflicts() -> AsyncStream<Sync.Conflict> {
        let (stream, continuation) = AsyncStream<Sync.Conflict>.makeStream(bufferingPolicy: .bufferingNewest(1000))
        let number = content.withLock { content in
            content.next += 1
            content.conflicts[content.next] = continuation
            return content.next
        }
        continuation.onTermination = { [weak self] _ in self?.content.withLock { $0.conflicts[number] = nil } }
        return stream
    }
}

extension Sync {
    /// What the last round could not do, with the remedies.
    public var problems: [Problem] { listeners.state.problems }

    /// The state now, after each round, and during long downloads.
    ///
    /// A reader that is late receives the newest one.
    ///
    /// ```swift
    /// for await state in sync.states { show(state.waiting, state.lastMeeting, state.problems) }
    /// ```
    public var states: AsyncStream<State> { listeners.addStates() }

    /// The conflicts of rounds, from now on. Up to 1,000 are kept for a reader that is late.
    ///
    /// ```swift
    /// for await conflict in sync.conflicts { print(conflict.className, conflict.property ?? "", conflict.rule) }
    /// ```
    public var conflicts: AsyncStream<Conflict> { listeners.addConflicts() }

    /// Calls a closure after each commit that applied changes of other devices to objects of a class.
    ///
    /// ```swift
    /// sync.onChange(Note.self) { inserted, updated, deleted in refresh(inserted + updated, deleted) }
    /// ```
    ///
    /// It is called on the thread of the round, after the commit, as long as the `Sync` exists. Objects of subclasses are
    /// not reported.
    public func onChange<T: PersistentObject>(
        _ type: T.Type,
        _ handler:
            @escaping @Sendable (
                _ inserted: [PersistentID<T>], _ updated: [PersistentID<T>], _ deleted: [PersistentID<T>]
            ) -> Void
    ) {
        let name = type.syncedName
        listeners.addHandler { changed in
            func ids(_ list: [String: [Int64]]) -> [PersistentID<T>] { (list[name] ?? []).map { PersistentID($0) } }
            let (inserted, updated, deleted) = (ids(changed.inserted), ids(changed.updated), ids(changed.deleted))
            if !inserted.isEmpty || !updated.isEmpty || !deleted.isEmpty { handler(inserted, updated, deleted) }
        }
    }
}
