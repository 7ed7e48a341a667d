/// A property, an operation and a value: the form of most conditions.
///
/// It is a single object, because the lists of an expression for it would cost half as much as the rest of the query.
final class Comparison: Sendable {
    let argument: QueryExpression.Argument
    private let scope: Int
    private let path: QueryPath
    private let operation: QueryOperation

    init(_ path: QueryPath, of scope: Int, _ operation: QueryOperation, _ argument: QueryExpression.Argument) {
        self.path = path
        self.scope = scope
        self.operation = operation
        self.argument = argument
    }

    var words: [QueryExpression.Word] { [.column(scope: scope, path), .argument, .operation(operation)] }

    /// Whether the comparison has exactly these words.
    func has(_ words: [QueryExpression.Word]) -> Bool {
        // The operation is compared first, because access to a path counts references.
        guard words.count == 3, case .operation(operation) = words[2], case .argument = words[1],
            case .column(scope, let other) = words[0]
        else { return false }
        return path.isSame(as: other)
    }
}
