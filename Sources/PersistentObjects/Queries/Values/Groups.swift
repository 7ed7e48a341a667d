internal import StoreEngine

/// The objects of a query in groups, for counts, sums, averages and extremes of each group.
///
/// ```swift
/// let best = try Order.query
///     .groups { ($0.customer, $0.day.year) }
///     .having { $0.count > 3 }
///     .order(.descending) { $0.sum(\.total) }
///     .limit(10)
/// for (customer, year, count, total) in try best.values({ ($0.count, $0.sum(\.total)) }) { … }
/// ```
///
/// Groups run one SELECT with `GROUP BY`; the only objects loaded are those used as keys. Groups have the order that
/// you specify; groups that are equal in it, or all groups without an order, are ordered by their keys.
public struct Groups<T: Persistent, each Key>: Sendable {
    private let definition: QueryDefinition
    private let keys: [QueryExpression]
    private var condition: QueryExpression?
    private var orders: [QueryDefinition.Order] = []
    private var count: Int?
    private var skipped: Int?

    init(_ definition: QueryDefinition, _ keys: [QueryExpression]) {
        self.definition = definition
        self.keys = keys
    }

    /// Returns the groups that also meet a condition: `HAVING` in SQL.
    ///
    /// ```swift
    /// Order.query.groups { $0.customer }.having { $0.count > 3 && $0.sum(\.total) > 100 }
    /// ```
    public func having(_ condition: (GroupColumns<T>) throws -> Condition) rethrows -> Groups {
        let further = try condition(GroupColumns()).expression
        var result = self
        result.condition = self.condition?.applying(.and, further) ?? further
        return result
    }

    /// Returns the groups ordered by a value of each group; further calls order equal groups.
    public func order<V, A>(
        _ order: Query<T>.Order = .ascending, nilLast: Bool? = nil,
        by value: (GroupColumns<T>) throws -> Term<V, A>
    ) rethrows -> Groups {
        let value = try value(GroupColumns()).expression
        var result = self
        result.orders.append(
            .init(expression: value, style: .init(isDescending: order == .descending, hasNilLast: nilLast)))
        return result
    }

    /// Returns the first groups only; a later limit replaces an earlier one.
    public func limit(_ count: Int) -> Groups {
        var result = self
        result.count = Swift.max(count, 0)
        return result
    }

    /// Returns the groups without the first ones.
    public func offset(_ count: Int) -> Groups {
        var result = self
        result.skipped = Swift.max(count, 0)
        return result
    }

    /// Returns the keys of each group and the values computed from it.
    ///
    /// ```swift
    /// let years = Order.query.groups { $0.day.year }
    /// for (year, count, total) in try years.values({ ($0.count, $0.sum(\.total)) }) { … }
    /// ```
    ///
    /// - Throws: `QueryError` for a value that no column can store; `StoreError` with the code `notRepresentable` for a
    ///   sum that does not fit into its type.
    public func values<each V, each A>(
        isolation: isolated (any Actor)? = #isolation,
        _ values: (GroupColumns<T>) throws -> (repeat Term<each V, each A>)
    ) throws -> [(repeat each Key, repeat each A)] {
        guard !keys.isEmpty else {
            throw QueryError.notExpressible("The query names no value to group by. Name at least one")
        }
        let terms = try values(GroupColumns())
        var computed: [QueryExpression] = []
        for term in repeat each terms { computed.append(term.expression) }
        guard !computed.isEmpty else {
            throw QueryError.notExpressible(
                "The query names no value to compute for each group. Name at least one, for example $0.count. Put "
                    + "conditions in having { } or among the keys")
        }
        var ordinal = 0
        func column<Value>(_ type: Value.Type) throws -> GroupColumn<Value> {
            defer { ordinal += 1 }
            return try GroupColumn(ordinal)
        }
        let keyColumns = (repeat try column((each Key).self))
        let valueColumns = (repeat try column((each A).self))
        let count = try read(computed) { row in
            for column in repeat each keyColumns { try column.read(row) }
            for column in repeat each valueColumns { try column.read(row) }
        } finish: { session in
            for column in repeat each keyColumns { try column.finish(session) }
            for column in repeat each valueColumns { try column.finish(session) }
        }
        return (0..<count).map { row in
            (repeat (each keyColumns).values[row], repeat (each valueColumns).values[row])
        }
    }

