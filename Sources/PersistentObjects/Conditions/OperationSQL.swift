internal import StoreEngine

/// The operations that are a function or an operator of SQL, no more.
enum OperationSQL {
    static func write(_ operation: QueryOperation, _ pop: () throws -> QueryOperand) throws -> QueryOperand {
        func binary(_ start: StaticString, _ middle: StaticString, _ end: StaticString) throws -> QueryOperand {
            let second = try pop()
            return try pop().checked().written(start, middle, second.checked(), end)
        }
        func unary(_ start: StaticString, _ end: StaticString) throws -> QueryOperand {
            try pop().checked().written(start, end)
        }
        switch operation {
        case .add: return try number(binary("(", " + ", ")"))
        case .subtract: return try number(binary("(", " - ", ")"))
        case .multiply: return try number(binary("(", " * ", ")"))
        // Nothing is divided by 0: NULL.
        case .divide: return try number(binary("(", " / ", ")")).nullable
        case .remainder: return try number(binary("(", " % ", ")")).nullable
        case .negate: return try number(unary("(-", ")"))
        case .concatenate: return try binary("(", " || ", ")")
        case .coalesce:
            let second = try pop()
            var result = try pop().checked().written("coalesce(", ", ", second.checked(), ")", isStrict: false)
            result.mayBeNull = second.mayBeNull
            return result
        case .glob: return try binary("", " GLOB ", "")
        case .regexp: return try binary("", " REGEXP ", "")
        case .contains: return try binary("instr(", ", ", ") > 0")
        case .hasSuffix:
            let count = try pop()
            let bytes = try pop()
            var result = try pop().checked().written("substr(CAST(", " AS BLOB), -", count, ") = ", bytes)
            result.mayBeNull = true
            return result
        case .hasPrefix:
            let end = try pop()
            let start = try pop()
            let value = try pop().checked()
            return value.written("", " >= ", start, " AND ", value.written("", " < ", end, ""))
        case .isNil, .isNotNil: return try isNil(pop(), operation == .isNil)
        case .isTrue: return try unary("", " = 1")
        case .lowercased: return try unary("po_lower(", ")")
        case .uppercased: return try unary("po_upper(", ")")
        case .folded: return try unary("po_fold(", ")")
        case .characterCount: return try unary("po_count(", ")")
        case .ignoringCase: return try unary("", " COLLATE po_nocase")
        case .datePart(let part): return try datePart(part, pop().checked())
        case .function(let call): return try call.written(pop)
        case .isIn(let decoded):
            let list = try pop()
            return try pop().checked().written(
                "", decoded ? " IN (SELECT po_value(value) FROM json_each(" : " IN (SELECT value FROM json_each(", list,
                "))")
        case .equal, .notEqual, .identical, .less, .lessOrEqual, .greater, .greaterOrEqual, .between, .and, .or, .not,
            .always,
            .never, .isEmpty, .isNotEmpty, .elementCount, .matchesText, .containsElement:
            throw QueryError.notExpressible("an operation stands where it has no meaning")
        }
    }

    /// A sum is worth what its numbers are; a Decimal is stored as text.
    private static func number(_ operand: QueryOperand) throws -> QueryOperand {
        try operand.checkOrder()
        return operand
    }

    private static func isNil(_ operand: QueryOperand, _ isNil: Bool) throws -> QueryOperand {
        var sql: SQL
        if case .collection(let place, let row) = operand.content {
            // The column of an optional collection says whether there is one.
            guard row.map.properties[place].hasColumn else {
                throw QueryError.notExpressible("a collection that is not optional is never nil; ask isEmpty")
            }
            sql = SQL()
            sql.append(column: row.map.properties[place].column, of: row.alias)
        } else {
            sql = operand.sql
        }
        sql.append(isNil ? " IS NULL" : " IS NOT NULL")
        return QueryOperand(sql, mayBeNull: false, needed: isNil ? [] : operand.needed)
    }

    private static func datePart(_ part: QueryOperation.DatePart, _ date: QueryOperand) -> QueryOperand {
        // Dates are stored as seconds since 2001, SQLite counts from 1970.
        var sql = SQL("(CAST(strftime(")
        if let literal = SQLLiteral(.text(part.rawValue)) { sql.append(literal: literal) }
        sql.append(", ")
        sql.append(date.sql)
        sql.append(" + 978307200, 'unixepoch') AS INTEGER)")
        if part == .weekday { sql.append(" + 1") }
        sql.append(")")
        return QueryOperand(sql, mayBeNull: true)
    }
}
