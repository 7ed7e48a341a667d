internal import StoreEngine

/// A key to group objects by: a value computed from their properties, or a condition.
///
/// Do not conform to this protocol.
public protocol GroupKey {
    /// The type of the key in a group.
    associatedtype Key
}

extension Term: GroupKey {
    /// The type of the value, optional if it can be nil.
    public typealias Key = Argument
}

extension Condition: GroupKey {
    /// Whether the condition holds.
    public typealias Key = Bool
}

/// The keys of groups as expressions.
enum GroupKeys {
    /// Those of one key or of a tuple of some. (What is generic over the types of a tuple with a pack in it ends the compiler of
    /// Swift 6.3.)
    static func expressions(of keys: Any) -> [QueryExpression] {
        if let key = keys as? any ExpressibleKey { return [key.keyExpression] }
        return Mirror(reflecting: keys).children.map { child in
            if let key = child.value as? any ExpressibleKey { return key.keyExpression }
            var expression = QueryExpression()
            expression.fail(
                QueryError.notExpressible(
                    "\(TypeSpelling.ofValue(child.value)) is neither a value of a query nor a condition"))
            return expression
        }
    }
}

private protocol ExpressibleKey {
    var keyExpression: QueryExpression { get }
}

extension Term: ExpressibleKey {
    fileprivate var keyExpression: QueryExpression { expression }
}

extension Condition: ExpressibleKey {
    fileprivate var keyExpression: QueryExpression { asNumber }
}