    /// The number of rows in each group of the only key.
    func counts<K: Hashable>(as type: K.Type) throws -> [K: Int] {
        let keys = try GroupColumn<K>(0)
        let numbers = try GroupColumn<Int>(1)
        _ = try read([GroupColumns<T>().count.expression]) { row in
            try keys.read(row)
            try numbers.read(row)
        } finish: { session in
            try keys.finish(session)
            try numbers.finish(session)
        }
        // Strings that are equal in Swift can have different bytes.
        return Dictionary(zip(keys.values, numbers.values), uniquingKeysWith: +)
    }

    /// Reads the rows of all groups and the objects that are keys, in one state. Returns the number of groups.
    private func read(
        _ computed: [QueryExpression], _ read: (ValueRow) throws -> Void, finish: (Session) throws -> Void
    ) throws -> Int {
        let resultKind = resultKind(computed.count)
        return try QueryCall(definition, "groups(by:)").run(selection(computed), of: [], resultKind) { query, ordinal in
            try query.session.readTransaction.inOneState {
                var count = 0
                _ =
                    try query.values(
                        resultKind,
                        { row in
                            count += 1
                            try read(row)
                        }, ordinal: ordinal) as [Void]
                try finish(query.session)
                return count
            }
        }
    }

    private func selection(_ computed: [QueryExpression]) -> [QueryExpression] {
        let parts = [count, skipped].compactMap { $0 }.map {
            QueryExpression(argument: .value(.integer(Int64($0))))
        }
        return keys + computed + (condition.map { [$0] } ?? []) + orders.map(\.expression) + parts
    }

    private func resultKind(_ valueCount: Int) -> ValueResultKind {
        .groups(
            GroupStyle(
                keyCount: keys.count, valueCount: valueCount, hasCondition: condition != nil,
                orders: orders.map(\.style), hasLimit: count != nil, hasOffset: skipped != nil))
    }
}

/// One column of the rows of groups.
private final class GroupColumn<Value> {
    private let reader: KeyReader<Value>
    private var raw: [KeyReader<Value>.Raw] = []
    private(set) var values: [Value] = []

    init(_ ordinal: Int) throws { reader = try KeyReader(ordinal) }

    func read(_ row: ValueRow) throws { raw.append(try reader.raw(row)) }

    /// Fetches the objects if the column contains references.
    func finish(_ session: Session) throws { values = try reader.keys(raw, session) }
}

extension Query {
    /// Returns the objects that the query finds in groups by one or several values: SQL's `GROUP BY`.
    ///
    /// ```swift
    /// let months = Order.query.groups { ($0.day.year, $0.day.month) }
    /// for (year, month, count) in try months.values({ $0.count }) { … }
    /// ```
    ///
    /// A key is any value computed from properties, including references. To get the objects themselves in groups, use
    /// `grouped(by:)`.
    public func groups<V, Key, each W, each More>(
        by keys: (Columns<T>) throws -> (Term<V, Key>, repeat Term<each W, each More>)
    ) rethrows -> Groups<T, Key, repeat each More> {
        let terms = try keys(Columns(scope: 0, scopes: ScopeCounter()))
        return Groups(definition, GroupKeys.expressions(of: terms))
    }

    /// Returns the objects in groups whose keys can include conditions, which become `Bool`s.
    ///
    /// ```swift
    /// let sizes = try Person.query.groups { ($0.age > 30, $0.employer == nil) }.values { $0.count }
    /// ```
    ///
    /// A Boolean property that may be nil can be such a condition too: nil counts as false.
    @_disfavoredOverload
    public func groups<each K: GroupKey>(
        by keys: (Columns<T>) throws -> (repeat each K)
    ) rethrows -> Groups<T, repeat (each K).Key> {
        let keys = try keys(Columns(scope: 0, scopes: ScopeCounter()))
        return Groups(definition, GroupKeys.expressions(of: keys))
    }
}
