internal import Foundation
internal import StoreEngine

// Aggregate finders: `sumOfAge()`, `maxOfAgeByLastName("Smith")`.
extension FinderCall {
    /// The result as `V?`; nil if there are no values.
    func aggregate<V>(_: V.Type) throws -> V? {
        try inSession { space, plan in
            guard case .aggregate(let aggregate, of: let ordinals) = plan.parsed.subject else {
                throw plan.wrongAnswer(TypeSpelling.of(V?.self))
            }
            let (path, map, name) = try FinderCriterion.follow(ordinals, from: space.map)
            var definition = try plan.definition(checking: arguments)
            definition.selection = [path.expression]
            let query = try BoundQuery(definition, space)
            // Nil for the id, which is an integer.
            let codec = ordinals.last.flatMap { $0 < map.properties.count ? map.properties[$0].codec : nil }
            let property = plan.valueType(ordinals)
            switch aggregate {
            case .minimum, .maximum:
                guard property == V.self, codec.map(QueryOperand.isStoredInOrder) ?? true else {
                    throw plan.wrongAnswer(TypeSpelling.of(V?.self), use: "\(property)?")
                }
                let reader = try ColumnReader<V?>(0)
                let function: AggregateFunction = aggregate == .minimum ? .minimum : .maximum
                return try query.values(.aggregate([function]), { try reader.value($0) }).first ?? nil
            case .sum, .total, .average:
                if property == Decimal.self { return try decimal(aggregate, query, plan) }
                guard property is any (ColumnScalar & Numeric).Type, codec?.columnType != .text else {
                    throw QueryError.notExpressible(
                        "In \(space.map.name).\(plan.name): SQL cannot add values of type "
                            + "\(TypeSpelling.of(property)). Use query.sum(\\.\(name))")
                }
                return try number(aggregate, query, plan)
            }
        }
    }

    private func number<V>(
        _ aggregate: ParsedFinder.Aggregate, _ query: BoundQuery, _ plan: FinderPlan
    ) throws -> V? {
        let functions: [AggregateFunction] = aggregate == .sum ? [.sum, .count] : [.total, .count]
        let row = try query.values(.aggregate(functions)) { row in
            let sum = row.statement.column(0)
            return (integer: sum.integer, real: sum.real, count: row.statement.integer(1))
        }.first
        guard let row, row.count > 0 || aggregate == .total else { return nil }
        // An integer sum stays an integer, because a Double cannot represent all integers.
        if aggregate == .sum, let integer = row.integer {
            guard let type = V.self as? any Numeric.Type, let value = FinderCall.exactly(integer, as: type) as? V else {
                throw plan.wrongAnswer(TypeSpelling.of(V?.self), use: "Int?")
            }
            return value
        }
        var number = row.real ?? 0
        if aggregate == .average { number /= Double(row.count) }
        guard let value = number as? V ?? Float(number) as? V else {
            throw plan.wrongAnswer(TypeSpelling.of(V?.self), use: "Double?")
        }
        return value
    }

    /// Decimal numbers are stored as strings and added in Swift.
    private func decimal<V>(_ aggregate: ParsedFinder.Aggregate, _ query: BoundQuery, _ plan: FinderPlan) throws -> V? {
        let reader = try ColumnReader<Decimal?>(0)
        let values = try query.values(.all, { try reader.value($0) }).compactMap { $0 }
        guard !values.isEmpty || aggregate == .total else { return nil }
        let sum = try values.reduce(Decimal(0)) { sum, value in
            guard let sum = DecimalSum.exact(sum, value) else {
                throw StoreError(
                    .notRepresentable, "The sum of \(plan.name) has more digits than a Decimal can hold",
                    className: query.space.map.name)
            }
            return sum
        }
        let exact = aggregate == .average ? sum / Decimal(values.count) : sum
        if aggregate != .total, let answer = exact as? V { return answer }
        if aggregate != .sum, let answer = NSDecimalNumber(decimal: exact).doubleValue as? V { return answer }
        throw plan.wrongAnswer(TypeSpelling.of(V?.self), use: aggregate == .total ? "Double?" : "Decimal?")
    }

    private static func exactly<N: Numeric>(_ number: Int64, as _: N.Type) -> N? { N(exactly: number) }
}

extension FinderPlan {
    /// The type of an aggregate of the property at the end of a path, without an optional.
    func aggregateType(_ aggregate: ParsedFinder.Aggregate, _ ordinals: [Int]) -> Any.Type {
        guard aggregate != .total else { return Double.self }
        let type = valueType(ordinals)
        if aggregate == .average { return type is Decimal.Type ? Decimal.self : Double.self }
        guard aggregate == .sum, !(type is Decimal.Type) else { return type }
        if type is any BinaryFloatingPoint.Type { return Double.self }
        return Int.self
    }
}
