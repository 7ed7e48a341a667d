// Values: results of a query other than objects: values of properties, sums, extremes, groups. It reads columns, and
// must create no object.

internal import Foundation
internal import StoreEngine

/// The value by which an aggregate groups its rows.
struct Grouping<Key: Hashable> {
    private let key: Key?
    private let by: (value: SelectedValue, reader: KeyReader<Key>)?

    init(by path: AnyKeyPath) throws { try self.init(by: SelectedValue(path)) }

    init(by value: SelectedValue) throws {
        key = nil
        by = (value, try KeyReader())
    }

    fileprivate init(all key: Key) {
        self.key = key
        by = nil
    }

    /// The selected values, the key first.
    func values(_ value: SelectedValue? = nil) -> [SelectedValue] { [by?.value, value].compactMap { $0 } }
    func resultKind(_ functions: AggregateFunction...) -> ValueResultKind {
        by == nil ? .aggregate(functions) : .grouped(functions)
    }

    /// The place of the first column after the key.
    var ordinal: Int { by == nil ? 0 : 1 }

    /// The raw key in a statement's row.
    func raw(_ row: ValueRow) throws -> KeyReader<Key>.Raw? { try by?.reader.raw(row) }

    /// The keys of rows.
    func keys(_ raw: [KeyReader<Key>.Raw?], _ session: Session) throws -> [Key] {
        guard let by else { return raw.compactMap { _ in key } }
        return try by.reader.keys(raw.compactMap { $0 }, session)
    }

    /// Whether the keys are objects, which are fetched after the statement.
    var readsObjects: Bool { by?.reader.readsObjects ?? false }
}

/// The only group of an aggregate over all rows.
enum AllRows: Hashable { case all }

extension Grouping where Key == AllRows {
    static var none: Grouping { Grouping(all: .all) }
}

/// An aggregate of one value of each row, for each group of rows.
///
/// Groups without values are left out.
struct Aggregate<Value, Key: Hashable> {
    let query: QueryCall
    let value: SelectedValue
    let grouping: Grouping<Key>

    init(query: QueryCall, path: AnyKeyPath, grouping: Grouping<Key>) {
        self.init(query: query, value: SelectedValue(path), grouping: grouping)
    }

    init(query: QueryCall, value: SelectedValue, grouping: Grouping<Key>) {
        self.query = query
        self.value = value
        self.grouping = grouping
    }

    /// The results of each group, read from its rows. Groups without values are left out.
    private func collected<R>(
        _ resultKind: ValueResultKind, _ read: (ValueRow, Int) throws -> R?, _ join: (R, R) throws -> R
    ) throws -> [Key: R] {
        let rows = try query.rows(grouping.values(value), resultKind, grouping) { row in
            try read(row, grouping.ordinal)
        }
        var result: [Key: R] = [:]
        for case (let key, let value?) in rows {
            // Keys that are equal in Swift can have different bytes, so they can be several groups in SQLite.
            result[key] = try result[key].map { try join($0, value) } ?? value
        }
        return result
    }

    /// The values of each group, combined in Swift.
    private func joined(_ resultKind: ValueResultKind, _ join: (Value, Value) throws -> Value) throws -> [Key: Value] {
        let reader = try ColumnReader<Value?>(grouping.ordinal)
        return try collected(resultKind, { row, _ in try reader.value(row) }, join)
    }
}

// Sums.
extension Aggregate where Value: Numeric {
    private enum Kind { case integer, real, other }

    private var kind: Kind {
        if Value.self is any IntegerScalar.Type { return .integer }
        return Value.self == Double.self || Value.self == Float.self ? .real : .other
    }

    func sums() throws -> [Key: Value] {
        switch kind {
        case .integer: try integers().mapValues { try fitting(Value(exactly: $0)) }
        case .real: try realSums().mapValues { try fitting(real($0)) }
        case .other: try joined(.all, added)
        }
    }

    func averages() throws -> [Key: Double] { try totals().mapValues { $0.sum / Double($0.count) } }

    /// The sums of real numbers.
    private func realSums() throws -> [Key: Double] {
        // If the property is not optional, every row has a value and usually no values need to be counted.
        if let path = value.path, !(type(of: path).valueType is any OptionalType.Type) {
            do {
                var areClear = true
                let sums = try collected(
                    grouping.resultKind(.sum),
                    { row, ordinal in
                        let sum = row.statement.column(Int32(ordinal)).real
                        if sum == nil { areClear = false }
                        return sum
                    }, +)
                if areClear { return sums }
            } catch let error as StoreError where error.isIntegerOverflow {
                // A column of an existing table can contain integers.
            }
        }
        return try totals().mapValues(\.sum)
    }

