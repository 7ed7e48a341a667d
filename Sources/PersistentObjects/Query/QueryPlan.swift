internal import StoreEngine

/// A query made ready for one session: its statements' texts, made once for all queries of a shape.
final class QueryPlan {
    private let sql: ClassSQL
    private let table: String
    private let joins: SQL
    private let condition: SQL?
    private let order: SQL
    private let argumentCount: Int
    private let keys: [Int: PropertyCodec]
    private let hasLimit: Bool
    private let hasOffset: Bool
    private var kept: SQLiteStatement?

    private(set) lazy var select = completed(sql.select, ordered: true)
    private(set) lazy var ids = completed(sql.selectID, ordered: true)
    private(set) lazy var count = hasPart ? counted : completed(sql.count, ordered: false)
    private(set) lazy var exists = "SELECT EXISTS (\(completed(sql.selectID, ordered: false)))"

    init(_ definition: QueryDefinition, _ space: ClassSpace) throws {
        sql = space.sql
        table = space.map.table
        hasLimit = definition.limit != nil
        hasOffset = definition.offset != 0
        let writer = ExpressionWriter(space.map, space.session)
        condition = try definition.condition.map { try writer.write($0).sql }
        var order = SQL()
        for one in definition.orders {
            order.append(order == SQL() ? " ORDER BY " : ", ")
            let value = try writer.write(one.expression).checked()
            try value.checkOrder()
            order.append(value.sql)
            order.append(one.style)
        }
        if hasLimit || hasOffset || !definition.orders.isEmpty {
            // Objects that are equal otherwise keep their places from page to page.
            order.append(order == SQL() ? " ORDER BY " : ", ")
            order.append(column: "id", of: table)
        }
        self.order = order
        joins = writer.root.joins
        argumentCount = writer.argumentCount
        keys = writer.keys
        guard argumentCount + 2 <= QueryPlan.argumentLimit else {
            throw QueryError.notExpressible("it has more than 32,764 values; give lists to isIn")
        }
    }

    /// SQLITE_LIMIT_VARIABLE_NUMBER.
    private static let argumentLimit = 32_766

    private var hasPart: Bool { hasLimit || hasOffset }

    private func completed(_ start: SQL, ordered: Bool) -> String {
        var text = start
        text.append(joins)
        if let condition {
            text.append(" WHERE ")
            text.append(condition)
        }
        if ordered || hasPart { text.append(order) }
        guard hasPart else { return text.text }
        text.append(" LIMIT ")
        if hasLimit { text.append(placeholder: argumentCount + 1) } else { text.append(number: -1) }
        if hasOffset {
            text.append(" OFFSET ")
            text.append(placeholder: argumentCount + 2)
        }
        return text.text
    }

    private var counted: String { "SELECT count(*) FROM (\(completed(sql.selectID, ordered: false)))" }

    /// The statement that selects the objects; finish it.
    @inline(__always)
    func selectStatement(_ connection: SQLiteConnection) throws(StoreError) -> SQLiteStatement {
        if let kept, !kept.isBusy {
            kept.take()
            return kept
        }
        let statement = try connection.statement(select)
        kept = statement
        return statement
    }

    /// Binds the values of a query that has this plan.
    func bind(_ definition: QueryDefinition, to statement: SQLiteStatement, _ session: Session) throws {
        statement.beginBinding()
        for (index, argument) in definition.arguments.enumerated() {
            try bind(argument, index, to: statement, session)
        }
        guard hasPart else { return }
        if let limit = definition.limit { try statement.bind(Int64(limit), at: Int32(argumentCount) + 1) }
        if hasOffset { try statement.bind(Int64(definition.offset), at: Int32(argumentCount) + 2) }
    }

    private func bind(
        _ argument: QueryExpression.Argument, _ index: Int, to statement: SQLiteStatement, _ session: Session
    ) throws {
        let place = Int32(index) + 1
        switch argument {
        case .value(.text(let text)) where keys[index] != nil:
            try statement.bind(keys[index]?.encodeArgument(text) ?? .text(text), at: place)
        case .value(let value): try statement.bind(value, at: place)
        case .object(let name):
            let object = try session.find(try session.space(of: name.type), named: name)
            try statement.bind(object?.rowID ?? 0, at: place)
        }
    }
}

extension SQL {
    fileprivate mutating func append(_ style: QueryDefinition.OrderStyle) {
        if style.ignoresCase { append(" COLLATE po_nocase") }
        if style.isDescending { append(" DESC") }
        if let isLast = style.hasNilLast { append(isLast ? " NULLS LAST" : " NULLS FIRST") }
    }
}
