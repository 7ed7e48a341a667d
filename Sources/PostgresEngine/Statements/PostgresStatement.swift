internal import StoreEngine

/// A statement that is prepared on the server when it first runs, once for each combination of declared argument types.
final class PostgresStatement: ForeignStatement {
    private let primary: PostgresSession
    private let replica: PostgresReplica?
    /// Whether it may run on the replica outside transactions.
    private let isRouted: Bool
    /// The session on which it runs, with the plans of this session.
    private var session: PostgresSession
    private var plans = PostgresPlans()
    /// The session on which it ran before, if it is another one.
    private var other: (session: PostgresSession, plans: PostgresPlans)?
    let text: PostgresText
    private var arguments: PostgresArguments
    private let functions: [String: EngineFunction.OfValues]
    /// Whether functions have replaced the bound arguments.
    private var hasCalled = false
    /// The number of rows when it was last read to the end.
    private var lastRowCount: Int?
    /// The number of rows from which they are streamed.
    private static let leastStreamed = 2000
    private var rows: PostgresRows?
    /// Whether it has unread rows.
    private var isBusy = false {
        didSet { session.busyCount += (isBusy ? 1 : 0) - (oldValue ? 1 : 0) }
    }

    /// - Parameters:
    ///   - session: The session on the server that can be written.
    ///   - replica: The server's replica.
    ///   - isRouted: Whether the statement may run on the replica outside transactions.
    ///   - functions: The functions that replace arguments, by name.
    init(
        _ text: PostgresText, _ session: PostgresSession, _ replica: PostgresReplica? = nil, isRouted: Bool = false,
        functions: [String: EngineFunction.OfValues] = [:]
    ) {
        self.functions = functions
        self.text = text
        (primary, self.session) = (session, session)
        self.replica = replica
        self.isRouted = isRouted && text.isReadOnly && !text.usesSession
        arguments = PostgresArguments(count: text.argumentCount, hasAnyValues: text.usesHistory)
    }

    deinit {
        // `didSet` does not run in `deinit`.
        if isBusy { session.busyCount -= 1 }
        rows?.abandon()
        for plan in plans.all { session.forget(plan) }
        if let other { for plan in other.plans.all { other.session.forget(plan) } }
    }

    var isReadOnly: Bool { text.isReadOnly }
    var placeholderCount: Int { text.argumentCount }

    var columnCount: Int32 { Int32((rows?.columns ?? description?.layout.columns)?.count ?? 0) }

    func columnName(_ index: Int32) -> String {
        guard let columns = rows?.columns ?? description?.layout.columns, columns.indices.contains(Int(index)) else {
            return ""
        }
        return columns[Int(index)].name
    }

    /// The server's description of it before it has run.
    private var description: PostgresPrepared? {
        select(replica?.reading ?? primary)
        return try? plan([:])
    }

    /// Checks that the server accepts it.
    func check() throws(StoreError) {
        select(replica?.reading ?? primary)
        do throws(StoreError) { _ = try plan([:]) } catch {
            // The content of a list is known only when it is bound.
            guard error.isOfUnclearType, !text.lists.isEmpty else { throw error }
        }
    }

    func beginBinding() {
        arguments.reset()
        hasCalled = false
    }

    func bind(_ cell: Cell, at index: Int32) throws(ValueFault) {
        // Lists in conditions have SQLite's text form.
        guard cell.storageClass == .text, let encoding = text.lists[Int(index) - 1],
            let values = ListArgument.values(of: try cell.text(), isTagged: encoding == .tagged)
        else { return try arguments.bind(cell, at: index, isSent: isSent(index)) }
        try arguments.bind(list: values, at: index, isSent: isSent(index))
    }

    /// Whether the server receives the bound value, and not the result of a function for it.
    private func isSent(_ index: Int32) -> Bool { text.calls.isEmpty || text.calls[Int(index) - 1] == nil }

    func bind(list values: [DatabaseValue], at index: Int32) throws(ValueFault) {
        try arguments.bind(list: values, at: index, isSent: isSent(index))
    }

    func step() throws(StoreError) -> Bool {
        let rows = if let known = self.rows { known } else { try run() }
        let isOnRow: Bool
        do throws(StoreError) { isOnRow = try rows.next() } catch {
            // Another attempt reads from the server that can be written.
            if session.isReplica { session.progress?.becomeUnknown() }
            throw error
        }
        if isBusy != isOnRow { isBusy = isOnRow }
        return isOnRow
    }

    func send() throws(StoreError) {
        guard session.delivery.isOn, !text.isReadOnly else {
            _ = try step()
            return
        }
        let (plan, message) = try fitting()
        try session.send(plan, message, text.source)
    }

    var row: CellBuffer { rows?.row ?? .none }

    func reset() {
        if isBusy { isBusy = false }
        rows?.abandon()
        rows = nil
    }

    private func run() throws(StoreError) -> PostgresRows {
        let rows = if let found = try runOnReplica() { found } else { try run(on: primary) }
        self.rows = rows
        return rows
    }

    /// Runs it on the replica; nil if it must run on the server that can be written.
    private func runOnReplica() throws(StoreError) -> PostgresRows? {
        guard let replica, let session = replica.session(isRouted: isRouted) else { return nil }
        do throws(StoreError) { return try run(on: session) } catch {
            guard try replica.yields(after: error) else { throw error }
            return nil
        }
    }

