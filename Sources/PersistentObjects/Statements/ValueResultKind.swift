internal import StoreEngine

/// The terminal method of a query that returns values instead of objects.
enum ValueResultKind: Hashable {
    /// The selected properties of each row, in the order of the query.
    case all
    /// Each combination of the selected properties once. If the query has an order, they are in the order of first
    /// appearance.
    case distinct(isOrdered: Bool)
    /// Aggregates of all values of the selected property.
    case aggregate([AggregateFunction])
    /// For each value of the first selected property, aggregates of the second property.
    case grouped([AggregateFunction])
    /// Aggregates of groups. The selected values are the keys, then the aggregates of each group.
    case groups(GroupStyle)

    /// Whether the results depend on the order of the query.
    var followsOrder: Bool {
        switch self {
        case .all: true
        case .distinct(let isOrdered): isOrdered
        case .aggregate, .grouped, .groups: false
        }
    }
}

/// The kinds of the selected values of grouped results, in order.
struct GroupStyle: Hashable {
    let keyCount: Int
    let valueCount: Int
    /// Whether a condition on the groups follows.
    let hasCondition: Bool
    /// The styles of the groups' orders, whose values follow.
    let orders: [QueryDefinition.OrderStyle]
    /// Whether the limit and the offset follow.
    let hasLimit: Bool
    let hasOffset: Bool
}

extension QueryPlan {
    /// The SQL of a terminal method.
    func valueSQL(_ resultKind: ValueResultKind) -> SQL {
        if case .groups(let style) = resultKind { return grouped(style) }
        let keepsFirst = resultKind == .distinct(isOrdered: true) && isOrdered
        // Aggregates of a part of the rows use a subselect, because LIMIT comes last.
        guard hasPart && resultKind != .all || keepsFirst else {
            let id = idColumn(of: resultKind) == nil ? [] : ["\(column: "id", of: table)" as SQL]
            let selected = selected(resultKind, selection) + id
            let start: SQL = "SELECT \(isDistinct(resultKind) ? "DISTINCT " : "")\(list: selected) FROM \(sql.source)"
            return completed(start, ordered: resultKind == .all) + end(of: resultKind, selection)
        }
        let columns = selection.indices.map { "\(name: "v\($0 + 1)")" as SQL }
        let part = part(columns, numbered: keepsFirst)
        guard keepsFirst else {
            let start: SQL = isDistinct(resultKind) ? "SELECT DISTINCT" : "SELECT"
            return
                "\(start) \(list: selected(resultKind, columns)) FROM (\(part)) AS \"found\"\(end(of: resultKind, columns))"
        }
        return "SELECT \(list: columns) FROM (\(part)) AS \"found\" GROUP BY \(list: columns) ORDER BY min(\"place\")"
    }

    /// The index of the id column, if the results must be sorted by id; nil if the rows already have their order.
    func idColumn(of resultKind: ValueResultKind) -> Int32? {
        resultKind == .all && !isAnswerOrdered ? Int32(selection.count) : nil
    }

    /// The selected columns of the query's rows under the given names, with the rows' positions if `numbered` is true.
    private func part(_ columns: [SQL], numbered: Bool) -> SQL {
        var selected = zip(selection, columns).map { "\($0) AS \($1)" as SQL }
        if numbered { selected.append("row_number() OVER (\(order)) AS \"place\"") }
        if selected.isEmpty { selected = ["1"] }
        return completed("SELECT \(list: selected) FROM \(sql.source)", ordered: hasPart)
    }

    private func isDistinct(_ resultKind: ValueResultKind) -> Bool {
        if case .distinct = resultKind { true } else { false }
    }

    private func selected(_ resultKind: ValueResultKind, _ columns: [SQL]) -> [SQL] {
        func made(by functions: [AggregateFunction], of ordinal: Int?) -> [SQL] {
            let isDecimal = ordinal.map { decimals.contains($0) } ?? false
            return functions.map { $0.of(ordinal.map { columns[$0] } ?? "*", isDecimal: isDecimal, dialect) }
        }
        return switch resultKind {
        case .all, .distinct: columns
        case .aggregate(let functions): made(by: functions, of: columns.indices.first)
        case .grouped(let functions): columns.prefix(1) + made(by: functions, of: columns.indices.last)
        case .groups(let style): Array(columns.prefix(style.keyCount + style.valueCount))
        }
    }

    private func end(of resultKind: ValueResultKind, _ columns: [SQL]) -> SQL {
        switch resultKind {
        case .all, .aggregate, .distinct(isOrdered: false): ""
        case .distinct(isOrdered: true): " ORDER BY 1\(dialect.ordering(false, nil))"
        case .grouped: " GROUP BY \(list: columns.prefix(1))"
        case .groups(let style): " GROUP BY \(list: columns.prefix(style.keyCount))"
        }
    }

    /// A selected value in a form that is ordered like the values.
    private func inOrder(_ ordinal: Int, _ value: SQL) -> SQL {
        decimals.contains(ordinal) ? dialect.decimalOrder(value) : value
    }

    private func grouped(_ style: GroupStyle) -> SQL {
        let keys = Array(selection.prefix(style.keyCount))
        let wanted = selection.prefix(style.keyCount + style.valueCount)
        var others = selection.dropFirst(wanted.count)
        let start: SQL = "SELECT \(list: Array(wanted)) FROM \(sql.source)"
        // With a limit or an offset, a subquery selects the ids first, because LIMIT comes last.
        var text = hasPart ? ofPart(start) : completed(start, ordered: false)
        text.append(" GROUP BY \(list: keys)")
        if style.hasCondition, let condition = others.popFirst() { text.append(" HAVING \(condition)") }
        let orders = style.orders.compactMap { order in
            others.popFirst().map {
                inOrder(others.startIndex - 1, $0) + dialect.ordering(order.isDescending, order.hasNilLast)
            }
        }
        let keyOrders = keys.indices.map { inOrder($0, keys[$0]) + dialect.ordering(false, nil) }
        text.append(" ORDER BY \(list: orders + keyOrders)")
        guard style.hasLimit || style.hasOffset else { return text }
        text.append(" LIMIT \(style.hasLimit ? others.popFirst() ?? dialect.noLimit : dialect.noLimit)")
        if style.hasOffset, let offset = others.popFirst() { text.append(" OFFSET \(offset)") }
        return text
    }
}
