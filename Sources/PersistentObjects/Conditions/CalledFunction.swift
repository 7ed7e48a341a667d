internal import StoreEngine

/// A call of an SQL function: its name, the number of its arguments and the type of its result.
///
/// It is a class, so that a word of a condition stays small. Words are copied by the thousand.
final class CalledFunction: Hashable, Sendable {
    let name: String
    let argumentCount: Int
    /// The codec of properties of the result's type.
    let result: PropertyCodec

    init(_ name: String, argumentCount: Int, result: PropertyCodec) {
        self.name = name
        self.argumentCount = argumentCount
        self.result = result
    }

    static func == (a: CalledFunction, b: CalledFunction) -> Bool {
        a.name == b.name && a.argumentCount == b.argumentCount && a.result.valueType == b.result.valueType
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(argumentCount)
        hasher.combine(ObjectIdentifier(result.valueType))
    }

    /// The reason why a condition cannot contain the call; nil if it can.
    static func objection(to name: String) -> String? {
        guard !name.isEmpty, !name.utf8.contains(0) else { return "A function name is empty or contains a NUL" }
        return nil
    }

    /// The call with the operands that `pop` returns, the last operand first.
    func written(_ dialect: Dialect, _ pop: () throws -> QueryOperand) throws -> QueryOperand {
        guard !dialect.isAggregate(name, argumentCount) else {
            throw QueryError.notExpressible(
                "\(name) is an aggregate function, but this expression is evaluated for each row. Use the query's "
                    + "aggregates")
        }
        var arguments: [SQL] = []
        for _ in 0..<argumentCount {
            let argument = try pop().checked()
            // A date in another form would be read as if it had the library's form.
            if argument.placeholder == nil, let form = argument.codec?.valueForm, let own = result.valueForm,
                form != own
            {
                throw QueryError.notExpressible(
                    "\(name) is called with a value with \(form), but its result has \(own). Declare another "
                        + "result type, such as String")
            }
            arguments.append(argument.sql)
        }
        return QueryOperand("\(name: name)(\(list: arguments.reversed()))", givenAs: result)
    }
}
