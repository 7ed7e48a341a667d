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
