internal import StoreEngine

/// What is asked of a query whose answer is values, not objects.
enum ValueEnding: Hashable {
    /// The selected properties of each row, in the order of the query.
    case all
    /// Each combination of the selected properties once; where it matters, in the order in which they come first.
    case distinct(isOrdered: Bool)
    /// What is made of all values of the selected property.
    case aggregate([AggregateFunction])
    /// The first of the selected properties, and what is made of the values of the second that go with each.
    case grouped([AggregateFunction])

    /// Whether the answer depends on the order of the query.
    var followsOrder: Bool {
        switch self {
        case .all: true
        case .distinct(let isOrdered): isOrdered
        case .aggregate, .grouped: false
        }
    }
}

/// What SQL makes of many values.
enum AggregateFunction: Hashable {
    case rows, count
    case sum, total
    case minimum, maximum
    /// Of 64-bit numbers the upper 32 bits and the lower: sums that cannot overflow.
    case sumOfUpperHalves, sumOfLowerHalves

    func of(_ column: SQL, isDecimal: Bool, _ dialect: Dialect) -> SQL {
        switch self {
        case .minimum where isDecimal: dialect.decimalText("min(\(dialect.decimalOrder(column)))")
        case .maximum where isDecimal: dialect.decimalText("max(\(dialect.decimalOrder(column)))")
        case .rows: "count(*)"
        case .count: "count(\(column))"
        case .sum: "sum(\(column))"
        case .total: dialect.total(column)
        case .minimum: "min(\(column))"
        case .maximum: "max(\(column))"
        case .sumOfUpperHalves: "sum(\(column) >> 32)"
        case .sumOfLowerHalves: "sum(\(column) & 4294967295)"
        }
    }
}

extension QueryPlan {
    /// The statement for an ending.
    func valueSQL(_ ending: ValueEnding) -> SQL {
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
        }
    }

    private func end(of ending: ValueEnding, _ columns: [SQL]) -> SQL {
        switch ending {
        case .all, .aggregate, .distinct(isOrdered: false): ""
        case .distinct(isOrdered: true): " ORDER BY 1\(dialect.ordering(false, nil))"
        case .grouped: " GROUP BY \(list: columns.prefix(1))"
        }
    }
}
