internal import StoreEngine

/// What a join of classes asks, apart from the types that it answers in.
///
/// The objects of its sides are spoken of by numbers that no closure within has:
/// 0 for the first, -1 for the second, and so on.
struct JoinDefinition: Sendable {
    /// One of the classes.
    struct Side: Sendable {
        let type: PersistentObject.Type
        /// What its objects must meet together with those before; nil for the first.
        let condition: QueryExpression?
        /// Whether there may be no object.
        let isOptional: Bool
    }

    private(set) var sides: [Side]
    private(set) var condition: QueryExpression?
    var orders: [QueryDefinition.Order] = []
    var limit: Int?
    var offset = 0
    private var problemOfStart: (any Error)?

    /// The objects of a query, to be joined with other classes.
    init(_ start: QueryDefinition) {
        sides = [Side(type: start.type, condition: nil, isOptional: false)]
        condition = start.condition
        orders = start.orders
        if start.limit != nil || start.offset != 0 {
            problemOfStart = QueryError.notExpressible(
                "A query with a limit or offset cannot be joined. Specify them after the join")
        } else if !start.parts.isEmpty || start.isUntracked {
            problemOfStart = QueryError.notExpressible("A join supports neither including nor untracked")
        }
    }

    /// The number of the side that would be added.
    var nextScope: Int { -sides.count }

    /// Joins a class, whose default scope counts.
    mutating func join(_ type: PersistentObject.Type, isOptional: Bool, _ condition: QueryExpression) {
        let own = QueryDefinition.scope(of: type)?.speaking(of: nextScope)
        sides.append(
            Side(type: type, condition: own?.applying(.and, condition) ?? condition, isOptional: isOptional))
    }

    mutating func add(_ other: QueryExpression) { condition = condition?.applying(.and, other) ?? other }

    /// Its expressions in the order in which they are written.
    private var expressions: [QueryExpression] {
        sides.compactMap(\.condition) + [condition].compactMap(\.self) + orders.map(\.expression)
    }

    /// The values in the order of their placeholders, without limit and offset.
    var arguments: [QueryExpression.Argument] { expressions.flatMap(\.arguments) }

    /// Throws what is known to be wrong without a look into the store.
    func check() throws {
        guard let problem = problemOfStart ?? expressions.lazy.compactMap(\.problem).first else { return }
        throw (problem as? StoreError)?.at(className: String(describing: sides[0].type)) ?? problem
    }
}
