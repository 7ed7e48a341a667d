internal import StoreEngine

/// What a connection and its statements share: the way to the server, and the transaction.
final class PostgresSession {
    private(set) var pipe: PostgresPipe
    /// How often it has connected anew: what was prepared before is gone.
    private(set) var connectionCount = 0
    /// Connects anew.
    var reopen: (() throws(StoreError) -> PostgresPipe)?
    private var nextName = 1
    /// How many statements were run.
    private(set) var runCount = 0
    /// How many statements have rows that were not read yet.
    var busyCount = 0
    /// How many rows the last statement has changed, and all of them.
    private(set) var changedRowCount = 0
    private(set) var totalChangedRowCount: Int64 = 0
    var tracer: ((String) -> Void)?
    /// Whether a transaction is open.
    var isInTransaction = false
    /// Whether a transaction that may write is open, whose statements are each undone alone where they fail.
    var isWriting = false
    /// Why the open transaction is lost.
    var end: StoreError?
    /// Whether a statement that fails leaves everything as it was before it.
    var goesOnAfterErrors: Bool { isWriting || !isInTransaction }
    var interruption = PostgresInterruption()

    init(_ pipe: PostgresPipe) { self.pipe = pipe }

    var lost: StoreError { StoreError(.connectionLost, "the connection to the server was lost; try again") }

    // MARK: Prepared statements

    func prepare(_ text: PostgresText, _ types: [PostgresType]) throws(StoreError) -> PostgresPrepared {
        let name = "po\(nextName)"
        nextName += 1
        // libpq takes no description of more than some 7,000 arguments, so they are what is bound.
        guard types.count <= 5000 else {
            guard !types.contains(.inferred) else { throw .tooManyArguments }
            _ = try guarded(
                [.prepare(name: name, sql: text.sql, types: types)], text.source, isGuarded: pipe.isInTransaction)
            return PostgresPrepared(name: name, types: types, columns: [], connection: connectionCount)
        }
        let results = try guarded(
            [.prepare(name: name, sql: text.sql, types: types), .describe(name: name)], text.source,
            isGuarded: pipe.isInTransaction)
        guard results.count == 2 else { throw lost }
        let columns = (0..<results[1].columnCount).map { results[1].name($0) }
        return PostgresPrepared(
            name: name, types: results[1].argumentTypes, columns: columns, connection: connectionCount)
    }

    /// Nobody will run it any more.
    func forget(_ plan: PostgresPrepared) {
        guard plan.connection == connectionCount else { return }
        pipe.putOff(.text("DEALLOCATE \(plan.name)"))
    }

    /// Connects anew where the server was restarted, or the way to it was cut: between transactions nothing is lost.
    func reconnect() throws(StoreError) {
        guard !pipe.isOpen, !isInTransaction, let reopen else { return }
        pipe = try reopen()
        connectionCount += 1
    }

    // MARK: Running

    func run(
        _ plan: PostgresPrepared, _ message: PostgresMessage, isReadOnly: Bool, _ sql: String
    ) throws(StoreError) -> PostgresResult {
        tracer?(sql)
        runCount += 1
        let results = try guarded([.run(name: plan.name, message)], sql, isGuarded: isWriting)
        guard let result = results.first else { throw lost }
        if !isReadOnly {
            changedRowCount = result.tag.hasPrefix("SELECT") ? 0 : result.affectedRowCount
            totalChangedRowCount += Int64(changedRowCount)
        }
        return result
    }

    /// Runs commands; where one fails the open transaction is as it was before them.
    ///
    /// PostgreSQL gives up a transaction at the first error. The layers above go on after some, as on SQLite, so each
    /// statement has a mark before it, in the same round trip.
    private func guarded(
        _ commands: [PostgresPipe.Command], _ sql: String, isGuarded: Bool
    ) throws(StoreError) -> [PostgresResult] {
        if let end { throw end }
        try reconnect()
        var all = commands
        if isGuarded { all = [.text("SAVEPOINT po_statement")] + all + [.text("RELEASE po_statement")] }
        let results: [PostgresResult]
        do throws(StoreError) {
            results = try interruption.watching { () throws(StoreError) in try pipe.roundTrip(all) }
        } catch {
            if isInTransaction { end = error }
            throw error
        }
        guard let failure = results.first(where: { $0.failure != nil && !$0.isSkipped })?.failure else {
            return isGuarded ? Array(results.dropFirst().dropLast()) : results
        }
        let error = interruption.told(StoreError.postgres(failure, sql: sql))
        if isGuarded {
            let undone = try pipe.roundTrip([.text("ROLLBACK TO po_statement"), .text("RELEASE po_statement")])
            if undone.contains(where: { $0.failure != nil }) { end = error }
        }
        throw error
    }

    /// Runs statements without arguments, unguarded.
    @discardableResult
    func runTexts(_ texts: [String], sendsPutOff: Bool = true) throws(StoreError) -> [PostgresResult] {
        try reconnect()
        let results: [PostgresResult]
        do throws(StoreError) { results = try pipe.roundTrip(texts.map { .text($0) }, sendsPutOff: sendsPutOff) } catch
        {
            if isInTransaction { end = error }
            throw error
        }
        if let place = results.firstIndex(where: { $0.failure != nil && !$0.isSkipped }),
            let failure = results[place].failure
        {
            throw interruption.told(StoreError.postgres(failure, sql: texts[place]))
        }
        return results
    }
}
