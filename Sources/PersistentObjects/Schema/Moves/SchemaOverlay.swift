internal import StoreEngine

/// The tables as a plan's moves leave them. Other plans compare with these tables as if they were in the file, because
/// moves run first.
final class SchemaOverlay {
    /// The tables by folded name; nil for dropped tables.
    private(set) var tables: [String: TableDescription?] = [:]
    /// The tables that columns refer to, by table and column; all names are folded.
    private(set) var foreignKeys: [String: [String: String]] = [:]
    private var made: Set<String> = []
    private var grown: Set<String> = []

    /// Whether the overlay describes a table.
    func mentions(_ table: String) -> Bool { tables[Naming.folded(table)] != nil }

    /// Whether a move creates the table.
    func isNew(_ table: String) -> Bool { made.contains(Naming.folded(table)) }

    /// Whether a move adds rows to the table.
    func gainsRows(_ table: String) -> Bool { grown.contains(Naming.folded(table)) }

    func set(_ table: TableDescription, _ keys: [String: String], isNew: Bool = false, gainsRows: Bool = false) {
        let key = Naming.folded(table.name)
        tables[key] = table
        foreignKeys[key] = keys
        if isNew { made.insert(key) }
        if gainsRows { grown.insert(key) }
    }

    func remove(_ table: String) {
        let key = Naming.folded(table)
        tables.updateValue(nil, forKey: key)
        foreignKeys[key] = [:]
    }

    /// The columns that refer to a table.
    func references(to target: String) -> [ReferenceDescription] {
        let target = Naming.folded(target)
        return tables.compactMap(\.value).sortedUnspecialized { $0.name < $1.name }.flatMap { table in
            let keys = foreignKeys[Naming.folded(table.name)] ?? [:]
            let deletion = FoundCollection(table) == nil ? "SET NULL" : "CASCADE"
            return table.columns.filter { keys[Naming.folded($0.name)] == target }.map {
                ReferenceDescription(table: table.name, column: $0.name, deletion: deletion, isToID: true)
            }
        }
    }
}
