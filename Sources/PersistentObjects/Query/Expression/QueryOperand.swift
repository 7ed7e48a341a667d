internal import Foundation
internal import StoreEngine

/// What a part of an expression is in SQL.
struct QueryOperand {
    let content: Content
    /// Whether it can be NULL: of a condition, unknown.
    var mayBeNull: Bool
    /// The codec of the property that it is.
    private(set) var codec: PropertyCodec?
    /// The number of the argument that it is, from 1.
    private(set) var placeholder: Int?

    enum Content {
        case sql(SQL)
        /// All of these hold.
        case all([SQL])
        /// One of these holds at least.
        case any([SQL])
        /// A collection or inverse of a row, by its place.
        case collection(Int, QueryScope.Row)
    }

    init(_ sql: SQL, mayBeNull: Bool) { self.init(.sql(sql), mayBeNull: mayBeNull) }

    private init(_ content: Content, mayBeNull: Bool) {
        self.content = content
        self.mayBeNull = mayBeNull
    }

    init(column: String, of row: QueryScope.Row) {
        var sql = SQL()
        sql.append(column: column, of: row.alias)
        self.init(sql, mayBeNull: row.mayBeMissing)
    }

    init(_ property: Property, place: Int, of row: QueryScope.Row) {
        self.init(column: property.column, of: row)
        // Columns of subclasses are NULL in rows of other classes.
        mayBeNull = row.mayBeMissing || property.codec.acceptsNull || property.level > row.map.rootLevel
        codec = property.codec
    }

    init(collection place: Int, of row: QueryScope.Row) { self.init(.collection(place, row), mayBeNull: false) }

    init(placeholder number: Int) {
        var sql = SQL()
        sql.append(placeholder: number)
        self.init(sql, mayBeNull: false)
        placeholder = number
    }

    var nullable: QueryOperand {
        var result = self
        result.mayBeNull = true
        return result
    }

    /// The codec, where it is a key.
    var key: PropertyCodec? { codec.flatMap { $0.isKey ? $0 : nil } }

    var sql: SQL {
        switch content {
        case .sql(let sql): sql
        case .all(let parts): QueryOperand.joined(parts, " AND ")
        case .any(let parts): QueryOperand.joined(parts, " OR ")
        case .collection: SQL("NULL")
        }
    }

    /// In a tree of a few hundred branches a node: SQLite reads a list of thousands as a tree as deep, and refuses it.
    private static func joined(_ parts: [SQL], _ separator: StaticString) -> SQL {
        let width = 200
        var parts = parts
        while parts.count > width {
            parts = stride(from: 0, to: parts.count, by: width).map { start in
                joined(Array(parts[start..<Swift.min(start + width, parts.count)]), separator)
            }
        }
        var sql = SQL()
        sql.append(parts, separator: separator) { sql, part in
            sql.append("(")
            sql.append(part)
            sql.append(")")
        }
        return sql
    }
}

// Conditions.
extension QueryOperand {
    func and(_ other: QueryOperand) -> QueryOperand {
        QueryOperand(.all(parts(.all) + other.parts(.all)), mayBeNull: mayBeNull || other.mayBeNull)
    }

    func or(_ other: QueryOperand) -> QueryOperand {
        QueryOperand(.any(parts(.any) + other.parts(.any)), mayBeNull: mayBeNull || other.mayBeNull)
    }

    private func parts(_ quantifier: QueryExpression.Quantifier) -> [SQL] {
        switch (content, quantifier) {
        case (.all(let parts), .all), (.any(let parts), .any): parts
        default: [sql]
        }
    }

    /// The opposite: of what is unknown, true.
    var negated: QueryOperand {
        var result = SQL(mayBeNull ? "(" : "NOT (")
        result.append(sql)
        result.append(mayBeNull ? ") IS NOT TRUE" : ")")
        return QueryOperand(result, mayBeNull: false)
    }

    func compared(_ operation: QueryOperation, _ other: QueryOperand) throws -> QueryOperand {
        let (a, b) = (try checked(), try other.checked())
        let bothMayBeNull = a.mayBeNull && b.mayBeNull
        return switch operation {
        // `IS` says that nil equals nil; where one side has a value, `=` leaves SQLite more ways to go.
        case .equal: a.written("", bothMayBeNull ? " IS " : " = ", b, "", mayBeNull: !bothMayBeNull)
        case .notEqual: a.written("", a.mayBeNull || b.mayBeNull ? " IS NOT " : " <> ", b, "", mayBeNull: false)
        case .less: a.written("", " < ", b, "")
        case .lessOrEqual: a.written("", " <= ", b, "")
        case .greater: a.written("", " > ", b, "")
        default: a.written("", " >= ", b, "")
        }
    }

    /// A value; a collection is none.
    func checked() throws -> QueryOperand {
        if case .collection(let place, let row) = content {
            throw QueryError.notExpressible(
                "\(row.map.name).\(row.map.properties[place].name) is a collection, which is compared with nothing but nil; "
                    + "ask contains, isEmpty, count or any { }")
        }
        return self
    }

    /// Whether the column's order is that of the values.
    func checkOrder() throws {
        guard let codec else { return }
        let type = (codec.valueType as? any OptionalType.Type)?.wrapped ?? codec.valueType
        let isStoredInOrder =
            type is any ColumnScalar.Type || type is any RawRepresentable.Type
            || type is any PersistentValue.Type
        guard isStoredInOrder, type != Decimal.self else {
            throw QueryError.notExpressible(
                "\(type) is stored in a form that has not the order of its values, nor can be calculated with")
        }
    }
}

// Pieces of SQL around operands.
extension QueryOperand {
    func written(_ start: StaticString, _ end: StaticString) -> QueryOperand {
        var sql = SQL(start)
        sql.append(self.sql)
        sql.append(end)
        return QueryOperand(.sql(sql), mayBeNull: mayBeNull, codec)
    }

    func written(
        _ start: StaticString, _ middle: StaticString, _ other: QueryOperand, _ end: StaticString,
        mayBeNull: Bool? = nil
    ) -> QueryOperand {
        var sql = SQL(start)
        sql.append(self.sql)
        sql.append(middle)
        sql.append(other.sql)
        sql.append(end)
        let isNullable = self.mayBeNull || other.mayBeNull
        return QueryOperand(.sql(sql), mayBeNull: mayBeNull.map { $0 && isNullable } ?? isNullable, codec)
    }

    func written(
        _ start: StaticString, _ first: StaticString, _ second: QueryOperand, _ middle: StaticString,
        _ third: QueryOperand
    ) -> QueryOperand {
        written(start, first, second, "").written("", middle, third, "")
    }

    private init(_ content: Content, mayBeNull: Bool, _ codec: PropertyCodec?) {
        self.init(content, mayBeNull: mayBeNull)
        self.codec = codec
    }
}
