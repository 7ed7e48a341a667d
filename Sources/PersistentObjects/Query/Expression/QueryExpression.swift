internal import StoreEngine

/// A value or condition of a query, as the user wrote it: the words in postfix order, and the values apart from them.
///
/// Flat, so that no length of a condition overflows a stack when it is built,
/// turned into SQL, compared or released. Two expressions with the same words
/// are one statement with other values.
struct QueryExpression: Sendable {
    private(set) var words: [Word] = []
    private(set) var arguments: [Argument] = []
    /// The first value that could not be encoded; the query throws it when it is run.
    private(set) var problem: (any Error)?

    /// What stands in an expression.
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
        /// Whether one of the elements meets what was said, or all do.
        case leave(Quantifier)
    }

    enum Quantifier: Hashable, Sendable { case any, all }

    /// A value for a placeholder.
    enum Argument: Hashable, Sendable {
        case value(DatabaseValue)
        /// The object with a key, whose row the session has to find.
        case object(ObjectName)
    }

    init(_ words: Word...) { self.words = words }

    init(argument: Argument) {
        words = [.argument]
        arguments = [argument]
    }

    /// The operation on the values before it.
    func applying(_ operation: QueryOperation) -> QueryExpression {
        var result = self
        result.words.append(.operation(operation))
        return result
    }

    /// The operation on this value and another.
    func applying(_ operation: QueryOperation, _ other: QueryExpression) -> QueryExpression {
        var result = self
        result.append(other)
        result.words.append(.operation(operation))
        return result
    }

    mutating func append(_ word: Word) { words.append(word) }

    mutating func append(_ other: QueryExpression) {
        words += other.words
        arguments += other.arguments
        problem = problem ?? other.problem
    }

    mutating func append(_ argument: Argument) {
        words.append(.argument)
        arguments.append(argument)
    }

    mutating func fail(_ error: any Error) { problem = problem ?? error }

    /// The same with other numbers for its scopes, to be part of another expression.
    func renumbered(by distance: Int) -> QueryExpression {
        var result = self
        result.words = words.map { word in
            switch word {
            case .column(let scope, let path): .column(scope: scope + distance, path)
            case .enter(let scope): .enter(scope: scope + distance)
            case .enterQuery(let scope, let type): .enterQuery(scope: scope + distance, type)
            case .leaveQuery(let scope, let path): .leaveQuery(scope: scope + distance, path)
            case .argument, .operation, .leave: word
            }
        }
        return result
    }

    /// The same about the objects of another scope than those at the top.
    func speaking(of scope: Int) -> QueryExpression {
        var result = self
        result.words = words.map { word in
            if case .column(scope: 0, let path) = word { return .column(scope: scope, path) }
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
        guard words.last == .operation(operation) else { return nil }
        var result = self
        result.words.removeLast()
        return result
    }
}

/// The steps from an object to a property: links, and the property last.
struct QueryPath: Hashable, Sendable {
    private(set) var steps: [Step]

    /// A property as the user named it.
    enum Step: Hashable, @unchecked Sendable {  // key paths are immutable
        case keyPath(AnyKeyPath)
        /// The place in `ClassMap.properties`; the one after the last is the id.
        case place(Int)
    }

    init(_ path: AnyKeyPath) { steps = [.keyPath(path)] }
    init(_ steps: [Step]) { self.steps = steps }

    func appending(_ path: AnyKeyPath) -> QueryPath { QueryPath(steps + [.keyPath(path)]) }
}

/// A `PersistentID` with a key: of a row that this file may have under another number.
struct ObjectName: Hashable, Sendable {
    let objectClass: PersistentObject.Type
    let value: Int64
    let key: String?

    static func == (a: ObjectName, b: ObjectName) -> Bool {
        a.objectClass == b.objectClass && a.key == b.key && a.value == b.value
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(objectClass))
        hasher.combine(key)
    }
}

extension ObjectName: NamesObject {}

/// The class that a query is about.
struct QueryClass: Hashable, Sendable {
    let type: PersistentObject.Type

    static func == (a: QueryClass, b: QueryClass) -> Bool { a.type == b.type }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(type)) }
}
