internal import StoreEngine

/// The arguments of a function call, collected one by one.
struct FunctionArguments {
    private var expression = QueryExpression()
    private(set) var count = 0
    private var scopes: ScopeCounter?

    /// Adds a term, a condition, or a plain value of a type that properties can have.
    mutating func append<V>(_ value: V) {
        count += 1
        switch value {
        case let term as any FunctionTerm:
            expression.append(term.expression)
            scopes = scopes ?? term.scopes
        case let condition as Condition: expression.append(condition.asValue)
        default: expression.append(QueryExpression(value: value))
        }
    }

    /// The function's result for these arguments.
    func term<V>(_ name: String, as type: V.Type) -> Term<V, V?> {
        // If no argument is a term, the scopes of the condition are unknown. No closure uses scope numbers this high.
        let scopes = scopes ?? ScopeCounter(after: 1 << 32)
        var result = expression
        if let objection = CalledFunction.objection(to: name) {
            result.fail(QueryError.notExpressible(objection))
        }
        let isOptional = type is any OptionalType.Type
        guard !isOptional, let codec = QueryArguments.codec(for: type) else {
            let advice =
                isOptional ? "Remove the ?, because every function result can be nil" : "No column can hold this type"
            result = QueryExpression(argument: .value(.null))
            result.fail(
                QueryError.notExpressible(
                    "The function \(name) cannot have the result type \(TypeSpelling.of(type)). \(advice)"))
            return Term(result, scopes)
        }
        return Term(result.applying(.function(CalledFunction(name, argumentCount: count, result: codec))), scopes)
    }
}

/// A `Term` of any types.
private protocol FunctionTerm {
    var expression: QueryExpression { get }
    var scopes: ScopeCounter { get }
}

extension Term: FunctionTerm {}

extension Condition {
    /// 1 or 0, or NULL for a Boolean property that is nil.
    fileprivate var asValue: QueryExpression {
        if isNone { return QueryExpression(.operation(.always)) }
        // A double negation is never NULL.
        return expression.dropping(.isTrue) ?? expression.applying(.not).applying(.not)
    }
}
