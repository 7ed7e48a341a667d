internal import StoreEngine

/// Sets the author of the history entries that a transaction writes.
///
/// Triggers write the entries with the author that the session had when the transaction began. If the author changes,
/// all entries after `before` are signed again before the commit. Otherwise only the unsigned entries among them are.
///
/// Invariant: `before` is the last entry that existed when the current transaction began, or the last one in memory on
/// an engine with statement triggers; nil if the transaction writes no entries, or if there is no transaction.
final class HistorySigning {
    private let connection: any Connection
    private let stored: StoredClasses
    private let classes: UsedClasses
    private let memory: Memory
    private var before: Int64?

    init(_ gate: Gate, _ classes: UsedClasses, _ memory: Memory) {
        connection = gate.connection
        stored = gate.store.classes
        self.classes = classes
        self.memory = memory
    }

    /// Whether the entries of the current transaction will be signed.
    var isPrepared: Bool { before != nil }

    /// Finds the last entry before the transaction writes. Called when a transaction began or its tables changed.
    func begin(_ session: Session) throws {
        skip()
        guard try writesEntries(session) else { return }
        guard triggers == nil else { return before = lastEntryInMemory }
        let last = try lastEntry()
        before = last
        connection.signEntries(transaction: last + 1)
    }

    /// Leaves the entries of the current transaction as they are written.
    func skip() {
        before = nil
        connection.signEntries(transaction: nil)
    }

    private var triggers: HistoryDialect.StatementTriggers? { connection.dialect.history.statementTriggers }

    private var lastEntryInMemory: Int64 {
        let identities = classes.usedHierarchy(of: HistoryEntry.self)?.allIdentities ?? []
        return identities.flatMap { $0.liveObjects().map(\.rowID) }.max() ?? 0
    }

    /// The greatest id of an entry; 0 if there are no entries.
    func lastEntry() throws -> Int64 {
        let statement = try connection.statement(HistoryStatements.lastEntry)
        defer { statement.finish() }
        return try statement.step() ? statement.integer(0) : 0
    }

    /// Records the author of the entries that the transaction has written, before the commit.
    func sign(_ author: String?) throws {
        guard let last = before else { return }
        skip()
        let name: DatabaseValue = author.map { .text($0) } ?? .null
        if let triggers {
            if author != connection.author { try connection.statement(triggers.signature).execute([name]) }
        } else {
            let isOther = author != connection.author
            let signature = isOther ? HistoryStatements.signature : HistoryStatements.remainingSignature
            try connection.statement(signature).execute([.integer(last), name])
            try join(after: last)
        }
        for identity in classes.usedHierarchy(of: HistoryEntry.self)?.allIdentities ?? [] {
            for entry in identity.liveObjects() where entry.rowID > last { reread(entry, identity.classMap) }
        }
        for identity in classes.usedHierarchy(of: HistoryElement.self)?.allIdentities ?? [] {
            for element in identity.liveObjects() { reread(element, identity.classMap) }
        }
    }

    /// Marks an object as stale, because an entry that was read before may have another author now, and its elements may
    /// have moved to another entry.
    private func reread(_ object: PersistentObject, _ map: ClassMap) {
        memory.markStale(object)
        let start = ObjectMemory.start(of: object)
        for property in map.properties {
            guard case .inverse = property.shape, let box = property.box(in: start), box.state != .unloaded else {
                continue
            }
            (box.state, box.isStale) = (.released, true)
        }
    }

    /// Combines the entries that the statements of a save wrote for the collections of one object.
    private func join(after last: Int64) throws {
        guard
            case .integer(1)? = try connection.statement(HistoryStatements.hasElements).rows([.integer(last)]).first?[0]
        else { return }
        for sql in HistoryStatements.joining { try connection.statement(sql).execute([.integer(last)]) }
    }

    /// Whether triggers may write entries. If no class of the store is known to keep a history, there is no check,
    /// unless the session has an author.
    private func writesEntries(_ session: Session) throws -> Bool {
        if stored.mayHaveEntries {
            return stored.isPrepared(try ClassMap.map(of: HistoryEntry.self), for: session)
        }
        guard session.author ?? connection.author != nil, connection.capabilities.contains(.history) else {
            return false
        }
        return try connection.schema.table(HistoryNames.elements) != nil
    }
}
