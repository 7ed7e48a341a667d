internal import StoreEngine

/// Which function of SQL is called, with how many values, and what it gives.
///
/// An object, so that the words of conditions, which are copied by the
/// thousand, stay as small as they are without it.
final class CalledFunction: Hashable, Sendable {
    let name: String
    let argumentCount: Int
    /// The codec of properties of the type that it gives.
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

    /// Why no condition can have such a call; nil where one can.
    static func objection(to name: String) -> String? {
        guard !name.isEmpty, !name.utf8.contains(0) else { return "A function name is empty or contains a NUL" }
        return nil
    }

    /// The call, of the operands that `pop` gives, the last one first.
    func written(_ dialect: Dialect, _ pop: () throws -> QueryOperand) throws -> QueryOperand {
        guard !dialect.isAggregate(name, argumentCount) else {
            throw QueryError.notExpressible(
                "\(name) is an aggregate function, but this expression is evaluated for each row. Use the query's "
                    + "aggregates")
        }
        var arguments: [SQL] = []
        for _ in 0..<argumentCount {
            let argument = try pop().checked()
            // A date that the function returns in another form is read as one in the library's form.
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
