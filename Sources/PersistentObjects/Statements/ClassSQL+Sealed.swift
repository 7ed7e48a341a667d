internal import StoreEngine

// Encrypted columns.
extension ClassSQL {
    /// A new value of a column, encrypted if the column is.
    func sealed(_ value: SQL, _ index: Int) -> SQL {
        seals[index]?.sealed(value, key: keyIndex.map { "\(name: columns[$0])" } ?? "NULL") ?? value
    }

    /// Whether the statement that updates some columns takes the key of the object as its last argument.
    func takesKey(_ changed: ColumnSet) -> Bool {
        keyIndex != nil && !dialect.callsFunctionsOfRows && seals.keys.contains { changed.contains($0) }
    }

    func updateWithKey(_ changed: ColumnSet) -> SQL {
        let changed = columns.indices.filter { changed.contains($0) }
        let assignments = changed.enumerated().map { place, index -> SQL in
            let value: SQL = "\(placeholder: place + 1)"
            let sealed = seals[index]?.sealed(value, key: "\(placeholder: changed.count + 2)")
            return "\(name: columns[index]) = \(sealed ?? value)"
        }
        return "UPDATE \(name: table) SET \(list: assignments) WHERE \"id\" = \(placeholder: changed.count + 1)"
    }

    /// The column with the key of the object, which decrypting a value of another column needs.
    func keyForOpening(_ column: String) -> SQL {
        guard let keyIndex, seals.contains(where: { columns[$0.key] == column }) else { return "" }
        return ", \(column: columns[keyIndex], of: "row")"
    }

    /// The values of inserted rows. The key of a row is one of its arguments, so it is named by its number.
    func sealedRows(_ rows: Int, given: SQL?, withIDs: Bool) -> [SQL] {
        let count = columns.count + (withIDs ? 1 : 0)
        return (0..<rows).map { row in
            let first = row * count + (withIDs ? 2 : 1)
            let key: SQL = keyIndex.map { "\(placeholder: first + $0)" } ?? "NULL"
            let values = columns.indices.map { index -> SQL in
                let value: SQL = "\(placeholder: first + index)"
                return seals[index]?.sealed(value, key: key) ?? value
            }
            let id: [SQL] = withIDs ? ["\(placeholder: first - 1)"] : []
            return "(\(list: (given.map { [$0] } ?? []) + id + values))"
        }
    }
}
