@_spi(Locks) internal import StoreEngine
internal import Synchronization

/// The unsaved edits of a session's deallocated objects, by class and row.
///
/// Objects may be deallocated on any thread, so all work is done under a lock. It is taken inside the lock of a
/// `RowTable`, never the other way round, and no edit is released under it.
final class PendingEdits: Sendable {
    /// The edits by class map and row id.
    typealias Rows = [ObjectIdentifier: [Int64: PendingEdit]]

    private struct State {
        var rows: Rows = [:]
        var isOpen = true
    }

    private let state = Locked(State())
    private let count = Atomic<Int>(0)

    /// Whether there are no edits; checked at each fetch.
    @inline(__always)
    var isEmpty: Bool { count.load(ordering: .relaxed) == 0 }

    var all: Rows { state.withLock(\.rows) }

    /// The ids of a hierarchy's rows that have pending edits.
    func ids(of root: PersistentObject.Type) -> Set<Int64> {
        guard !isEmpty else { return [] }
        return Set(all.values.flatMap(\.values).filter { $0.map.root == root }.map(\.rowID))
    }

    /// Adds edits; false if the session has ended, because they would never be used.
    func file(_ edit: PendingEdit) -> Bool {
        state.withLock { state in
            guard state.isOpen else { return false }
            let map = ObjectIdentifier(edit.map)
            edit.follow(state.rows[map]?[edit.rowID])
            if edit.earlier == nil { count.add(1, ordering: .relaxed) }
            state.rows[map, default: [:]][edit.rowID] = edit
            return true
        }
    }

    /// Removes and returns the edits of a row.
    func take(_ map: ClassMap, _ id: Int64) -> PendingEdit? {
        guard !isEmpty else { return nil }
        return state.withLock { state in
            guard let edit = state.rows[ObjectIdentifier(map)]?.removeValue(forKey: id) else { return nil }
            count.subtract(1, ordering: .relaxed)
            return edit
        }
    }

    /// Called after the program itself changed rows of a hierarchy, so that the edits apply on top of the new values.
    func rebase(_ ids: some Sequence<Int64>, of root: PersistentObject.Type) {
        guard !isEmpty else { return }
        let ids = Set(ids)
        state.withLock { state in
            for rows in state.rows.values {
                for (id, edit) in rows where edit.map.root == root && ids.contains(id) { edit.rebase() }
            }
        }
    }

    /// Removes and returns the edits of the given rows, or of all rows, of some classes.
    @discardableResult
    func drop(_ ids: [Int64]?, ofClassesWhere isWanted: (ClassMap) -> Bool) -> [PendingEdit] {
        guard !isEmpty else { return [] }
        let ids = ids.map { Set($0) }
        let wanted = all.values.flatMap(\.values).filter { isWanted($0.map) && ids?.contains($0.rowID) ?? true }
        return wanted.compactMap { take($0.map, $0.rowID) }
    }

    /// Restores an earlier state, except for rows with a live object, which has the edits.
    func restore(_ rows: Rows, isInMemory: (ClassMap, Int64) -> Bool) {
        if isEmpty, rows.isEmpty { return }
        let kept = rows.mapValues { $0.filter { !isInMemory($1.map, $0) } }
        let count = kept.values.reduce(0) { $0 + $1.count }
        let former = state.withLock { state in
            self.count.store(count, ordering: .relaxed)
            return exchange(&state.rows, with: kept)
        }
        withExtendedLifetime(former) {}
    }

    /// Removes and returns all edits, and accepts no further edits.
    func close() -> [PendingEdit] {
        let rows = state.withLock { state in
            state.isOpen = false
            count.store(0, ordering: .relaxed)
            return exchange(&state.rows, with: [:])
        }
        return rows.values.flatMap(\.values).sortedUnspecialized { ($0.map.name, $0.rowID) < ($1.map.name, $1.rowID) }
    }
}

extension LostEdits {
    init(_ edit: PendingEdit) { self.init(className: edit.map.name, id: edit.rowID, changes: edit.changes) }
}
