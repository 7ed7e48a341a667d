@_spi(Locks) internal import StoreEngine
internal import Synchronization

/// The classes that a store has tables for, recorded so that each class is checked once.
final class StoredClasses: Sendable {
    private struct State {
        var prepared: Set<ObjectIdentifier> = []
        /// The prepared classes in preparation order.
        var maps: [ClassMap] = []
        /// The deletion rules of `maps`; nil after a class was added or removed.
        var rules: DeletionRules?
        var owners = TableOwners()
        /// Folded names of tables that store the classes of their rows.
        var tablesWithClassColumn: Set<String> = []
        /// The sessions that created the tables of classes in a transaction that is not committed. Other sessions do
        /// not see these tables.
        var pending: [ObjectIdentifier: ObjectIdentifier] = [:]
        /// The statements of classes, by the class and the classes that share its table.
        var statements: [[ObjectIdentifier]: SharedClassSQL] = [:]
    }

    private let state = Locked(State())
    private let preparations = Atomic<Int>(0)
    private let hasEntries = Atomic<Bool>(false)

    /// Whether any class that keeps a history was ever prepared.
    var mayHaveEntries: Bool { hasEntries.load(ordering: .relaxed) }

    /// The number of preparations, by which sessions notice new subclasses.
    var version: Int { preparations.load(ordering: .acquiring) }

    /// Whether the class's table was checked, and exists for a session.
    func isPrepared(_ map: ClassMap, for session: AnyObject) -> Bool {
        state.withLock { state in
            let key = ObjectIdentifier(map)
            guard state.prepared.contains(key) else { return false }
            return state.pending[key].map { $0 == ObjectIdentifier(session) } ?? true
        }
    }

    /// Called after a session committed the tables of some classes.
    func didCommit(_ maps: [ClassMap], _ session: AnyObject) {
        guard !maps.isEmpty else { return }
        state.withLock { state in
            for map in maps where state.pending[ObjectIdentifier(map)] == ObjectIdentifier(session) {
                state.pending[ObjectIdentifier(map)] = nil
            }
        }
    }

    /// Called after a session rolled back the creation of some classes' tables, which must be checked again.
    func forget(_ maps: [ClassMap], _ session: AnyObject) {
        state.withLock { state in
            for map in maps where state.pending[ObjectIdentifier(map)] == ObjectIdentifier(session) {
                state.pending[ObjectIdentifier(map)] = nil
                state.prepared.remove(ObjectIdentifier(map))
                // Deletions must not access the class's table, which may not exist.
                state.maps.removeAll { $0 === map }
                state.rules = nil
            }
        }
    }

    /// Throws if two classes need the same table, or if an inverse has no other side or an invalid condition.
    func check(_ maps: [ClassMap], _ dialect: Dialect) throws {
        var owners = state.withLock { $0.owners }
        for map in maps {
            try owners.add(map)
            // Without this check, every deletion in the store would throw, because its rules query all inverses.
            for ordinal in map.links.inverses { _ = try InverseSide.of(map.properties[ordinal], in: map) }
            for ordinal in map.links.filteredInverses {
                _ = try InverseReach(map.properties[ordinal], of: map, dialect)
            }
        }
    }

    /// Records that the tables of classes exist.
    ///
    /// - Parameter session: The session whose transaction must be committed first, if there is one.
    func didPrepare(_ maps: [ClassMap], tablesWithClassColumn tables: Set<String>, in session: AnyObject?) throws {
        try state.withLock { state in
            // Another thread may have prepared other classes after the check.
            state.owners.apply(try state.owners.additions(of: maps))
            for map in maps where state.prepared.insert(ObjectIdentifier(map)).inserted {
                if !state.maps.contains(where: { $0 === map }) { state.maps.append(map) }
            }
            if let session { for map in maps { state.pending[ObjectIdentifier(map)] = ObjectIdentifier(session) } }
            state.rules = nil
            // Tables are only added, because this check may be from before another class added the column.
            state.tablesWithClassColumn.formUnion(tables.map(Naming.folded))
        }
        if maps.contains(where: { $0.type == HistoryEntry.self }) { hasEntries.store(true, ordering: .relaxed) }
        preparations.add(1, ordering: .releasing)
    }

    /// Whether the class's table stores the classes of its rows.
    func hasClassColumn(_ map: ClassMap) -> Bool {
        state.withLock { $0.tablesWithClassColumn.contains(Naming.folded(map.table)) }
    }

    /// The prepared classes that share the class's table.
    func relatives(of map: ClassMap) -> [ClassMap] { state.withLock { $0.owners.classes(sharing: map.table) } }

    /// The class and, for a collection, the property that a table belongs to.
    func owner(of table: String) -> (map: ClassMap, property: Property?)? {
        state.withLock { $0.owners.owner(of: table) }
    }

    /// The class whose strings a search index contains.
    func searched(in table: String) -> ClassMap? { state.withLock { $0.owners.searched(in: table) } }

    /// The prepared classes with rows in a table; empty if it belongs to no class.
    func classes(sharing table: String) -> [ClassMap] { state.withLock { $0.owners.classes(sharing: table) } }

    /// The classes that have tables.
    var preparedMaps: [ClassMap] { state.withLock { $0.maps } }

    /// The consequences of deletions, by the rules of all prepared classes.
    func deletionRules(_ dialect: Dialect) throws -> DeletionRules {
        let (known, maps) = state.withLock { ($0.rules, $0.maps) }
        if let known { return known }
        let made = try DeletionRules(maps, dialect)
        state.withLock { if $0.maps.count == maps.count { $0.rules = made } }
        return made
    }

    /// The statements of a class, given the classes of its table that a session knows; created once.
    func sql(of map: ClassMap, family: [ClassMap], _ dialect: Dialect) throws -> SharedClassSQL {
        let key = [ObjectIdentifier(map)] + family.map { ObjectIdentifier($0) }
        if let known = state.withLock({ $0.statements[key] }) { return known }
        let made = SharedClassSQL(try ClassSQL(map, family, dialect))
        return state.withLock { state in
            // Another session may have stored the statements in the meantime.
            if let known = state.statements[key] { return known }
            state.statements[key] = made
            return made
        }
    }
}
