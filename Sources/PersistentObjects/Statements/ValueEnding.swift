internal import StoreEngine

/// What is asked of a query whose answer is values, not objects.
enum ValueEnding: Hashable {
    /// The selected properties of each row, in the order of the query.
    case all
    /// Each combination of the selected properties once; where it matters, in the order in which they come first.
    case distinct(isOrdered: Bool)
    /// What is made of all values of the selected property.
    case aggregate([AggregateFunction])
    /// The first of the selected properties, and aggregates of the second one's values for each of its values.
    case grouped([AggregateFunction])
    /// What is made of groups: of the selected values the keys come first, then what is wanted of each group.
    case groups(GroupStyle)

    /// Whether the answer depends on the order of the query.
    var followsOrder: Bool {
        switch self {
        case .all: true
        case .distinct(let isOrdered): isOrdered
        case .aggregate, .grouped, .groups: false
        }
    }
}

/// What the selected values of a query by groups are, in their order.
struct GroupStyle: Hashable {
    let keyCount: Int
    let valueCount: Int
    /// Whether a condition follows, that groups are to meet.
    let hasCondition: Bool
    /// How the values that follow order the groups.
    let orders: [QueryDefinition.OrderStyle]
    /// Whether the numbers follow of the groups that are wanted, and of those that are left out before.
    let hasLimit: Bool
    let hasOffset: Bool
}

extension QueryPlan {
    /// The statement for an ending.
    func valueSQL(_ ending: ValueEnding) -> SQL {
        if case .groups(let style) = ending { return grouped(style) }
        let keepsFirst = ending == .distinct(isOrdered: true) && isOrdered
        // What is made of a part of the rows is made of a subselect, since LIMIT comes last.
        guard hasPart && ending != .all || keepsFirst else {
            let id = idColumn(of: ending) == nil ? [] : ["\(column: "id", of: table)" as SQL]
            let selected = selected(ending, selection) + id
            let start: SQL = "SELECT \(isDistinct(ending) ? "DISTINCT " : "")\(list: selected) FROM \(sql.source)"
            return completed(start, ordered: ending == .all) + end(of: ending, selection)
        }
        let columns = selection.indices.map { "\(name: "v\($0 + 1)")" as SQL }
        let part = part(columns, numbered: keepsFirst)
        guard keepsFirst else {
            let start: SQL = isDistinct(ending) ? "SELECT DISTINCT" : "SELECT"
            return "\(start) \(list: selected(ending, columns)) FROM (\(part)) AS \"found\"\(end(of: ending, columns))"
        }
        return "SELECT \(list: columns) FROM (\(part)) AS \"found\" GROUP BY \(list: columns) ORDER BY min(\"place\")"
    }

    /// Where the rows of an ending have their ids, whose order the answer is put in; nil where it has its order.
    func idColumn(of ending: ValueEnding) -> Int32? {
        ending == .all && !isAnswerOrdered ? Int32(selection.count) : nil
    }

    /// The selected columns of the query's rows, under names; and the rows' places where they are wanted.
    private func part(_ columns: [SQL], numbered: Bool) -> SQL {
        var selected = zip(selection, columns).map { "\($0) AS \($1)" as SQL }
        if numbered { selected.append("row_number() OVER (\(order)) AS \"place\"") }
        if selected.isEmpty { selected = ["1"] }
        return completed("SELECT \(list: selected) FROM \(sql.source)", ordered: hasPart)
    }

    private func isDistinct(_ ending: ValueEnding) -> Bool {
        if case .distinct = ending { true } else { false }
    }

    private func selected(_ ending: ValueEnding, _ columns: [SQL]) -> [SQL] {
        func made(by functions: [AggregateFunction], of place: Int?) -> [SQL] {
            let isDecimal = place.map { decimals.contains($0) } ?? false
            return functions.map { $0.of(place.map { columns[$0] } ?? "*", isDecimal: isDecimal, dialect) }
        }
        return switch ending {
        case .all, .distinct: columns
        case .aggregate(let functions): made(by: functions, of: columns.indices.first)
        case .grouped(let functions): columns.prefix(1) + made(by: functions, of: columns.indices.last)
        case .groups(let style): Array(columns.prefix(style.keyCount + style.valueCount))
        }
    }

    private func end(of ending: ValueEnding, _ columns: [SQL]) -> SQL {
        switch ending {
        case .all, .aggregate, .distinct(isOrdered: false): ""
        case .distinct(isOrdered: true): " ORDER BY 1\(dialect.ordering(false, nil))"
        case .grouped: " GROUP BY \(list: columns.prefix(1))"
        case .groups(let style): " GROUP BY \(list: columns.prefix(style.keyCount))"
        }
    }

    /// A selected value in a form whose order is that of the values.
    private func inOrder(_ place: Int, _ value: SQL) -> SQL {
        decimals.contains(place) ? dialect.decimalOrder(value) : value
    }

    private func grouped(_ style: GroupStyle) -> SQL {
        let keys = Array(selection.prefix(style.keyCount))
        let wanted = selection.prefix(style.keyCount + style.valueCount)
        var others = selection.dropFirst(wanted.count)
        let start: SQL = "SELECT \(list: Array(wanted)) FROM \(sql.source)"
        // Of a part of the objects the ids are asked first, since LIMIT comes last.
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