    private func select(_ wanted: PostgresSession) {
        guard wanted !== session else { return }
        let former = (session, plans)
        plans = other.flatMap { $0.session === wanted ? $0.plans : nil } ?? PostgresPlans()
        (session, other) = (wanted, former)
    }

    private func run(on session: PostgresSession) throws(StoreError) -> PostgresRows {
        select(session)
        try session.reconnect()
        do throws(StoreError) { return try runOnce() } catch  where error.isOfWaitingReferences && session.isWriting {
            // Reference checks that are deferred to the end of the transaction block a change of their table.
            guard session.goesOnAfterErrors, (try? session.checkReferences()) != nil else { throw error }
            return try runOnce()
        } catch {
            // The tables have changed since the statement was prepared, or the plan no longer exists, so it is prepared
            // once more.
            guard error.isOfStalePlan, session.goesOnAfterErrors else { throw error }
            plans = PostgresPlans()
            return try runOnce()
        }
    }

    private func runOnce() throws(StoreError) -> PostgresRows {
        var (plan, message) = try fitting()
        message.asksForText = plan.layout.isText
        if session.canStream, !plan.layout.isText,
            (lastRowCount ?? plan.estimatedRowCount) >= PostgresStatement.leastStreamed,
            text.isQuery, let literals = arguments.literals(plan.types)
        {
            let stream = try session.stream(text.writtenOut(literals), text.source)
            stream.onRead = { [weak self] in self?.lastRowCount = $0 }
            return PostgresRows(stream, plan.layout)
        }
        let result = try session.run(plan, message, isReadOnly: text.isReadOnly, text.source)
        lastRowCount = result.rowCount
        return PostgresRows(
            result, plan.isDescribed ? plan.layout : PostgresLayout(result.columns, hasAnyValues: text.usesHistory))
    }

    // MARK: Types of arguments

    /// Returns the plan for the bound values, and the values in its form.
    ///
    /// The server infers the type of each argument from its position. A value that does not fit (2.5 next to an
    /// integer) declares its own type.
    private func fitting() throws(StoreError) -> (PostgresPrepared, PostgresMessage) {
        if !text.calls.isEmpty, !hasCalled {
            try arguments.replace(by: text.calls, functions)
            hasCalled = true
        }
        if let last = plans.last, last.connection == session.connectionCount,
            case .success(let message) = arguments.encoded(last.types, isReading: text.isReadOnly)
        {
            return (last, message)
        }
        var laidDown: [Int: PostgresType] = [:]
        var failure: StoreError?
        for _ in 0...arguments.values.count {
            let found: PostgresPrepared
            do throws(StoreError) { found = try plan(laidDown) } catch { throw failure ?? error }
            switch arguments.encoded(found.types, isReading: text.isReadOnly) {
            case .success(let message):
                plans.last = found
                return (found, message)
            case .failure(let mismatch):
                let type = arguments.values[mismatch.place].naturalType(of: .textArray)
                failure = StoreError(
                    .typeMismatch,
                    "Argument \(mismatch.place + 1) has a type that PostgreSQL does not accept in its place. Cast "
                        + "it there, for example ?::float8",
                    sql: text.source)
                // If the value may be stored, the server would round it, or interpret a string's digits as bytes.
                let isStorable = !text.isReadOnly && found.types[mismatch.place].isRounding(type)
                guard laidDown[mismatch.place] == nil, !isStorable else { throw failure ?? session.lost }
                laidDown[mismatch.place] = type
            }
        }
        throw failure ?? session.lost
    }

    /// Returns the statement prepared with some declared types.
    private func plan(_ laidDown: [Int: PostgresType]) throws(StoreError) -> PostgresPrepared {
        var types = [PostgresType](repeating: .inferred, count: text.sentCount)
        for (place, type) in laidDown { types[place] = type }
        if let known = plans.prepared[types], known.connection == session.connectionCount { return known }
        do throws(StoreError) { return try prepare(types, types) } catch {
            // If the server cannot infer a type, the bound value's type is used.
            guard error.isOfUnclearType, types.contains(.inferred) else { throw error }
            var failure: StoreError?
            var tried: Set = [types]
            for guess in arguments.guesses {
                let natural = zip(types, arguments.values).map { $0 == .inferred ? guess($1) : $0 }
                guard tried.insert(natural).inserted else { continue }
                do throws(StoreError) { return try prepare(natural, types) } catch {
                    guard error.isOfUnclearType else { throw error }
                    failure = error
                }
            }
            throw failure ?? error
        }
    }

    private func prepare(_ types: [PostgresType], _ key: [PostgresType]) throws(StoreError) -> PostgresPrepared {
        let plan = try session.prepare(text, types)
        plans.prepared[key] = plan
        return plan
    }
}

/// The plans of a statement on one connection.
private struct PostgresPlans {
    /// The plans by declared types.
    var prepared: [[PostgresType]: PostgresPrepared] = [:]
    /// The last used plan.
    var last: PostgresPrepared?

    var all: some Collection<PostgresPrepared> { prepared.values }
}

/// A statement prepared on the server.
struct PostgresPrepared {
    let name: String
    /// The types of its arguments.
    let types: [PostgresType]
    /// The layout of its columns.
    let layout: PostgresLayout
    /// Whether the server has described it.
    let isDescribed: Bool
    /// The server's row estimate; 0 if it was not queried.
    let estimatedRowCount: Int
    /// The number of the connection on which it was prepared. Later connections do not have it.
    let connection: Int
}
