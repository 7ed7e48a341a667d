/// Which classes a store has tables for, so that each is looked at once.
final class StoredClasses: Sendable {
    private struct State {
        var prepared: Set<ObjectIdentifier> = []
        /// By folded table name.
        var owners: [String: ClassMap] = [:]
    }

    private let state = Locked(State())

    /// Whether the class's table was not looked at yet; throws where another class has it.
    func needsPreparation(_ map: ClassMap) throws -> Bool {
        try state.withLock { state in
            if state.prepared.contains(ObjectIdentifier(map)) { return false }
            if let owner = state.owners[Naming.folded(map.table)], owner !== map {
                // Nested classes of one name are told apart by what they are nested in.
                let isSameName = owner.name == map.name
                let names = [owner, map].map { isSameName ? String(reflecting: $0.type) : $0.name }
                throw SchemaError.duplicateTable(table: map.table, classNames: names)
            }
            return true
        }
    }

    func didPrepare(_ map: ClassMap) {
        state.withLock { state in
            state.prepared.insert(ObjectIdentifier(map))
            state.owners[Naming.folded(map.table)] = map
        }
    }
}
