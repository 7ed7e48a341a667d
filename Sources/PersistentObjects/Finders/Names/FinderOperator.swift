internal import StoreEngine

/// A custom operator of finder names: `Person.findByLastNameSoundsLike("Smith")`.
///
/// ```swift
/// class Model: PersistentObject {
///     override class var finderOperators: [FinderOperator] {
///         [
///             FinderOperator("SoundsLike") { (name: Term<String, String?>, sought: String) in
///                 soundex(name, as: String.self) == soundex(sought, as: String.self)
///             }
///         ]
///     }
/// }
/// ```
///
/// It follows a property like the built-in operators: by itself, after `Is`, `Not` or `IsNot`, at the end of paths,
/// joined by `And` and `Or`, with every subject. The property's type, without its optional, must be the type of the
/// term; each argument is converted like that of a built-in operator, and refused with a `FinderError` if it has
/// another type. `nil` is accepted if the parameter is an optional.
public struct FinderOperator: Sendable {
    let content: Content

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

    /// The operator's name, which is its word in finder names.
    public var name: String { content.name }

    /// The operator without the types of its closure. It is a class, so that criteria without a custom operator stay
    /// small.
    final class Content: Sendable {
        let name: String
        /// The type of properties that it supports, without an optional.
        let valueType: Any.Type
        let argumentCount: Int
        private let condition: @Sendable (Subject, [Any?]) throws -> Condition

        init(
            _ name: String, _ valueType: Any.Type, _ argumentCount: Int,
            _ condition: @escaping @Sendable (Subject, [Any?]) throws -> Condition
        ) {
            self.name = name
            self.valueType = valueType
            self.argumentCount = argumentCount
            self.condition = condition
        }

        /// Whether the operator supports properties of a type.
        func fits(_ type: Any.Type) -> Bool {
            ((type as? any OptionalType.Type)?.wrapped ?? type) == valueType
        }

        /// The condition for the property at the end of a path and the operator's arguments.
        ///
        /// - Throws: `TypeMismatch`, and the error of an invalid value in the condition.
        func condition(_ path: CriterionPath, _ arguments: [Any?]) throws -> QueryExpression {
            let condition = try condition(Subject(path), arguments)
            if let problem = condition.expression.problem { throw problem }
            return condition.isNone ? QueryExpression(.operation(.always)) : condition.expression
        }
    }

    /// The compared property.
    struct Subject {
        let path: CriterionPath
        /// Numbers scopes after those of the path's collections.
        let scopes: ScopeCounter

        init(_ path: CriterionPath) {
            self.path = path
            scopes = ScopeCounter(after: path.collections.count)
        }

        var expression: QueryExpression { path.expression }
    }

    /// An argument of a wrong type.
    struct TypeMismatch: Error {
        let expected: String
        let actual: String
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
