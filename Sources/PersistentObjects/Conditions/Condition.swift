/// A condition on the objects of a query: the result of the closure of `where`.
///
/// Conditions are joined by `&&` and `||` and negated by `!`. Each is true or false, never unknown: a comparison with a
/// property that is nil works as in Swift, so `$0.nick != "Jo"` holds for objects without a nick.
public struct Condition: Sendable {
    let expression: QueryExpression

    init(_ expression: QueryExpression) { self.expression = expression }

    /// The condition of a class without a default scope. All objects meet it.
    static var none: Condition { Condition(QueryExpression()) }

    /// Whether the condition is empty, so that all objects meet it.
    var isNone: Bool { expression.isEmpty }

    /// 1 if the condition holds, otherwise 0.
    var asNumber: QueryExpression {
        (isNone ? QueryExpression(.operation(.always)) : expression).applying(.truth)
    }

    /// The condition that a Boolean property is true.
    init(truthOf expression: QueryExpression) { self.expression = expression.applying(.isTrue) }

    /// Whether both conditions hold.
    public static func && (a: Condition, b: Condition) -> Condition {
        if a.isNone || b.isNone { return a.isNone ? b : a }
        return Condition(a.expression.applying(.and, b.expression))
    }

    /// Whether at least one of the conditions holds.
    public static func || (a: Condition, b: Condition) -> Condition {
        if a.isNone || b.isNone { return .none }
        return Condition(a.expression.applying(.or, b.expression))
    }

    /// The negation of a condition.
    public static prefix func ! (a: Condition) -> Condition {
        Condition(a.isNone ? QueryExpression(.operation(.never)) : a.expression.applying(.not))
    }

    /// Whether a condition holds or does not; for a property, whether it is true, false or nil.
    public static func == (a: Condition, b: Bool?) -> Condition {
        guard let value = a.expression.dropping(.isTrue) else {
            return switch b {
            case true: a
            case false: !a
            case nil: Condition(QueryExpression(.operation(.never)))
            }
        }
        return Condition(value.comparing(.equal, QueryExpression(value: b)))
    }

    /// The negation of `==`.
    public static func != (a: Condition, b: Bool?) -> Condition { !(a == b) }
}
