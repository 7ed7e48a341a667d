internal import StoreEngine

/// The triggers on a collection's table that record changes of its elements in the history of their owner.
///
/// Plain SQL, like the triggers on the owner's table. An entry belongs to the owner's row, so all elements that one
/// statement changes share an entry.
struct ElementTriggers {
    typealias Column = HistoryTriggers.Column

    let table: String
    let ownerTable: String
    /// The position in an array, or the key of a dictionary; nil for a set.
    let key: Column?
    let value: Column

    /// The column that distinguishes the rows of one owner.
    private var place: Column { key ?? value }

    /// Nil for a table that does not store a collection.
    ///
    /// - Parameter owner: The future name of the owner's table.
    init?(_ description: TableDescription, owner: String) {
        func column(_ name: String) -> Column? {
            description.columns.first { Naming.folded($0.name) == name }.map(Column.init)
        }
        guard column(ChildTable.ownerColumn) != nil, description.columns.count <= 3,
            description.columns.count(where: { $0.keyOrdinal > 0 }) == 2,
            let value = column("value_id") ?? column("value")
        else { return nil }
        table = description.name
        ownerTable = owner
        key = column(ChildTable.positionColumn) ?? column(ChildTable.keyColumn)
        self.value = value
    }

    /// The triggers of all collections owned by a class's table, including collections of unknown subclasses.
    static func all(of owner: String, _ schema: any SchemaReader) throws -> [ElementTriggers] {
        try all(of: owner, schema.tables(referringTo: owner, by: ChildTable.ownerColumn)) { try schema.table($0) }
    }

    /// The same for the tables that refer to the owner; tables that do not store a collection are skipped.
    static func all(
        of owner: String, _ tables: [String], _ description: (String) throws -> TableDescription?
    ) throws -> [ElementTriggers] {
        try tables.compactMap { try description($0).flatMap { ElementTriggers($0, owner: owner) } }
    }

    /// The statements that create the triggers.
    func definitions(_ dialect: Dialect) -> [SQL] {
        if let triggers = dialect.history.statementTriggers {
            return triggers.elements(
                HistoryCollectionText(
                    table: table, ownerTable: ownerTable, owner: ChildTable.ownerColumn, key: key?.text(at: nil),
                    value: value.text(at: nil)))
        }
        let added = entry(of: "NEW", dialect) + element(.added, "NEW", old: nil, new: "NEW")
        let removed = entry(of: "OLD", dialect) + element(.removed, "OLD", old: "OLD", new: nil)
        let changed = entry(of: "NEW", dialect) + element(.changed, "NEW", old: "OLD", new: "NEW")
        let isOtherPlace: SQL = "(OLD.\(owner) IS NOT NEW.\(owner) OR \(place.isOther))"
        return [
            HistoryTriggers.trigger(.insert, on: table, "INSERT", when: nil, added),
            HistoryTriggers.trigger(.delete, on: table, "DELETE", when: nil, removed),
            HistoryTriggers.trigger(.renumber, on: table, "UPDATE", when: isOtherPlace, removed + added),
        ]
            + (key == nil
                ? []
                : [
                    HistoryTriggers.trigger(
                        .update, on: table, "UPDATE", when: "NOT \(isOtherPlace) AND \(value.isOther)", changed)
                ])
    }

    private var owner: SQL { "\(name: ChildTable.ownerColumn)" }

    /// Adds an entry of the owner, unless its last entry has the current time and transaction, and so is from the same
    /// statement. Changes by other programs have no transaction.
    private func entry(of row: SQL, _ dialect: Dialect) -> [SQL] {
        [
            """
            INSERT INTO \(name: HistoryNames.entries) (\(list: HistoryTriggers.signedColumns)) \
            SELECT \(HistoryTriggers.text(ownerTable)), \(row).\(owner), 'changed', \
            \(list: HistoryTriggers.signature(dialect)) \
            WHERE NOT EXISTS (SELECT 1 FROM \(name: HistoryNames.entries) WHERE "id" = (\(last(of: row))) \
            AND "transaction" IS \(dialect.history.signature.transaction) AND "change" <> 'found' \
            AND "date" = \(dialect.history.now));
            """
        ]
    }

    private func last(of row: SQL) -> SQL {
        """
        SELECT max("id") FROM \(name: HistoryNames.entries) \
        WHERE "table" = \(HistoryTriggers.text(ownerTable)) AND "object" = \(row).\(owner)
        """
    }

    private func element(_ change: HistoryElement.Change, _ row: SQL, old: SQL?, new: SQL?) -> [SQL] {
        func column(_ column: Column?, of row: SQL?) -> SQL {
            guard let column, let row else { return "NULL" }
            return "\(row).\(name: column.name)"
        }
        return [
            """
            INSERT INTO \(name: HistoryNames.elements) ("entry_id", "table", "change", "key", "old", "new") \
            VALUES ((\(last(of: row))), \(HistoryTriggers.text(table)), \(HistoryTriggers.text(change.rawValue)), \
            \(column(key, of: row)), \(column(value, of: old)), \(column(value, of: new)));
            """
        ]
    }

    /// Adds the elements of the owners whose history begins after the entry whose id is the statement's argument.
    func beginning(_ dialect: Dialect) -> SQL {
        func anyValue(of column: Column) -> SQL { dialect.history.anyValue("t.\(name: column.name)", column.type) }
        return """
            INSERT INTO \(name: HistoryNames.elements) ("entry_id", "table", "change", "key", "old", "new") \
            SELECT e."id", \(HistoryTriggers.text(table)), 'added', \(key.map(anyValue) ?? "NULL"), NULL, \
            \(anyValue(of: value)) FROM \(name: HistoryNames.entries) e \
            JOIN \(name: table) t ON t.\(owner) = e."object" \
            WHERE e."id" > ? AND e."table" = \(HistoryTriggers.text(ownerTable)) AND e."change" = 'found'
            """
    }

    /// The elements of the owners in the statement's list argument: the owner, the key or the value of a set, and the
    /// value.
    func elements(_ dialect: Dialect) -> SQL {
        """
        SELECT \(owner), \(name: place.name), \(name: value.name) FROM \(name: table) \
        WHERE \(owner) \(dialect.isInList("?", .plain))
        """
    }

    /// Whether the rows have their own keys.
    var hasKeys: Bool { key != nil }
}
