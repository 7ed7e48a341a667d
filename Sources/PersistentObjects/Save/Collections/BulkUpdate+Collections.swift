internal import StoreEngine

extension BulkUpdate {
    /// Assigns the same collection to many owners: one statement deletes the old rows, and one inserts each element.
    func assign(_ assignment: CollectionAssignment, to owners: [Int64], _ space: ClassSpace) throws {
        guard !owners.isEmpty else { return }
        let sql = try space.collectionSQL(assignment.ordinal)
        do {
            try run(sql.deleteLists) { try $0.bind(list: owners, at: 1) }
            for row in assignment.rows {
                try run(sql.insertIntoLists) { statement in
                    let values = [row.order, row.value].compactMap(\.self)
                    for (index, value) in values.enumerated() { try statement.bind(value, at: Int32(index) + 1) }
                    try statement.bind(list: owners, at: Int32(values.count) + 1)
                }
            }
        } catch { throw space.located(error, property: assignment.ordinal) }
    }

    private func run(_ sql: SQL, _ bind: (Statement) throws -> Void) throws {
        let statement = try connection.statement(sql)
        defer { statement.finish() }
        statement.beginBinding()
        try bind(statement)
        try statement.send()
    }
}
