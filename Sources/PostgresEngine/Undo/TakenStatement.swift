internal import StoreEngine

/// The rows that one statement changed, in the server's text, as they are kept until an undo.
struct TakenStatement: Sendable {
    /// A table, as it was when the statement changed it.
    struct Table: Sendable, Hashable {
        /// The server's number of the table.
        let oid: Int64
        let name: String
        /// The number of its columns, including dropped columns. A column that is added increases it.
        let columnCount: Int
        /// The names of the columns that were not dropped, in quotes: the fields of a row.
        let fields: [[UInt8]]
        /// The places of the primary key's columns in a row.
        let keys: [Int]
    }

    let table: Table
    let operation: ChangedRow.Operation
    /// The rows before the statement, one after the other. For an update, they have the order of `new`.
    private(set) var old: [UInt8]
    /// The rows after the statement.
    private(set) var new: [UInt8]

    init(_ table: Table, _ operation: ChangedRow.Operation, old: [UInt8], new: [UInt8]) {
        (self.table, self.operation, self.old, self.new) = (table, operation, old, new)
        if operation == .update { compact() }
    }

    var isEmpty: Bool { old.isEmpty && new.isEmpty }

    var byteCount: Int { table.name.utf8.count + old.count + new.count }

    /// The text of the keys of rows.
    func keys(of rows: [UInt8]) -> [[UInt8]] {
        var keys: [[UInt8]] = []
        RowText.forEach(rows) { _, fields in
            var key: [UInt8] = []
            for place in table.keys where place < fields.count {
                key += rows[fields[place]]
                key.append(RowText.comma)
            }
            keys.append(key)
        }
        return keys
    }

    // MARK: Updates

    /// Leaves out the rows that an update has not changed, and makes equal fields of other rows NULL, except for the key.
    ///
    /// An update that has changed keys keeps all rows and fields.
    private mutating func compact() {
        if let rows = changedFields(old, new) { (old, new) = rows }
    }

    private func changedFields(_ old: [UInt8], _ new: [UInt8]) -> (old: [UInt8], new: [UInt8])? {
        var isKey = Array(repeating: false, count: table.fields.count)
        for place in table.keys { isKey[place] = true }
        var kept: (old: [UInt8], new: [UInt8]) = ([], [])
        var (before, after): ([Range<Int>], [Range<Int>]) = ([], [])
        var (place, other) = (0, 0)
        while place < old.count, other < new.count {
            place = RowText.findFields(old, from: place, into: &before)
            other = RowText.findFields(new, from: other, into: &after)
            guard before.count == isKey.count, after.count == isKey.count else { return nil }
            let starts = (kept.old.count, kept.new.count)
            var isChanged = false
            for field in isKey.indices {
                kept.old.append(field == 0 ? RowText.start : RowText.comma)
                kept.new.append(field == 0 ? RowText.start : RowText.comma)
                let (value, later) = (old[before[field]], new[after[field]])
                let isEqual = value.count == later.count && value.elementsEqual(later)
                if isEqual, !isKey[field] { continue }
                guard isEqual || !isKey[field] else { return nil }
                if !isEqual { isChanged = true }
                kept.old.append(contentsOf: value)
                kept.new.append(contentsOf: later)
            }
            if isChanged {
                kept.old.append(RowText.end)
                kept.new.append(RowText.end)
            } else {
                kept.old.removeSubrange(starts.0...)
                kept.new.removeSubrange(starts.1...)
            }
        }
        return place == old.count && other == new.count ? kept : nil
    }
}

/// The changes of one transaction, statement by statement, as they are kept until an undo.
struct TakenStatements: RecordedChanges {
    let statements: [TakenStatement]
    let byteCount: Int

    init(_ statements: [TakenStatement]) {
        self.statements = statements.filter { !$0.isEmpty }
        byteCount = self.statements.reduce(0) { $0 + $1.byteCount }
    }

    /// Changes that are too large to be kept.
    init(tooLarge byteCount: Int) { (statements, self.byteCount) = ([], byteCount) }

    /// Whether it is certain that a row differs from its state before the transaction: only one statement has changed it,
    /// or it was only inserted or deleted.
    var hasEffect: Bool {
        Dictionary(grouping: statements, by: \.table.oid).values.contains { statements in
            guard let first = statements.first, statements.count > 1 else { return true }
            if first.operation != .update, statements.allSatisfy({ $0.operation == first.operation }) { return true }
            var counts: [[UInt8]: Int] = [:]
            for statement in statements {
                for key in statement.keys(of: statement.operation == .insert ? statement.new : statement.old) {
                    counts[key, default: 0] += 1
                }
            }
            return counts.values.contains(1)
        }
    }
}
