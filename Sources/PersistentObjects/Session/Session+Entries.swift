internal import StoreEngine

// Who has made the entries of the history that a transaction has written. Triggers write them, which do not know it.
extension Session {
    /// Notes which entries there are before the transaction writes any.
    func noteEntries() throws {
        entryBefore = nil
        guard try writesEntries() else { return }
        entryBefore = try lastEntry()
    }

    /// The greatest id of an entry; 0 where there is none.
    func lastEntry() throws -> Int64 {
        let statement = try connection.statement(HistoryStatements.lastEntry)
        defer { statement.finish() }
        return try statement.step() ? statement.integer(0) : 0
    }

    /// Says of the entries that the transaction has written who has made them, before the commit.
    func signEntries() throws {
        guard let last = entryBefore else { return }
        entryBefore = nil
        let statement = try connection.statement(HistoryStatements.signature)
        defer { statement.finish() }
        statement.beginBinding()
        do throws(ValueFault) {
            try statement.bind(last, at: 1)
            try statement.bind(author.map { .text($0) } ?? .null, at: 2)
        } catch { throw StoreError.value(error) }
        try statement.run()
        try joinEntries(behind: last)
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
    private func joinEntries(behind last: Int64) throws {
        guard
            case .integer(1)? = try connection.statement(HistoryStatements.hasElements).rows([.integer(last)]).first?[0]
        else { return }
        for sql in HistoryStatements.joining { try connection.statement(sql).execute([.integer(last)]) }
    }

    /// Whether triggers may write entries. Where no class of the store keeps a history, as far as it is known, nobody
    /// looks, unless the session has an author.
    private func writesEntries() throws -> Bool {
        if store.classes.mayHaveEntries {
            return store.classes.isPrepared(try ClassMap.map(of: HistoryEntry.self), for: self)
        }
        guard author != nil, connection.capabilities.contains(.history) else { return false }
        return try connection.schema.table(HistoryNames.elements) != nil
    }
}
