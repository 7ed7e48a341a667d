internal import StoreEngine

/// The author of the history entries that a transaction writes. Triggers write them, and do not know the author.
///
/// Invariant: `before` is the last entry that existed when the current transaction began; nil if it writes none, or if
/// there is no transaction. The entries after it are signed before the commit.
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

    /// Whether the entries of the transaction under way will be signed.
    var isPrepared: Bool { before != nil }

    /// A transaction has begun, or its tables have changed: looks which entries there are before it writes any.
    func begin(_ session: Session) throws {
        before = nil
        guard try writesEntries(session) else { return }
        before = try lastEntry()
    }

    /// The greatest id of an entry; 0 where there is none.
    func lastEntry() throws -> Int64 {
        let statement = try connection.statement(HistoryStatements.lastEntry)
        defer { statement.finish() }
        return try statement.step() ? statement.integer(0) : 0
    }

    /// Records the author of the entries that the transaction has written, before the commit.
    func sign(_ author: String?) throws {
        guard let last = before else { return }
        before = nil
        let statement = try connection.statement(HistoryStatements.signature)
        defer { statement.finish() }
        statement.beginBinding()
        do throws(ValueFault) {
            try statement.bind(last, at: 1)
            try statement.bind(author.map { .text($0) } ?? .null, at: 2)
        } catch { throw StoreError.value(error) }
        try statement.run()
        try join(behind: last)
        for identity in classes.usedHierarchy(of: HistoryEntry.self)?.allIdentities ?? [] {
            for entry in identity.liveObjects() where entry.rowID > last { reread(entry, identity.classMap) }
        }
        for identity in classes.usedHierarchy(of: HistoryElement.self)?.allIdentities ?? [] {
            for element in identity.liveObjects() { reread(element, identity.classMap) }
        }
    }

    /// Has an entry read again that was read before, since it has no author yet, and its elements, which may have gone to
    /// another one.
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

    /// Makes one entry of what the statements of a save have done to the collections of an object.
    private func join(behind last: Int64) throws {
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
        guard session.author != nil, connection.capabilities.contains(.history) else { return false }
        return try connection.schema.table(HistoryNames.elements) != nil
    }
}
