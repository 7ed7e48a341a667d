// Conditions: expressions over objects, and how they are written in SQL. It knows properties and columns, and finds
// other classes only through `ClassDirectory`.

internal import StoreEngine

/// A value or condition of a query, as the user wrote it: words in postfix order, and their argument values separately.
///
/// It is flat, so that no condition is too long to be built, written as SQL, compared or released without overflowing
/// the stack. Two expressions with the same words are one statement with different arguments.
///
/// Long parts are shared. Joining a condition with another does not copy it, so that the cost of a chain depends only
/// on its length.
struct QueryExpression: Sendable {
    /// The words before the last ones, if there are many.
    private var start: QueryBranch?
    private var lastWords: [Word] = []
    private var lastArguments: [Argument] = []
    /// The comparison, if the expression is only a comparison. Most conditions are.
    private var comparison: Comparison?
    /// The first value that could not be encoded. The query throws this error when it runs.
    private(set) var problem: (any Error)?

    /// A word of an expression.
    enum Word: Hashable, Sendable {
        /// A property, with the references that lead to it from an object of a scope.
        case column(scope: Int, QueryPath)
        /// The next argument.
        case argument
        case operation(QueryOperation)
        /// The words up to `leave` or `leaveAggregate` refer to the elements of the preceding collection.
        case enter(scope: Int)
        /// The words up to `leaveQuery` or `leaveFirst` refer to the objects of another query.
        case enterQuery(scope: Int, QueryClass)
        /// Whether the value before the query equals this property of one of the query's objects.
        case leaveQuery(scope: Int, QueryPath)
        /// Whether the id before the query is the id of the first object in one of the query's groups of equal values.
        case leaveFirst(FirstOfEach)
        /// Whether any of the elements, or all of them, meet the condition.
        case leave(Quantifier)
        /// An aggregate of a value computed for each element.
        case leaveAggregate(AggregateFunction)
    }

    enum Quantifier: Hashable, Sendable { case any, all }

    /// A value for a placeholder.
    enum Argument: Hashable, Sendable {
        case value(DatabaseValue)
        /// The object with a key, whose row the session must find.
        case object(ObjectName)
    }

    init(_ words: Word...) { lastWords = words }

    init(argument: Argument) {
        lastWords = [.argument]
        lastArguments = [argument]
    }

    init(_ comparison: Comparison) { self.comparison = comparison }

    /// Replaces the comparison with its words, because further words follow.
    private mutating func writeOut() {
        guard let only = comparison else { return }
        comparison = nil
        lastWords = only.words
        lastArguments = [only.argument]
    }

    /// Whether there are no words. It does not assemble a long expression.
    var isEmpty: Bool { start == nil && lastWords.isEmpty && comparison == nil }

    /// The only argument, if the expression is only a comparison.
    var onlyArgument: Argument? { comparison?.argument }

    /// All words in order.
    var words: [Word] {
        if let comparison { return comparison.words }
        guard start != nil else { return lastWords }
        var words: [Word] = []
        forEachPiece { words += $0.lastWords }
        return words
    }

    /// Whether the expression has exactly these words, without assembling them if it is a comparison.
    func has(_ words: [Word]) -> Bool { comparison?.has(words) ?? (self.words == words) }

    /// The values of the placeholders.
    var arguments: [Argument] {
        if let comparison { return [comparison.argument] }
        guard start != nil else { return lastArguments }
        var arguments: [Argument] = []
        forEachPiece { arguments += $0.lastArguments }
        return arguments
    }

    /// Calls `body` with each piece of the expression in order. Only a piece's last words and arguments are its own.
    private func forEachPiece(_ body: (QueryExpression) -> Void) {
        var left = [self]
        while var piece = left.popLast() {
            guard let start = piece.start else {
                piece.writeOut()
                body(piece)
                continue
            }
            piece.start = nil
            left.append(piece)
            left.append(start.second)
            left.append(start.first)
        }
    }

    /// The operation applied to the values before it.
    func applying(_ operation: QueryOperation) -> QueryExpression {
        var result = self
        result.append(.operation(operation))
        return result
    }

    /// The operation applied to this value and an argument.
    func applying(_ operation: QueryOperation, _ argument: Argument) -> QueryExpression {
        guard comparison == nil else {
            var result = self
            result.append(argument)
            result.append(.operation(operation))
            return result
        }
        var result = QueryExpression()
        (result.start, result.problem) = (start, problem)
        result.lastWords.reserveCapacity(lastWords.count + 2)
        result.lastWords += lastWords
        result.lastWords.append(.argument)
        result.lastWords.append(.operation(operation))
        result.lastArguments = lastArguments.isEmpty ? [argument] : lastArguments + [argument]
        return result
    }

