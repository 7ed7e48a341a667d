internal import StoreEngine

// Rows by a list of their ids.
extension Fetch {
    /// The objects of some rows, read from the database and keyed by id.
    func fetchRows(_ space: ClassSpace, _ ids: [Int64]) throws -> [Int64: PersistentObject] {
        let objects = try fetch(space, by: RowChoice(ids))
        return Dictionary(objects.map { ($0.rowID, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The objects of some rows, read from the database, in the order of `ids`. Missing objects are left out.
    func fetchObjects(_ space: ClassSpace, _ ids: [Int64]) throws -> [PersistentObject] {
        let rows = RowChoice(ids)
        let objects = try fetch(space, by: rows)
        if rows.isOrdered, zip(objects, objects.dropFirst()).allSatisfy({ $0.rowID < $1.rowID }) { return objects }
        let byID = Dictionary(objects.map { ($0.rowID, $0) }, uniquingKeysWith: { first, _ in first })
        return ids.compactMap { byID[$0] }
    }

    private func fetch(_ space: ClassSpace, by rows: RowChoice) throws -> [PersistentObject] {
        let statement = try connection.statement(space.text(rows.range == nil ? .selectByIDs : .selectByRange))
        statement.beginBinding()
        do throws(ValueFault) { try rows.bind(to: statement) } catch {
            statement.finish()
            throw space.located(error)
        }
        return try fetch(space, statement, wanted: rows.range == nil ? nil : rows.ids)
    }
}

/// How to read rows whose ids are known.
struct RowChoice {
    /// Each id once, in ascending order. For an id that occurs twice, the statement's join would return two rows.
    let ids: [Int64]
    /// Whether the ids were given unique and in ascending order.
    let isOrdered: Bool
    /// From the first to the last id, if most ids in between are wanted, because skipping a few rows is cheaper than
    /// looking each row up. Nil if the rows are looked up by id.
    let range: ClosedRange<Int64>?

    init(_ ids: [Int64]) {
        isOrdered = zip(ids, ids.dropFirst()).allSatisfy { $0 < $1 }
        let ids = isOrdered ? ids : IDOrder.sortedUnique(ids)
        self.ids = ids
        guard ids.count > 1, let first = ids.first, let last = ids.last else {
            range = nil
            return
        }
        let (width, isHuge) = last.subtractingReportingOverflow(first)
        range = !isHuge && width < 2 * Int64(ids.count) ? first...last : nil
    }

    /// Binds the ids to the statement that selects the range or the list.
    func bind(to statement: Statement) throws(ValueFault) {
        guard let range else { return try statement.bind(list: ids, at: 1) }
        try statement.bind(range.lowerBound, at: 1)
        try statement.bind(range.upperBound, at: 2)
    }
}
