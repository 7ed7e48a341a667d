internal import StoreEngine

/// The rows that one statement changed, including the statements of triggers and foreign keys.
struct RecordedStatement: Sendable {
    let table: String
    let operation: ChangedRow.Operation
    /// The names of the primary key's columns, in quotes.
    let keys: [[UInt8]]
    /// The rows before the statement. For an update they are paired with `new`.
    private(set) var old: [RecordedRow] = []
    /// The rows after the statement.
    private(set) var new: [RecordedRow] = []

    init(_ table: String, _ operation: ChangedRow.Operation, _ keys: [[UInt8]]) {
        (self.table, self.operation, self.keys) = (table, operation, keys)
    }

    /// The statement that reverts this one. The last row comes first.
    var inverted: RecordedStatement {
        let operation: ChangedRow.Operation =
            switch operation {
            case .insert: .delete
            case .delete: .insert
            case .update: .update
            }
        var other = RecordedStatement(table, operation, keys)
        (other.old, other.new) = (new.reversed(), old.reversed())
        return other
    }

    /// A copy with other rows.
    func with(old: [RecordedRow], new: [RecordedRow]) -> RecordedStatement {
        var other = RecordedStatement(table, operation, keys)
        (other.old, other.new) = (old, new)
        return other
    }

    var isEmpty: Bool { old.isEmpty && new.isEmpty }

    var byteCount: Int {
        table.utf8.count + old.reduce(0) { $0 + $1.json.count } + new.reduce(0) { $0 + $1.json.count }
    }

    /// Pairs the rows of an update, and keeps only the columns that it changes, with the key. Rows that it does not
    /// change are left out. Nil if the lists do not belong together.
    ///
    /// Rows are paired by their keys. If the update has changed keys, rows are paired by their order, which is the order
    /// of the update in both lists. A statement cannot exchange keys, because a primary key is checked for each row.
    func paired() -> RecordedStatement? {
        guard operation == .update else { return self }
        if let paired = pairedInOrder { return paired }
        let (old, new) = (old.map(\.columns), new.map(\.columns))
        guard old.count == new.count else { return nil }
        let (oldKeys, newKeys) = (
            old.map { RecordedRow.key($0, keys) ?? [] }, new.map { RecordedRow.key($0, keys) ?? [] }
        )
        var pairs = old.indices.map { ($0, $0) }
        if oldKeys != newKeys, Set(oldKeys) == Set(newKeys) {
            let places = Dictionary(zip(newKeys, new.indices)) { first, _ in first }
            pairs = oldKeys.enumerated().map { ($0, places[$1] ?? $0) }
        }
        var kept: (old: [RecordedRow], new: [RecordedRow]) = ([], [])
        for (before, after) in pairs {
            if oldKeys[before] != newKeys[after] {
                kept.old.append(RecordedRow(old[before]))
                kept.new.append(RecordedRow(new[after]))
                continue
            }
            let changed = zip(old[before], new[after]).filter { $0 != $1 }
            if changed.isEmpty { continue }
            let key = old[before].filter { column in keys.contains { column.name.elementsEqual($0) } }
            kept.old.append(RecordedRow(key + changed.map(\.0)))
            kept.new.append(RecordedRow(key + changed.map(\.1)))
        }
        return with(old: kept.old, new: kept.new)
    }

    /// The pairs of an update that has changed no keys, and whose lists have the same order; nil for other updates.
    private var pairedInOrder: RecordedStatement? {
        guard old.count == new.count else { return nil }
        var kept: (old: [RecordedRow], new: [RecordedRow]) = ([], [])
        for (before, after) in zip(old, new) {
            guard let pair = RecordedRow.differences(before, after, keys: keys) else { return nil }
            if pair.old.isEmpty { continue }
            kept.old.append(RecordedRow(pair.old))
            kept.new.append(RecordedRow(pair.new))
        }
        return with(old: kept.old, new: kept.new)
    }
}
