internal import StoreEngine

/// The commits of a session that can be undone, and the undone commits that can be redone.
final class UndoHistory {
    /// The changes that one `undo()` undoes: a commit, or a group of commits.
    struct Level {
        let name: String?
        let commits: [any RecordedChanges]
        /// The numbers of the commits, by which `DepartedObjects` knows them.
        let numbers: ClosedRange<Int>
        /// The rows whose ids were reused later, so that they had another object. Known after the level was undone.
        var reusedRows: Set<RowKey> = []

        /// The name of a level for a menu; nil for a level without a name.
        struct Name: Equatable { let name: String? }

        var label: Name { Name(name: name) }

        var byteCount: Int { commits.reduce(0) { $0 + $1.byteCount } }
    }

    private struct Group {
        let name: String?
        var commits: [any RecordedChanges] = []
        var firstNumber = 0
        var byteCount = 0
        /// Whether it exceeds the limit, so that it is not kept.
        var isTooLarge = false
    }

    enum Direction { case backward, forward }

    private let recorder: any ChangeRecorder
    private var done: [Level] = [] { didSet { didChange() } }
    private var undone: [Level] = [] { didSet { didChange() } }
    private var byteCount = 0
    /// The open group; nil if there is no group.
    private var group: Group?
    private var groupDepth = 0
    private var isPaused = false
    let departed = DepartedObjects()
    /// Called when the levels change.
    private let didChange: () -> Void
    var limit: UndoLimit { didSet { trim() } }

    init(
        _ connection: any Connection, limit: UndoLimit, didChange: @escaping () -> Void
    ) throws(StoreError) {
        recorder = try connection.makeRecorder()
        self.limit = limit
        self.didChange = didChange
    }

    /// The level that the next undo or redo applies.
    func next(_ direction: Direction) -> Level? { direction == .backward ? done.last : undone.last }

    /// The changes of a level that an undo or a redo makes, in their order.
    func changes(of level: Level, _ direction: Direction) throws -> [any RowChanges] {
        let commits = try level.commits.map { try recorder.read($0) }
        return try direction == .forward ? commits : commits.reversed().map { try $0.inverted() }
    }

    var isInGroup: Bool { groupDepth > 0 }

    /// The number of levels, and their bytes: for tests.
    var counts: (done: Int, undone: Int, bytes: Int) { (done.count, undone.count, byteCount) }

    func clear() {
        done = []
        undone = []
        departed.clear()
        byteCount = 0
        group?.commits = []
        group?.byteCount = 0
    }
}

// Recording.
extension UndoHistory {
    /// Called before a transaction begins.
    func willBegin() { recorder.willBegin(isRecorded: !isPaused) }

    /// Called after a transaction began.
    func didBegin() throws(StoreError) {
        guard !isPaused else { return }
        try recorder.begin()
        departed.beginCommit()
    }

    /// Runs `commit`, which ends the transaction, and keeps the recorded changes.
    ///
    /// - Returns: The reason that the commit cannot be undone; nil if it can be undone, or is not recorded.
    /// - Throws: The errors of `commit`.
    func recording(_ commit: () throws -> Void) throws -> StoreError? {
        guard !isPaused else {
            try commit()
            return nil
        }
        defer { recorder.end() }
        let isReadByCommit = recorder.willCommit(upTo: limit.bytes)
        var changes: (any RecordedChanges)?
        do throws(StoreError) { if !isReadByCommit { changes = try recorder.changes() } } catch {
            try commit()
            clear()
            return error
        }
        try commit()
        do throws(StoreError) { if isReadByCommit { changes = try recorder.changes() } } catch {
            clear()
            return error
        }
        if let changes { add(changes) }
        return nil
    }

    private func add(_ changes: any RecordedChanges) {
        byteCount -= undone.reduce(0) { $0 + $1.byteCount }
        undone = []
        let number = departed.commit
        guard var open = group else {
            return push(Level(name: nil, commits: [changes], numbers: number...number))
        }
        if open.commits.isEmpty { open.firstNumber = number }
        open.byteCount += changes.byteCount
        if open.byteCount > limit.bytes { open.isTooLarge = true }
        if open.isTooLarge { open.commits = [] } else { open.commits.append(changes) }
        group = open
    }

    private func push(_ level: Level) {
        done.append(level)
        byteCount += level.byteCount
        trim()
    }

    /// Drops levels that exceed the limit: first the oldest levels, and last the undone levels, because they are the
    /// latest.
    private func trim() {
        var count = done.count + undone.count
        var dropped = 0
        while count > Swift.max(0, limit.levels) || byteCount > limit.bytes {
            if dropped < done.count {
                byteCount -= done[dropped].byteCount
                dropped += 1
            } else if let first = undone.first {
                byteCount -= first.byteCount
                undone.removeFirst()
            } else {
                break
            }
            count -= 1
        }
        done.removeFirst(dropped)
    }

    /// Runs `body` unrecorded.
    func pausing<R>(_ body: () throws -> R) rethrows -> R {
        let wasPaused = isPaused
        isPaused = true
        defer { isPaused = wasPaused }
        return try body()
    }

    /// Combines all commits of `body` into one level, even if it throws.
    func grouping<R>(_ name: String?, _ body: () throws -> R) rethrows -> R {
        if groupDepth == 0 { group = Group(name: name) }
        groupDepth += 1
        defer {
            groupDepth -= 1
            if groupDepth == 0, let ended = group {
                group = nil
                if ended.isTooLarge { clear() }
                if !ended.commits.isEmpty {
                    let numbers = ended.firstNumber...Swift.max(ended.firstNumber, departed.commit)
                    push(Level(name: ended.name, commits: ended.commits, numbers: numbers))
                }
            }
        }
        return try body()
    }

    /// Called after a level was undone or redone.
    ///
    /// - Parameter reused: The rows of the level whose ids were reused.
    func didMove(_ direction: Direction, reused: Set<RowKey>) {
        switch direction {
        case .backward:
            guard var level = done.popLast() else { return }
            level.reusedRows = reused
            undone.append(level)
        case .forward: if let level = undone.popLast() { done.append(level) }
        }
    }

    /// The first commit that can still be undone.
    var oldestNumber: Int { done.first?.numbers.lowerBound ?? departed.commit }
}
