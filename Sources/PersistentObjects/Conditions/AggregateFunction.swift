internal import StoreEngine

/// An SQL aggregate function.
enum AggregateFunction: Hashable, Sendable {
    case rows, count
    case sum, total, average
    case minimum, maximum
    /// The sums of the upper and of the lower 32 bits of 64-bit integers, which cannot overflow.
    case sumOfUpperHalves, sumOfLowerHalves

    /// - Parameter isDecimal: Whether the values are decimal numbers, which are not ordered like their strings.
    func of(_ column: SQL, isDecimal: Bool = false, _ dialect: Dialect) -> SQL {
        switch self {
        case .minimum where isDecimal: dialect.decimalText("min(\(dialect.decimalOrder(column)))")
        case .maximum where isDecimal: dialect.decimalText("max(\(dialect.decimalOrder(column)))")
        case .rows: "count(*)"
        case .count: "count(\(column))"
        case .sum: "sum(\(column))"
        case .total: dialect.total(column)
        case .average: "CAST(avg(\(column)) AS DOUBLE PRECISION)"
        case .minimum: "min(\(column))"
        case .maximum: "max(\(column))"
        case .sumOfUpperHalves: "sum(\(column) >> 32)"
        case .sumOfLowerHalves: "sum(\(column) & 4294967295)"
        }
    }

    /// The aggregate of an operand's values, as one value of an expression.
    ///
    /// - Parameter rows: Puts the aggregate's SQL into a subquery over the elements of a collection.
    /// - Throws: `QueryError` if the values have no order, or cannot be added.
    func written(
        of value: QueryOperand, _ dialect: Dialect, needed: Set<String>, _ rows: (SQL) -> SQL = { $0 }
    ) throws -> QueryOperand {
        let value = try value.checked()
        guard self != .count, self != .rows else {
            return QueryOperand(rows(of(value.sql, dialect)), mayBeNull: false)
        }
        try value.checkOrder()
        let scale = value.decimalScale
        if scale == nil, self == .sum || self == .average || self == .total { try value.checkNumber() }
        var sql = rows(of(value.sql, isDecimal: value.isDecimal, dialect))
        // Some engines return the sum of integers in a different type.
        if self == .sum, value.codec?.columnType == .integer { sql = dialect.wholeSum(sql) }
        guard self != .average, self != .total, let codec = value.codec else {
            if let scale { sql = "(\(sql) / \(number: ScaledDecimal.powerOfTen(scale)).0)" }
            return QueryOperand(sql, mayBeNull: true, needed: needed)
        }
        let made = QueryOperand(sql, made: codec, needed: needed)
        return try scale.map { try made.scaled($0) } ?? made
    }
}
