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

/// The expressions of group keys.
enum GroupKeys {
    /// The expressions of a single key or of a tuple of keys. It is not generic over the tuple's types, because the
    /// Swift 6.3 compiler crashes on a generic tuple that contains a pack.
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