    /// The sums as `Double`, with the numbers of values.
    func totals() throws -> [Key: (sum: Double, count: Int64)] {
        guard kind == .other else {
            return try collected(
                grouping.resultKind(.total, .count),
                { row, ordinal in
                    let count = row.statement.integer(Int32(ordinal) + 1)
                    guard count > 0 else { return nil }
                    // SQLite stores NaN as NULL, and the sum of infinities of both signs is NaN.
                    return (row.statement.column(Int32(ordinal)).real ?? .nan, count)
                }, { ($0.0 + $1.0, $0.1 + $1.1) })
        }
        guard Value.self == Decimal.self else {
            throw QueryError.notExpressible(
                "\(TypeSpelling.of(Value.self)) cannot be converted to Double. Use the sum instead")
        }
        return try countedSums().mapValues { sum, count in
            ((sum as? Decimal).map { NSDecimalNumber(decimal: $0).doubleValue } ?? .nan, count)
        }
    }

    /// The sums, added in Swift, with the numbers of values.
    fileprivate func countedSums() throws -> [Key: (sum: Value, count: Int64)] {
        let reader = try ColumnReader<Value?>(grouping.ordinal)
        return try collected(
            .all, { row, _ in try reader.value(row).map { ($0, 1 as Int64) } },
            { (try added($0.0, $1.0), $0.1 + $1.1) })
    }

    private func integers() throws -> [Key: Int128] {
        do {
            return try collected(
                grouping.resultKind(.sum),
                { row, ordinal in
                    let column = row.statement.column(Int32(ordinal))
                    if column.isNull { return nil }
                    // A computed integer becomes REAL if it does not fit in 64 bits.
                    if column.integer == nil, value.path == nil {
                        throw query.failure(
                            .notRepresentable, "A number in the sum does not fit in 64 bits. Use total { } instead",
                            nil)
                    }
                    // An existing table may contain REAL values in the column.
                    let number = column.integer.map { Int128($0) } ?? column.real.flatMap { Int128(exactly: $0) }
                    guard let number else {
                        throw ColumnFault(
                            fault: .typeMismatch(expected: "INTEGER", found: column.storageClass), ordinal: ordinal)
                    }
                    return number
                }, +)
        } catch let error as StoreError where error.isIntegerOverflow {
            // Whether the engine's running sum overflows depends on the order of the rows. The sum itself does not.
            return try collected(
                grouping.resultKind(.sumOfUpperHalves, .sumOfLowerHalves),
                { row, ordinal in
                    if row.statement.column(Int32(ordinal)).isNull { return nil }
                    return Int128(row.statement.integer(Int32(ordinal))) << 32
                        + Int128(row.statement.integer(Int32(ordinal) + 1))
                }, +)
        }
    }

    private func real(_ sum: Double) -> Value? {
        if let sum = sum as? Value { return sum }
        let float = Float(sum)
        return float.isInfinite == sum.isInfinite ? float as? Value : nil
    }

    private func added(_ a: Value, _ b: Value) throws -> Value {
        guard let x = a as? Decimal, let y = b as? Decimal else { return a + b }
        return try fitting(DecimalSum.exact(x, y) as? Value)
    }

    private func fitting(_ sum: Value?) throws -> Value {
        guard let sum else {
            throw query.failure(
                .notRepresentable,
                "The sum does not fit in \(TypeSpelling.of(Value.self)). Use total(_:), which returns a Double",
                value.path
            )
        }
        return sum
    }
}

extension Aggregate where Value == Decimal {
    /// The averages, with as many digits as a `Decimal` has.
    func exactAverages() throws -> [Key: Decimal] { try countedSums().mapValues { $0.sum / Decimal($0.count) } }
}

// Minimum and maximum values.
extension Aggregate where Value: Comparable {
    /// The minimum or maximum value of each group.
    func extremes(_ function: AggregateFunction) throws -> [Key: Value] {
        let join: (Value, Value) -> Value = function == .minimum ? { Swift.min($0, $1) } : { Swift.max($0, $1) }
        // Values of other types are compared in Swift, because their order can differ from the order of their columns.
        guard isInOrder else { return try joined(.distinct(isOrdered: false), join) }
        return try joined(grouping.resultKind(function), join)
    }

    private var isInOrder: Bool {
        Value.self is any IntegerScalar.Type
            || [
                Double.self, Float.self, Date.self, String.self, Substring.self, Character.self, UUID.self,
                Decimal.self,
            ].contains { $0 == Value.self }
    }
}
