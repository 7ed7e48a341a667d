internal import StoreEngine

/// The changes of one transaction, statement by statement.
struct RecordedStatements: RowChanges {
    let statements: [RecordedStatement]
    let byteCount: Int

    init(_ statements: [RecordedStatement]) {
        self.statements = statements
        byteCount = statements.reduce(0) { $0 + $1.byteCount }
    }

    func inverted() throws(StoreError) -> any RowChanges {
        RecordedStatements(statements.reversed().map(\.inverted))
    }

    func rows() throws -> [ChangedRow] {
        var names: [ArraySlice<UInt8>: String] = [:]
        func name(_ name: ArraySlice<UInt8>) -> String {
            if let known = names[name] { return known }
            guard case .text(let text)? = try? JSONReader.value(of: name) else { return "" }
            names[name] = text
            return text
        }
        let byTable = Dictionary(grouping: NetChanges(statements).rows.filter(\.isChanged), by: \.table)
        return byTable.sorted { $0.key < $1.key }.flatMap { table, rows in
            rows.map { row in
                let operation: ChangedRow.Operation = row.from == nil ? .insert : row.to == nil ? .delete : .update
                let columns = operation == .update ? row.updated.map { name($0) } : []
                return ChangedRow(table: table, operation: operation, key: row.number, columns: columns)
            }
        }
    }

    /// Whether no row differs from its state before the transaction.
    var hasNoEffect: Bool {
        var counts: [RowKey: Int] = [:]
        for statement in statements {
            for row in statement.old + (statement.operation == .insert ? statement.new : []) {
                counts[RowKey(table: statement.table, key: row.key(statement.keys) ?? []), default: 0] += 1
            }
        }
        // The effect of a row that one statement changed is known.
        return !counts.values.contains(1) && !NetChanges(statements).rows.contains(where: \.isChanged)
    }

    /// Identifies a row by the characters of its key.
    struct RowKey: Hashable {
        let table: String
        let key: [UInt8]
    }
}
