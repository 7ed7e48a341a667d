/// A statement that reports each run, from its first step to its last row or its reset.
final class WatchedStatement: OuterStatement {
    private let inner: Statement
    private let watch: WatchSlot
    /// Whether the inner statement is cached by its connection, and must be finished.
    private let isLent: Bool
    let cellRow = CellRow()
    /// The current run; nil between two runs.
    private var run: StatementReport?
    private var clock = StatementClock()
    private var changesBefore: Int64 = 0
    private var arguments: [DatabaseValue] = []
    /// Whether the arguments can be values that are stored encrypted.
    private lazy var isSecret = SealNames.areUsed(in: inner.sql)
    /// Statistics that were counted and not collected yet.
    private var scans = StatementScans()

    init(_ inner: Statement, _ watch: WatchSlot, isLent: Bool = false) {
        self.inner = inner
        self.watch = watch
        self.isLent = isLent
    }

    deinit {
        if isLent { inner.finish() }
    }

    var isReadOnly: Bool { inner.isReadOnly }
    var placeholderCount: Int { inner.placeholderCount }
    var columnCount: Int32 { inner.columnCount }
    func columnName(_ index: Int32) -> String { inner.columnName(index) }

    func beginBinding() {
        inner.beginBinding()
        arguments = []
    }

    func bind(_ cell: Cell, at index: Int32) throws(ValueFault) {
        let value = try cell.value()
        record(value, at: index)
        try inner.bind(value, at: index)
    }

    func bind(list values: [DatabaseValue], at index: Int32) throws(ValueFault) {
        if watch.watcher?.wantsArguments == true { record(.text(ListArgument.json(of: values).text), at: index) }
        let numbers = values.compactMap { if case .integer(let number) = $0 { number } else { nil } }
        // A list of integers has the plain encoding.
        guard numbers.count == values.count else { return try inner.bind(list: values, at: index) }
        try inner.bind(list: numbers, at: index)
    }

    private func record(_ value: DatabaseValue, at index: Int32) {
        guard watch.watcher?.wantsArguments == true, index > 0 else { return }
        while arguments.count < index { arguments.append(.null) }
        arguments[Int(index) - 1] = isSecret ? .text("•••") : value
    }

    func step() throws(StoreError) -> Bool {
        cellRow.leave()
        if run == nil { begin() }
        let isOnRow: Bool
        do throws(StoreError) {
            isOnRow = try clock.measure { () throws(StoreError) in try inner.step() }
        } catch {
            run?.error = error
            end()
            throw error
        }
        guard isOnRow else {
            end()
            return false
        }
        run?.rows += 1
        cellRow.take(inner)
        return true
    }

    func reset() {
        cellRow.leave()
        inner.reset()
        end()
    }

    func takeScans() -> StatementScans {
        defer { scans = StatementScans() }
        return scans
    }

    private func begin() {
        run = StatementReport(kind: .statement, sql: inner.sql, arguments: arguments)
        clock = StatementClock()
        changesBefore = watch.changeCount
        watch.watcher?.willRun()
    }

    /// Reports once, however the run has ended.
    private func end() {
        guard var report = run else { return }
        run = nil
        report.duration = clock.elapsed
        report.changedRows = Int(clamping: watch.changeCount - changesBefore)
        let made = inner.takeScans()
        scans.rows += made.rows
        scans.sorts += made.sorts
        scans.indexedRows += made.indexedRows
        report.scans = made
        watch.watcher?.didRun(report)
    }
}

/// The state shared by a connection and its statements, which may outlive it.
final class WatchSlot {
    var watcher: (any StatementWatcher)?
    private weak var connection: (any Connection)?

    init(_ connection: any Connection) { self.connection = connection }

    /// The number of rows that all statements have changed.
    var changeCount: Int64 { connection?.totalChangedRowCount ?? 0 }
}