    /// The operation applied to this value and another value.
    func applying(_ operation: QueryOperation, _ other: QueryExpression) -> QueryExpression {
        var result = self
        result.append(other)
        result.lastWords.append(.operation(operation))
        return result
    }

    /// Reserves space for appended words and arguments.
    mutating func reserveCapacity(words: Int, arguments: Int) {
        lastWords.reserveCapacity(words)
        lastArguments.reserveCapacity(arguments)
    }

    mutating func append(_ word: Word) {
        writeOut()
        lastWords.append(word)
    }

    /// Short expressions are copied, because most are short and flat expressions cost least.
    private static let copiedLength = 64

    mutating func append(_ other: QueryExpression) {
        writeOut()
        var other = other
        other.writeOut()
        let problem = problem ?? (other.problem == nil ? nil : problemOfValue(in: other))
        if other.start == nil, lastWords.count + other.lastWords.count <= QueryExpression.copiedLength {
            lastWords += other.lastWords
            lastArguments += other.lastArguments
        } else {
            let branch = QueryBranch(self, other)
            self = QueryExpression()
            start = branch
        }
        self.problem = problem
    }

    mutating func append(_ argument: Argument) {
        writeOut()
        lastWords.append(.argument)
        lastArguments.append(argument)
    }

    mutating func fail(_ error: any Error) { problem = problem ?? error }

    /// The problem of an appended expression. That of a value names the property that the value is compared with.
    private func problemOfValue(in other: QueryExpression) -> (any Error)? {
        guard other.words == [.argument], start == nil, case .column(_, let path)? = lastWords.first,
            lastWords.dropFirst().allSatisfy({ $0 == .argument })
        else { return other.problem }
        return other.problem.map { path.located($0) }
    }

    /// The expression with its scopes renumbered, as a part of another expression.
    func renumbered(by distance: Int) -> QueryExpression {
        var result = QueryExpression()
        result.problem = problem
        result.lastArguments = arguments
        result.lastWords = words.map { word in
            switch word {
            case .column(let scope, let path): .column(scope: scope + distance, path)
            case .enter(let scope): .enter(scope: scope + distance)
            case .enterQuery(let scope, let type): .enterQuery(scope: scope + distance, type)
            case .leaveQuery(let scope, let path): .leaveQuery(scope: scope + distance, path)
            case .leaveFirst(let first): .leaveFirst(first.renumbered(by: distance))
            case .operation(.raw(let raw)): .operation(.raw(raw.rescoped(to: raw.scope + distance)))
            case .argument, .operation, .leave, .leaveAggregate: word
            }
        }
        return result
    }

    /// The expression with the objects of another scope in place of the query's objects.
    func rescoped(to scope: Int) -> QueryExpression {
        var result = QueryExpression()
        result.problem = problem
        result.lastArguments = arguments
        result.lastWords = words.map { word in
            if case .column(scope: 0, let path) = word { return .column(scope: scope, path) }
            if case .operation(.raw(let raw)) = word, raw.scope == 0 {
                return .operation(.raw(raw.rescoped(to: scope)))
            }
            return word
        }
        return result
    }

    /// The highest scope number.
    var lastScope: Int {
        words.reduce(0) { last, word in
            switch word {
            case .enter(let scope), .enterQuery(let scope, _): Swift.max(last, scope)
            default: last
            }
        }
    }

    /// The expression without its last operation; nil if that is a different operation.
    func dropping(_ operation: QueryOperation) -> QueryExpression? {
        var result = self
        result.writeOut()
        guard result.lastWords.popLast() == .operation(operation) else { return nil }
        return result
    }
}

/// Two consecutive expressions.
private final class QueryBranch: @unchecked Sendable {  // mutated only in deinit
    private(set) var first: QueryExpression
    private(set) var second: QueryExpression

    init(_ first: QueryExpression, _ second: QueryExpression) {
        self.first = first
        self.second = second
    }

    /// Released level by level, because a recursive release of a chain of thousands would overflow the stack.
    deinit {
        var left = takeBranches()
        while var branch = left.popLast() {
            if isKnownUniquelyReferenced(&branch) { left += branch.takeBranches() }
        }
    }

    private func takeBranches() -> [QueryBranch] { [first.takeStart(), second.takeStart()].compactMap { $0 } }
}

extension QueryExpression {
    fileprivate mutating func takeStart() -> QueryBranch? {
        defer { start = nil }
        return start
    }
}
