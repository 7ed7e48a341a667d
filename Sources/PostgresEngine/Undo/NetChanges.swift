internal import StoreEngine

/// The combined effect of statements on each row.
struct NetChanges {
    typealias Columns = [RecordedRow.Column]

    /// A row that differs afterwards, or that was deleted and inserted again.
    struct Row {
        let table: String
        /// The columns of the key.
        let key: Columns
        /// The columns before; nil if the row did not exist. If the row was only updated, these are the changed columns.
        fileprivate(set) var from: Columns?
        /// The columns afterwards; nil if the row does not exist.
        fileprivate(set) var to: Columns?
        /// Whether the row was inserted or deleted, so that all its columns are known.
        fileprivate(set) var isWhole = false
        /// Whether columns are also written if they are equal afterwards.
        fileprivate(set) var isComplete = false

        /// The names of the columns that an update writes.
        var updated: [ArraySlice<UInt8>] {
            guard let from, let to else { return [] }
            return from.filter { isComplete || to[$0.name] != $0.value }.map(\.name)
        }

        /// The first column of the key, if it is a number.
        var number: Int64? { key.first.flatMap { Int64(String(decoding: $0.value, as: UTF8.self)) } }

        /// Whether the row differs afterwards. A row that was deleted and inserted again may not.
        var isChanged: Bool { (from == nil) != (to == nil) || !updated.isEmpty }

        /// Whether it must be written: also if it was deleted and inserted again, because a foreign key may delete it when
        /// the row to which it refers is replaced.
        fileprivate var isWritten: Bool { isChanged || isWhole && to != nil }
    }

    private(set) var rows: [Row] = []
    /// Whether rows and columns are also written if they are equal afterwards.
    let isComplete: Bool
    private var places: [RecordedStatements.RowKey: Int] = [:]
    /// The keys that a row got or gave up.
    private var movedKeys: Set<RecordedStatements.RowKey> = []

    init(_ statements: [RecordedStatement], isComplete: Bool = false) {
        self.isComplete = isComplete
        for statement in statements { add(statement) }
        if isComplete {
            for place in rows.indices { rows[place].isComplete = true }
        } else {
            rows = rows.filter(\.isWritten)
        }
        places = [:]
        for (place, row) in rows.enumerated() {
            places[RecordedStatements.RowKey(table: row.table, key: row.key.keyBytes)] = place
        }
    }

    /// The row with a key; nil if it need not be written.
    func row(_ table: String, _ key: [UInt8]?) -> Row? {
        key.flatMap { places[RecordedStatements.RowKey(table: table, key: $0)] }.map { rows[$0] }
    }

    /// Whether a statement must be written for the row with a key: it differs at the end, or a row had this key in
    /// between. The statements that move a row find it only if the statements before them were written, too.
    func concerns(_ table: String, _ key: [UInt8]?) -> Bool {
        guard let key else { return false }
        let id = RecordedStatements.RowKey(table: table, key: key)
        return places[id] != nil || movedKeys.contains(id)
    }

    private mutating func add(_ statement: RecordedStatement) {
        switch statement.operation {
        case .insert: for row in statement.new { insert(row.columns, statement) }
        case .delete: for row in statement.old { remove(row.columns, statement) }
        case .update:
            var moved: [Columns] = []
            for (old, new) in zip(statement.old, statement.new) {
                let (before, after) = (old.columns, new.columns)
                if RecordedRow.key(before, statement.keys) == RecordedRow.key(after, statement.keys) {
                    update(before, after, statement)
                } else {
                    remove(before, statement)
                    moved.append(after)
                    for columns in [before, after] { movedKeys.insert(place(columns, statement).id) }
                }
            }
            for row in moved { insert(row, statement) }
        }
    }

    /// The place of a row; nil if no earlier statement has changed it.
    private func place(
        _ columns: Columns, _ statement: RecordedStatement
    ) -> (key: Columns, id: RecordedStatements.RowKey, place: Int?) {
        let key = statement.keys.compactMap { name in columns.first { $0.name.elementsEqual(name) } }
        let id = RecordedStatements.RowKey(table: statement.table, key: key.keyBytes)
        return (key, id, places[id])
    }

    private mutating func append(_ row: Row, _ id: RecordedStatements.RowKey) {
        places[id] = rows.count
        rows.append(row)
    }

    private mutating func insert(_ columns: Columns, _ statement: RecordedStatement) {
        let (key, id, place) = place(columns, statement)
        guard let place else {
            return append(Row(table: statement.table, key: key, from: nil, to: columns, isWhole: true), id)
        }
        rows[place].to = columns
        rows[place].isWhole = true
    }

    private mutating func remove(_ columns: Columns, _ statement: RecordedStatement) {
        let (key, id, place) = place(columns, statement)
        guard let place else {
            return append(Row(table: statement.table, key: key, from: columns, to: nil, isWhole: true), id)
        }
        // The columns that no earlier statement has changed have their first values.
        rows[place].from = rows[place].from.map { $0.completed(by: columns) }
        rows[place].to = nil
        rows[place].isWhole = true
    }

    private mutating func update(_ old: Columns, _ new: Columns, _ statement: RecordedStatement) {
        let (key, id, place) = place(old, statement)
        guard let place else { return append(Row(table: statement.table, key: key, from: old, to: new), id) }
        if !rows[place].isWhole { rows[place].from = rows[place].from.map { $0.completed(by: old) } }
        rows[place].to = rows[place].to.map { new.completed(by: $0) }
    }
}

extension [RecordedRow.Column] {
    /// The values as one key.
    var keyBytes: [UInt8] {
        var key: [UInt8] = []
        for column in self {
            if !key.isEmpty { key.append(UInt8(ascii: ",")) }
            key += column.value
        }
        return key
    }
}
