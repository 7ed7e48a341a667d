internal import StoreEngine

/// A query made ready for one session: its statements' texts, made once for all queries of a shape.
final class QueryPlan {
    let sql: ClassSQL
    let table: String
    /// What is asked for, where objects are not.
    let selection: [SQL]
    private let joins: SQL
    private let condition: SQL?
    let order: SQL
    /// The indexes of words that are looked at.
    let searches: [SearchSource]
    /// Whether there is an order that was said, or is that of a search.
    let isOrdered: Bool
    /// Whether the rows come in the order of the answer; those of queries without an order are put in that of the ids.
    let isAnswerOrdered: Bool
    let argumentCount: Int
    /// Arguments that are compared with keys, by their places.
    let keys: [Int: PropertyCodec]
    /// What an update assigns, in order.
    let assigned: [QueryOperand]
    private let hasLimit: Bool
    let hasOffset: Bool
    /// The statement that selects, while nobody uses it: kept here, since to look it up by its text costs more.
    var kept: Statement?
    private var valueTexts: [ValueEnding: String] = [:]

    private(set) lazy var select = completed(sql.select, ordered: true).text
    /// The same with a limit of the caller's, for queries that have none; without an order by id.
    private(set) lazy var selectFirst = limited(sql.select)
    private(set) lazy var ids = completed(sql.selectID, ordered: true).text
    private(set) lazy var count = hasPart ? counted : completed(sql.count, ordered: false).text
    private(set) lazy var exists = "SELECT EXISTS (\(completed(sql.selectID, ordered: false).text))"

    /// The property of the class itself that is asked to have one value, where that is all.
    let subject: KeyPathResolver.Subject?
    /// The same, where it is a scalar.
    let scalarPlace: Int?
    /// The same, where only one row can have the value.
    let uniquePlace: Int?

    init(_ definition: QueryDefinition, _ map: ClassMap, _ sql: ClassSQL, _ classes: any ClassDirectory) throws {
        subject = try definition.subject(in: map)
        if case .property(let place)? = subject, case .scalar = map.properties[place].shape {
            scalarPlace = place
            uniquePlace = map.isUniqueKey(place) ? place : nil
        } else {
            scalarPlace = nil
            uniquePlace = nil
        }
        self.sql = sql
        table = map.table
        hasLimit = definition.limit != nil
        hasOffset = definition.offset != 0
        let writer = ExpressionWriter(map, classes)
        assigned = try definition.assigned.map { try writer.write($0).checked() }
        let condition = try definition.condition.map { try writer.write($0) }
        self.condition = condition?.sql
        var order = SQL()
        for one in definition.orders {
            order.append(order == SQL() ? " ORDER BY " : ", ")
            let value = try writer.write(one.expression).checked()
            try value.checkOrder()
            order.append(value.sql)
            order.append(one.style)
        }
        searches = writer.searches
        if definition.orders.isEmpty { order.append(ranks: searches) }
        isOrdered = order != SQL()
        if hasLimit || hasOffset || isOrdered {
            // Objects that are equal otherwise keep their places from page to page.
            order.append(order == SQL() ? " ORDER BY " : ", ")
            order.append(column: "id", of: table)
        }
        self.order = order
        isAnswerOrdered = order != SQL()
        selection = try definition.selection.map { value in
            let column = try writer.write(value)
            if case .collection(let place, let row) = column.content {
                throw QueryError.notExpressible(
                    "\(row.map.name).\(row.map.properties[place].name) is a collection, which is no one value; "
                        + "fetch the objects")
            }
            return column.sql
        }
        joins = writer.root.joins(needed: condition?.needed ?? [])
        argumentCount = writer.argumentCount
        keys = writer.keys
        guard argumentCount + 2 <= QueryPlan.argumentLimit else {
            throw QueryError.notExpressible("it has more than 32,764 values; give lists to isIn")
        }
    }

    /// SQLITE_LIMIT_VARIABLE_NUMBER.
    private static let argumentLimit = 32_766

    var hasPart: Bool { hasLimit || hasOffset }

    /// Whether no other table and no part of the objects is asked for.
    var isPlain: Bool { joins == SQL() && !hasPart }

    /// A statement that begins with `start`, which ends with the class's table.
    func completed(_ start: SQL, ordered: Bool) -> SQL {
        var text = start
        text.append(joins)
        if let condition {
            text.append(" WHERE ")
            text.append(condition)
        }
        if ordered || hasPart { text.append(order) }
        guard hasPart else { return text }
        text.append(" LIMIT ")
        if hasLimit { text.append(placeholder: argumentCount + 1) } else { text.append(number: -1) }
        if hasOffset {
            text.append(" OFFSET ")
            text.append(placeholder: argumentCount + 2)
        }
        return text
    }

    /// The rows that it finds, under the name of the class's table, as a table of another statement.
    var source: SQL {
        var rows = SQL("SELECT ")
        rows.append(identifier: table)
        rows.append(".* FROM ")
        sql.appendSource(to: &rows)
        var text = SQL("(")
        text.append(completed(rows, ordered: false))
        text.append(") AS ")
        text.append(identifier: table)
        return text
    }

    private func limited(_ start: SQL) -> String {
        var text = completed(start, ordered: true)
        if order == SQL() {
            text.append(" ORDER BY ")
            text.append(column: "id", of: table)
        }
        text.append(" LIMIT ")
        text.append(placeholder: argumentCount + 1)
        return text.text
    }

    /// The place of the limit in `selectFirst`.
    var limitPlace: Int32 { Int32(argumentCount) + 1 }

    /// The place of the first argument behind all others.
    var furtherPlace: Int32 { Int32(argumentCount) + 3 }

    private var counted: String { "SELECT count(*) FROM (\(completed(sql.selectID, ordered: false).text))" }

    /// The statement for an ending that asks for values.
    func text(_ ending: ValueEnding) -> String {
        if let known = valueTexts[ending] { return known }
        let made = valueSQL(ending).text
        valueTexts[ending] = made
        return made
    }
}

extension QueryDefinition {
    /// The property of the class itself that is asked to have one value, where that is all.
    fileprivate func subject(in map: ClassMap) throws -> KeyPathResolver.Subject? {
        guard limit == nil, offset == 0, orders.isEmpty, let words = condition?.words, words.count == 3,
            case .column(scope: 0, let path) = words[0], path.steps.count == 1, words[1] == .argument,
            words[2] == .operation(.equal) || words[2] == .operation(.identical)
        else { return nil }
        return switch path.steps[0] {
        case .keyPath(let path): try KeyPathResolver.subject(of: path, in: map)
        case .place(let place): place < map.properties.count ? .property(place) : .id
        }
    }
}

extension SQL {
    /// The best first: the less, the better.
    fileprivate mutating func append(ranks searches: [SearchSource]) {
        guard !searches.isEmpty else { return }
        append(" ORDER BY ")
        append(searches, separator: " + ") { $0.append(column: "rank", of: $1.alias) }
    }

    mutating func append(_ style: QueryDefinition.OrderStyle) {
        if style.ignoresCase { append(" COLLATE po_nocase") }
        if style.isDescending { append(" DESC") }
        if let isLast = style.hasNilLast { append(isLast ? " NULLS LAST" : " NULLS FIRST") }
    }
}
