internal import StoreEngine

// Operators whose conditions are written with terms.
extension FinderOperator {
    /// Creates an operator from its condition.
    ///
    /// - Parameters:
    ///   - name: The word after the property. It consists of ASCII letters or digits and begins with an uppercase
    ///     letter. It must not be a built-in operator, and must not begin with `Is`, `Not`, or a word that can follow a
    ///     property or an operator, such as `And`; otherwise every dynamic finder of the class throws.
    ///   - condition: The condition on the property and the arguments of a call, which are passed to the closure in
    ///     order. The closure is called once for each call, before any SQL runs.
    public init<Value, each Argument>(
        _ name: String, _ condition: @escaping @Sendable (Term<Value, Value?>, repeat each Argument) -> Condition
    ) {
        var argumentCount = 0
        for _ in repeat (each Argument).self { argumentCount += 1 }
        content = Content(name, Value.self, argumentCount) { subject, values in
            var arguments = FinderArguments(values)
            let term = Term<Value, Value?>(
                subject.expression, subject.scopes, path: subject.path.path, scope: subject.path.scope)
            return condition(term, repeat try arguments.next((each Argument).self))
        }
    }
}

/// The arguments of one criterion, converted to the parameter types of its operator.
private struct FinderArguments {
    private var left: ArraySlice<Any?>

    init(_ values: [Any?]) { left = values[...] }

    /// The next argument, converted without loss.
    mutating func next<A>(_ type: A.Type) throws -> A {
        let value = left.popFirst() ?? nil
        if let value {
            if let same = value as? A { return same }
            // The cast takes two steps, because casting nil to an optional type succeeds with a nil value.
            if let converted = QueryArguments.codec(for: type)?.converted(value), let argument = converted as? A {
                return argument
            }
        } else if type is any OptionalType.Type, let none = value as? A {
            return none
        }
        throw FinderOperator.TypeMismatch(
            expected: TypeSpelling.of(type), actual: TypeSpelling.ofValue(value))
    }
}
