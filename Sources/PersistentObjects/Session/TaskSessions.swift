internal import Foundation
internal import StoreEngine

/// The sessions of the tasks that use a store outside actors, one each.
///
/// There is no notification of a task's end, and none is needed: a session belongs to a task as long as it has objects,
/// or a call is in progress. A session with neither can be given to another task without any visible difference. The
/// runtime reuses the memory of tasks: an entry for a task at the same address, with another number, belongs to a task
/// that has ended.
final class TaskSessions: Sendable {
    fileprivate struct Entry {
        let task: UInt64
        var session: Session
    }

    fileprivate struct State {
        /// By the places of the tasks.
        var entries: [UInt: Entry] = [:]
        /// Of tasks that have ended, whose objects live on.
        var left: [Session] = []
        var shares: [ConnectionShare] = []
        /// How many more are being opened.
        var openingCount = 0
    }

    private let state = Locked(State())

    /// From how many sessions on one is taken over from a task that may use it again: more do not run at once.
    static let roomyCount = max(4, 2 * ProcessInfo.processInfo.activeProcessorCount)
    /// How many connections there are at most. Each has two files open, and memory for the pages that it has read.
    static let connectionLimit = max(16, 2 * ProcessInfo.processInfo.activeProcessorCount)

    /// The task's session.
    func session(of task: RunningTask, in store: Store) throws -> Session {
        // Only the task itself, which is here, adds a session for it.
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

    /// A new connection, or one that other sessions use as well.
    private func share(of store: Store) throws -> ConnectionShare {
        let (known, mayOpen) = state.withLock { state in
            state.shares.removeAll { $0.userCount == 0 }
            state.openingCount += 1
            let isRoom = state.shares.count + state.openingCount <= TaskSessions.connectionLimit
            return (state.shares.sorted { $0.userCount < $1.userCount }, isRoom)
        }
        defer { state.withLock { $0.openingCount -= 1 } }
        if !mayOpen, let share = known.first(where: { $0.join() }) { return share }
        do {
            let made = ConnectionShare(try store.takeWatchedConnection())
            state.withLock { $0.shares.append(made) }
            return made
        } catch {
            // Perhaps the process has no more files.
            guard (error as? StoreError)?.code == .cannotOpen, let share = known.first(where: { $0.join() }) else {
                throw error
            }
            return share
        }
    }

    /// Releases all sessions: the store is closed, and has ended them.
    func close() {
        // They do not end under the lock.
        _ = state.withLock { exchange(&$0, with: State()) }
    }

    /// How many sessions there are.
    var count: Int { state.withLock { $0.entries.count + $0.left.count } }
    /// How many connections they have.
    var connectionCount: Int { state.withLock { state in state.shares.count { $0.userCount > 0 } } }
}

extension TaskSessions.State {
    /// What a task that has no session finds.
    struct Search {
        /// A session for it, which it has now.
        var found: Session?
        /// Of tasks that have ended, or more than are worth keeping: they are to end.
        var unused: [Session] = []
        /// Only the sessions themselves may hold their last objects, to which only weak references lead: they must
        /// release them, and are found unused by the next search.
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
        // The one that it gets now counts too.
        if entries.count >= TaskSessions.roomyCount { takeOver(&search) }
        if let found = search.found { entries[task.address] = TaskSessions.Entry(task: task.id, session: found) }
        return search
    }

    /// Looks among the sessions of tasks that may still run.
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
    /// What keeps a task's session from being another's.
    enum Use {
        case nothing
        /// Unsaved edits of objects that were released: they belong to the task, and to nothing if the task has ended.
        case edits
        /// Objects that may be held by the session alone.
        case heldObjects
        case objects
    }

    /// Its current use; nil while a thread is inside. The caller has the only reference.
    fileprivate var use: Use? {
        // Being inside for a moment also makes other threads' changes visible here.
        gate.whileAlone {
            let count = classes.liveCount
            if count == 0 { return memory.pendingEdits.isEmpty && memory.added.isEmpty ? Use.nothing : .edits }
            return count <= memory.heldTargets.count ? .heldObjects : .objects
        }
    }
}
