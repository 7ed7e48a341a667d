internal import StoreEngine

/// The part of a query's condition that commits evaluate in memory.
struct RowFilter: Sendable {
    private let condition: RowCondition
    private let watch: ColumnWatch
    /// The columns on which the list depends, in lowercase.
    let columns: Set<String>

    init(_ condition: RowCondition, _ table: String, _ columns: Set<String>, _ hub: EventHub) {
        self.condition = condition
        self.columns = columns
        watch = ColumnWatch(condition.columns, of: table, in: hub.columns)
    }

    /// Whether the query certainly does not find a row with these values.
    func excludes(_ values: [DatabaseValue]) -> Bool { condition.excludes(values, watch.places) }
}

extension QueryInterest {
    /// Whether a commit can change the list only through the rows that its events name.
    func isRowwise(_ summary: CommitSummary) -> Bool {
        isRowwise && !summary.isVague && !(hasCollections && (summary.hasUnreportedRows || summary.hasUnknownRows))
            && summary.events.allSatisfy { $0.map != nil }
    }

    /// Whether a commit certainly changes neither the list nor an object in it.
    ///
    /// - Parameter listed: The rows that the query finds.
    func ignores(_ summary: CommitSummary, _ listed: [Int64]) -> Bool {
        guard let filter, isRowwise(summary) else { return false }
        let rows = summary.rows[table] ?? []
        // Otherwise, searching the list would take longer than running the query.
        guard listed.count * (rows.count + summary.events.count) <= QueryInterest.mostComparisons else { return false }
        if let values = summary.values[table] {
            for id in rows {
                // A row without values was deleted.
                guard let row = values[id] else { continue }
                guard filter.excludes(row) else { return false }
            }
        } else if summary.events.contains(where: { isOfQuery($0) && $0.changesRow(filter.columns) }) {
            return false
        }
        return !rows.contains { listed.contains($0) }
            && !summary.events.contains { isOfQuery($0) && listed.contains($0.id) }
    }

    private func isOfQuery(_ event: RowEvent) -> Bool { event.map?.root == root }

    private static let mostComparisons = 20_000
}

extension RowEvent {
    /// Whether a row was inserted, or the value of one of these columns may have changed.
    fileprivate func changesRow(_ columns: Set<String>) -> Bool { kind != .deleted && changes(anyOf: columns) }
}
