internal import StoreEngine

/// The operations that are a single SQL function or operator.
struct OperationSQL {
    let dialect: Dialect

    /// The operation on the operands that `pop` returns, the last operand first.
    func write(_ operation: QueryOperation, _ pop: () throws -> QueryOperand) throws -> QueryOperand {
        func unary(_ make: (SQL) -> SQL) throws -> QueryOperand {
            let value = try pop().checked()
            return value.making(make(value.sql))
        }
        func binary(_ make: (SQL, SQL) -> SQL) throws -> QueryOperand {
            let (second, first) = (try pop(), try pop().checked())
            return first.making(make(first.sql, try second.checked().sql), with: second)
        }
        func ternary(_ make: (SQL, SQL, SQL) -> SQL) throws -> QueryOperand {
            let (third, second, first) = (try pop(), try pop(), try pop().checked())
            return first.making(make(first.sql, second.sql, third.sql), with: second, third)
        }
        switch operation {
        case .add: return try number(binary { "(\($0) + \($1))" })
        case .subtract: return try number(binary { "(\($0) - \($1))" })
        case .multiply: return try number(binary { "(\($0) * \($1))" })
        // Division by 0 is NULL.
        case .divide: return try number(binary { "(\($0) / \(dialect.divisor($1)))" }).nullable
        case .remainder: return try number(binary { "(\($0) % \(dialect.divisor($1)))" }).nullable
        case .negate: return try number(unary { "(-\($0))" })
        case .concatenate: return try binary { "(\($0) || \($1))" }
        case .glob: return try binary { dialect.matches(.glob, $0, $1) }
        case .regexp, .anchoredRegexp, .contains:
            let (pattern, text) = (try pop(), try pop().checked())
            if operation != .contains { try text.check(.regularExpression, dialect) }
            return text.matched(operation, try pattern.checked(), dialect)
        case .hasSuffix: return try ternary(dialect.hasSuffix).nullable
        case .hasPrefix:
            let (end, first, text) = (try pop(), try pop(), try pop().checked())
            return text.hasPrefix(first, end, dialect)
        case .isNil, .isNotNil: return try isNil(pop(), operation == .isNil)
        case .isTrue: return try unary(dialect.isTrue)
        case .lowercased: return try unary { dialect.text(.lowercased, $0) }
        case .uppercased: return try unary { dialect.text(.uppercased, $0) }
        case .folded: return try pop().checked().folded(dialect)
        case .unaccented: return try unary { dialect.text(.unaccented, $0) }
        case .characterCount:
            let text = try pop().checked()
            try text.check(.characterCount, dialect)
            return text.making(dialect.text(.characterCount, text.sql))
        case .ignoringCase: return try unary(dialect.ignoringCase)
        case .datePart(let part):
            let date = try pop().checked()
            let seconds = dialect.secondsSince2001(date.sql, date.codec)
            return QueryOperand(dialect.datePart(part.part, seconds, part.zone), mayBeNull: true)
        case .truth:
            let sql: SQL = "CAST(CASE WHEN \(try pop().sql) THEN 1 ELSE 0 END AS BIGINT)"
            guard let codec = QueryArguments.codec(for: Int.self) else { return QueryOperand(sql, mayBeNull: false) }
            var number = QueryOperand(sql, givenAs: codec)
            number.mayBeNull = false
            return number
        // The value depends on no row, so it cannot be NULL.
        case .random: return QueryOperand("random()", mayBeNull: false)
        case .function(let call): return try call.written(dialect, pop)
        case .equal, .notEqual, .identical, .less, .lessOrEqual, .greater, .greaterOrEqual, .between, .and, .or, .not,
            .always,
            .never, .isEmpty, .isNotEmpty, .elementCount, .matchesText, .containsElement, .isIn, .valueOfKey,
            .elementAggregate, .groupAggregate, .raw, .isOfHistory, .coalesce, .scaled:
            throw QueryError.notExpressible("The expression has an operation where it has no meaning")
        }
    }

    /// Checks that SQL can calculate with the numbers. A `Decimal` without a scale is stored as a string.
    private func number(_ operand: QueryOperand) throws -> QueryOperand {
        try operand.checkOrder()
        try operand.checkNumber()
        return operand
    }

    private func isNil(_ operand: QueryOperand, _ isNil: Bool) throws -> QueryOperand {
        var sql = operand.sql
        if case .list(let list) = operand.content { return list.isNil(isNil, dialect) }
        if case .collection(let ordinal, let row) = operand.content {
            // The column of an optional collection states whether it is nil.
            guard row.map.properties[ordinal].hasColumn else {
                throw QueryError.notExpressible("A collection that is not optional is never nil. Use isEmpty")
            }
            sql = "\(column: row.map.properties[ordinal].column, of: row.alias)"
        }
        return QueryOperand(
            isNil ? "\(sql) IS NULL" : "\(sql) IS NOT NULL", mayBeNull: false, needed: isNil ? [] : operand.needed)
    }
}

extension Dialect {
    /// A date as seconds since 2001, from any form in which a column can store it.
    fileprivate func secondsSince2001(_ date: SQL, _ codec: PropertyCodec?) -> SQL {
        switch codec?.format {
        case .dateTime?, .iso8601?, .day?, .julianDay?: secondsOfDate(date)
        case .unixSeconds?: "(\(date) - 978307200)"
        case .unixMilliseconds?: "(\(date) / 1000.0 - 978307200)"
        case .secondsSince2001?, .uuidText?, .uuidBlob?, .scaled?, nil: date
        }
    }
}
