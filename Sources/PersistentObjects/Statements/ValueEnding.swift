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

    func append(to sql: inout SQL, _ column: SQL) {
        let (start, end): (StaticString, StaticString) =
            switch self {
            case .rows: ("count(*)", "")
            case .count: ("count(", ")")
            case .sum: ("sum(", ")")
            case .total: ("total(", ")")
            case .minimum: ("min(", ")")
            case .maximum: ("max(", ")")
            case .sumOfUpperHalves: ("sum(", " >> 32)")
            case .sumOfLowerHalves: ("sum(", " & 4294967295)")
            }
        sql.append(start)
        if self != .rows { sql.append(column) }
        sql.append(end)
    }
}

extension QueryPlan {
    /// The statement for an ending.
    func valueSQL(_ ending: ValueEnding) -> SQL {
        let keepsFirst = ending == .distinct(isOrdered: true) && isOrdered
        // What is made of a part of the rows is made of a subselect, since LIMIT comes last.
        guard hasPart && ending != .all || keepsFirst else {
            var start = SQL("SELECT ")
            append(ending, selection, to: &start)
            if let idColumn = idColumn(of: ending) {
                if idColumn > 0 { start.append(", ") }
                start.append(column: "id", of: table)
            }
            start.append(" FROM ")
            sql.appendSource(to: &start)
            var text = completed(start, ordered: ending == .all)
            appendEnd(of: ending, selection, to: &text)
            return text
        }
        let columns = selection.indices.map { QueryPlan.identifier("v\($0 + 1)") }
        var text = SQL("SELECT ")
        append(ending, columns, to: &text)
        text.append(" FROM (")
        text.append(part(columns, numbered: keepsFirst))
        text.append(")")
        guard keepsFirst else {
            appendEnd(of: ending, columns, to: &text)
            return text
        }
        text.append(" GROUP BY ")
        text.append(columns) { $0.append($1) }
        text.append(" ORDER BY min(\"place\")")
        return text
    }

    /// Where the rows of an ending have their ids, whose order the answer is put in; nil where it has its order.
    func idColumn(of ending: ValueEnding) -> Int32? {
        ending == .all && !isAnswerOrdered ? Int32(selection.count) : nil
    }

    /// The selected columns of the query's rows, under names; and the rows' places where they are wanted.
    private func part(_ columns: [SQL], numbered: Bool) -> SQL {
        var start = SQL("SELECT ")
        start.append(selection.indices) { sql, index in
            sql.append(selection[index])
            sql.append(" AS ")
            sql.append(columns[index])
        }
        if numbered {
            start.append(", row_number() OVER (")
            start.append(order)
            start.append(") AS \"place\"")
        } else if columns.isEmpty {
            start.append("1")
        }
        start.append(" FROM ")
        sql.appendSource(to: &start)
        return completed(start, ordered: hasPart)
    }

    private func append(_ ending: ValueEnding, _ columns: [SQL], to sql: inout SQL) {
        func append(_ functions: [AggregateFunction], of column: SQL?) {
            sql.append(functions) { $1.append(to: &$0, column ?? SQL("*")) }
        }
        switch ending {
        case .all: sql.append(columns) { $0.append($1) }
        case .distinct(let keepsFirst):
            if !(keepsFirst && isOrdered) { sql.append("DISTINCT ") }
            sql.append(columns) { $0.append($1) }
        case .aggregate(let functions): append(functions, of: columns.first)
        case .grouped(let functions):
            if let key = columns.first { sql.append(key) }
            sql.append(", ")
            append(functions, of: columns.last)
        }
    }

    private func appendEnd(of ending: ValueEnding, _ columns: [SQL], to sql: inout SQL) {
        switch ending {
        case .all, .aggregate, .distinct(isOrdered: false): break
        case .distinct(isOrdered: true): sql.append(" ORDER BY 1")
        case .grouped:
            sql.append(" GROUP BY ")
            if let key = columns.first { sql.append(key) }
        }
    }

    private static func identifier(_ name: String) -> SQL {
        var sql = SQL()
        sql.append(identifier: name)
        return sql
    }
}
