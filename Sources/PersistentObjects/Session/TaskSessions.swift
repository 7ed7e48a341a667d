internal import Foundation
@_spi(Locks) internal import StoreEngine

/// The sessions of the tasks that use a store outside actors, one for each task.
///
/// The end of a task is not reported, and need not be. A session belongs to a task while it has objects or a call is in
/// progress. Otherwise it can be given to another task without a visible difference. The runtime reuses the memory of
/// tasks, so an entry with the same address and another number belongs to a task that has ended.
final class TaskSessions: Sendable {
    fileprivate struct Entry {
        let task: UInt64
        var session: Session
    }

    fileprivate struct State {
        /// The sessions by the addresses of their tasks.
        var entries: [UInt: Entry] = [:]
        /// The sessions of ended tasks whose objects are still alive.
        var left: [Session] = []
        var shares: [ConnectionShare] = []
        /// The number of sessions being opened.
        var openingCount = 0
    }

    private let state = Locked(State())

    /// The number of sessions from which a session is taken over from a task that may still run. More tasks do not run
    /// at once.
    static let roomyCount = max(4, 2 * ProcessInfo.processInfo.activeProcessorCount)
    /// The maximum number of connections, limited because each has two open files and caches the pages that it has
    /// read.
    static let connectionLimit = max(16, 2 * ProcessInfo.processInfo.activeProcessorCount)

    /// The task's session.
    func session(of task: RunningTask, in store: Store) throws -> Session {
        // Only the task itself, which makes this call, adds a session for it.
        let known = state.withLock { state in
            state.entries[task.address].flatMap { $0.task == task.id ? $0.session : nil }
        }
        if let known { return known }
        let search = state.withLock { $0.search(for: task) }
        for session in search.unused { session.end() }
        for session in search.holding { try? session.enter { session.memory.dropHeldTargets() } }
        if let found = search.found { return found }
        let made = try Session(store, on: try share(of: store))
        state.withLock { $0.entries[task.address] = Entry(task: task.id, session: made) }
        return made
    }

    /// A new connection, or a connection that other sessions also use.
    private func share(of store: Store) throws -> ConnectionShare {
        let (known, mayOpen) = state.withLock { state in
            state.shares.removeAll { $0.userCount == 0 }
            state.openingCount += 1
            let isRoom = state.shares.count + state.openingCount <= TaskSessions.connectionLimit
            return (state.shares.sortedUnspecialized { $0.userCount < $1.userCount }, isRoom)
        }
        defer { state.withLock { $0.openingCount -= 1 } }
        if !mayOpen, let share = known.first(where: { $0.join() }) { return share }
        do {
            let made = ConnectionShare(try store.takeWatchedConnection())
            state.withLock { $0.shares.append(made) }
            return made
        } catch {
            // The process may have reached its limit of open files.
            guard (error as? StoreError)?.code == .cannotOpen, let share = known.first(where: { $0.join() }) else {
                throw error
            }
            return share
        }
    }

    /// Releases all sessions, which the closed store has ended.
    func close() {
        // The sessions are deallocated outside the lock.
        _ = state.withLock { exchange(&$0, with: State()) }
    }

    /// The number of sessions.
    var count: Int { state.withLock { $0.entries.count + $0.left.count } }
    /// The number of their connections.
    var connectionCount: Int { state.withLock { state in state.shares.count { $0.userCount > 0 } } }
}

extension TaskSessions.State {
    /// The result of a search for a task without a session.
    struct Search {
        /// The session that was found, which now belongs to the task.
        var found: Session?
        /// Sessions to end: their tasks have ended, or there are more sessions than are worth keeping.
        var unused: [Session] = []
        /// Sessions that may be the only holders of their last objects. They must release these objects, so that the
        /// next search finds the sessions unused.
        var holding: [Session] = []
    }

    /// Takes over a session that is not in use.
    mutating func search(for task: RunningTask) -> Search {
        var search = Search()
        if let former = entries.removeValue(forKey: task.address) { left.append(former.session) }
        for place in left.indices.reversed() {
            guard isKnownUniquelyReferenced(&left[place]), let use = left[place].use else { continue }
            switch use {
            case .objects: break
            case .heldObjects: search.holding.append(left[place])
            case .edits: search.unused.append(left.remove(at: place))
            case .nothing:
                let session = left.remove(at: place)
                if search.found == nil { search.found = session } else { search.unused.append(session) }
            }
        }
        // The session that the task gets now counts, too.
        if entries.count >= TaskSessions.roomyCount { takeOver(&search) }
        if let found = search.found { entries[task.address] = TaskSessions.Entry(task: task.id, session: found) }
        return search
    }

    /// Searches the sessions of tasks that may still run.
    private mutating func takeOver(_ search: inout Search) {
        // Removing an entry moves other entries.
        for place in Array(entries.keys) {
            guard search.found == nil || entries.count >= TaskSessions.roomyCount else { break }
            guard let index = entries.index(forKey: place),
                isKnownUniquelyReferenced(&entries.values[index].session), let use = entries.values[index].session.use
            else { continue }
            switch use {
            case .objects, .edits: break
            case .heldObjects: search.holding.append(entries.values[index].session)
            case .nothing:
                let session = entries.remove(at: index).value.session
                if search.found == nil { search.found = session } else { search.unused.append(session) }
            }
        }
    }
}

extension Session {
    /// The current use of a task's session, which determines whether it can be given to another task.
    enum Use {
        case nothing
        /// Unsaved edits of released objects. They belong to the task, and are lost if the task has ended.
        case edits
        /// Objects that may be held only by the session.
        case heldObjects
        case objects
    }

    /// The current use; nil while a thread is inside. The caller must have the only reference.
    fileprivate var use: Use? {
        // Entering the gate also makes other threads' changes visible here.
        gate.whileAlone {
            let count = classes.liveCount
            if count == 0 { return memory.pendingEdits.isEmpty && memory.added.isEmpty ? Use.nothing : .edits }
            return count <= memory.heldTargets.count ? .heldObjects : .objects
        }
    }
}
