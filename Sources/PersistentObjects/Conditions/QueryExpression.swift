// Conditions: expressions about objects, and how each becomes SQL. It knows properties and columns, and finds other
// classes through `ClassDirectory` alone.

internal import StoreEngine

/// A value or condition of a query, as the user wrote it: the words in postfix order, and the values apart from them.
///
/// Flat, so that no length of a condition overflows a stack when it is built,
/// turned into SQL, compared or released. Two expressions with the same words
/// are one statement with other values.
///
/// What is long is shared: a condition joined with another is not copied for
/// it, so that a chain costs what its length says.
struct QueryExpression: Sendable {
    /// What comes before the last words, where there are many.
    private var start: QueryBranch?
    private var lastWords: [Word] = []
    private var lastArguments: [Argument] = []
    /// What it is, while it is no more than that: most conditions are.
    private var comparison: Comparison?
    /// The first value that could not be encoded; the query throws it when it is run.
    private(set) var problem: (any Error)?

    /// A word of an expression.
    enum Word: Hashable, Sendable {
        /// A property, by the links that lead to it from an object of a scope.
        case column(scope: Int, QueryPath)
        /// The next of the arguments.
        case argument
        case operation(QueryOperation)
        /// What follows, up to `leave`, is said of the elements of the collection that stands before it.
        case enter(scope: Int)
        /// What follows, up to `leaveQuery`, is said of the objects of another query.
        case enterQuery(scope: Int, QueryClass)
        /// Whether the value that stands before the query is this property of one of its objects.
        case leaveQuery(scope: Int, QueryPath)
        /// Whether the id that stands before the query is that of the first of its objects that have the same values.
        case leaveFirst(FirstOfEach)
        /// Whether one of the elements meets what was said, or all do.
        case leave(Quantifier)
        /// What is made of the value that was said of each of the elements.
        case leaveAggregate(AggregateFunction)
    }

    enum Quantifier: Hashable, Sendable { case any, all }

    /// A value for a placeholder.
    enum Argument: Hashable, Sendable {
        case value(DatabaseValue)
        /// The object with a key, whose row the session has to find.
        case object(ObjectName)
    }

    init(_ words: Word...) { lastWords = words }

    init(argument: Argument) {
        lastWords = [.argument]
        lastArguments = [argument]
    }

    init(_ comparison: Comparison) { self.comparison = comparison }

    /// Writes a comparison out, since more comes.
    private mutating func writeOut() {
        guard let only = comparison else { return }
        comparison = nil
        lastWords = only.words
        lastArguments = [only.argument]
    }

    /// Whether there are no words. (A long expression is not put together for it.)
    var isEmpty: Bool { start == nil && lastWords.isEmpty && comparison == nil }

    /// The one argument, where it is a comparison and no more.
    var onlyArgument: Argument? { comparison?.argument }

    /// The words in their order.
    var words: [Word] {
        if let comparison { return comparison.words }
        guard start != nil else { return lastWords }
        var words: [Word] = []
        forEachPiece { words += $0.lastWords }
        return words
    }

    /// Whether the words are these, which need not be put together for it.
    func has(_ words: [Word]) -> Bool { comparison?.has(words) ?? (self.words == words) }

    /// The values of its placeholders.
    var arguments: [Argument] {
        if let comparison { return [comparison.argument] }
        guard start != nil else { return lastArguments }
        var arguments: [Argument] = []
        forEachPiece { arguments += $0.lastArguments }
        return arguments
    }

    /// Calls `body` with all expressions that it is made of, of which the last words are new.
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

    /// The operation on the values before it.
    func applying(_ operation: QueryOperation) -> QueryExpression {
        var result = self
        result.append(.operation(operation))
        return result
    }

    /// The operation on this value and an argument.
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

    /// The operation on this value and another.
    func applying(_ operation: QueryOperation, _ other: QueryExpression) -> QueryExpression {
        var result = self
        result.append(other)
        result.lastWords.append(.operation(operation))
        return result
    }

    /// Makes room for what will be appended.
    mutating func reserveCapacity(words: Int, arguments: Int) {
        lastWords.reserveCapacity(words)
        lastArguments.reserveCapacity(arguments)
    }

    mutating func append(_ word: Word) {
        writeOut()
        lastWords.append(word)
    }

    /// Short ones are copied: most are, and flat they cost least.
    private static let copiedLength = 64

    mutating func append(_ other: QueryExpression) {
        writeOut()
        var other = other
        other.writeOut()
        let problem = problem ?? other.problem
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

    /// The same with other numbers for its scopes, to be part of another expression.
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
            case .operation(.raw(let raw)): .operation(.raw(raw.speaking(of: raw.scope + distance)))
            case .argument, .operation, .leave, .leaveAggregate: word
            }
        }
        return result
    }

    /// The same about the objects of another scope than those at the top.
    func speaking(of scope: Int) -> QueryExpression {
        var result = QueryExpression()
        result.problem = problem
        result.lastArguments = arguments
        result.lastWords = words.map { word in
            if case .column(scope: 0, let path) = word { return .column(scope: scope, path) }
            if case .operation(.raw(let raw)) = word, raw.scope == 0 {
                return .operation(.raw(raw.speaking(of: scope)))
            }
            return word
        }
        return result
    }

    /// The greatest number of a scope.
    var lastScope: Int {
        words.reduce(0) { last, word in
            switch word {
            case .enter(let scope), .enterQuery(let scope, _): Swift.max(last, scope)
            default: last
            }
        }
    }

    /// Without the last operation.
    func dropping(_ operation: QueryOperation) -> QueryExpression? {
        var result = self
        result.writeOut()
        guard result.lastWords.popLast() == .operation(operation) else { return nil }
        return result
    }
}

/// Two expressions, one after the other.
private final class QueryBranch: @unchecked Sendable {  // changed where nobody else has it: at its end
    private(set) var first: QueryExpression
    private(set) var second: QueryExpression

    init(_ first: QueryExpression, _ second: QueryExpression) {
        self.first = first
        self.second = second
    }

    /// Level by level: the end of a chain of thousands would overflow the stack.
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
