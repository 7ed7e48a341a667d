internal import StoreEngine

/// The definition of a join of classes, without its result types.
///
/// The scope numbers of its sides are used by no closure: 0 for the first side, -1 for the second, and so on.
struct JoinDefinition: Sendable {
    /// One of the classes.
    struct Side: Sendable {
        let type: PersistentObject.Type
        /// The condition on its objects and the objects of earlier sides; nil for the first side.
        let condition: QueryExpression?
        /// Whether a result may have no object on this side.
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

    /// The scope number of the next side.
    var nextScope: Int { -sides.count }

    /// Joins a class. Its default scope applies.
    mutating func join(_ type: PersistentObject.Type, isOptional: Bool, _ condition: QueryExpression) {
        let own = QueryDefinition.scope(of: type)?.rescoped(to: nextScope)
        sides.append(
            Side(type: type, condition: own?.applying(.and, condition) ?? condition, isOptional: isOptional))
    }

    mutating func add(_ other: QueryExpression) { condition = condition?.applying(.and, other) ?? other }

    /// All expressions, in the order in which they are written.
    private var expressions: [QueryExpression] {
        sides.compactMap(\.condition) + [condition].compactMap(\.self) + orders.map(\.expression)
    }

    /// The values in the order of their placeholders, without limit and offset.
    var arguments: [QueryExpression.Argument] { expressions.flatMap(\.arguments) }

    /// Throws errors that can be detected without the store.
    func check() throws {
        guard let problem = problemOfStart ?? expressions.lazy.compactMap(\.problem).first else { return }
        throw (problem as? StoreError)?.at(className: String(describing: sides[0].type)) ?? problem
    }
}
