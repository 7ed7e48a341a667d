// Terms: the contents of `where { }`: properties, operators and functions. Each builds a part of an expression tree; it
// must not know classes, sessions or SQL.

/// A value in a condition: a property, or a value computed from properties.
///
/// `Value` is the type without its optional and `Argument` the type with it, so that `nil` compiles only if the value
/// can be nil.
///
/// ```swift
/// Person.where { $0.age > 30 && $0.lastName.hasPrefix("S") || $0.employer.name == "Acme" }
/// ```
@dynamicMemberLookup
public struct Term<Value, Argument> {
    /// The computation; nil for a plain property, whose comparison can then be a `Comparison`.
    private let made: QueryExpression?
    let scopes: ScopeCounter
    /// The property, if the term is a plain property.
    let path: QueryPath?
    let scope: Int

    init(_ expression: QueryExpression, _ scopes: ScopeCounter, path: QueryPath? = nil, scope: Int = 0) {
        made = expression
        self.scopes = scopes
        self.path = path
        self.scope = scope
    }

    /// A property of the objects of a scope.
    init(_ property: QueryPath, of scope: Int, _ scopes: ScopeCounter) {
        made = nil
        self.scopes = scopes
        path = property
        self.scope = scope
    }

    var expression: QueryExpression {
        if let made { return made }
        return path.map { QueryExpression(.column(scope: scope, $0)) } ?? QueryExpression()
    }

    /// A value computed from this term.
    func made<V, A>(_ operation: QueryOperation) -> Term<V, A> { Term<V, A>(expression.applying(operation), scopes) }

    /// A value computed from this term and another.
    func made<V, A>(_ operation: QueryOperation, _ other: QueryExpression) -> Term<V, A> {
        Term<V, A>(expression.applying(operation, other), scopes)
    }

    /// A property reached through this term.
    func expression(at path: QueryPath) -> QueryExpression {
        var result = QueryExpression(.column(scope: scope, path))
        // A path leads from one property to the next. A computed value is not a property.
        if self.path == nil {
            result.fail(
                QueryError.notExpressible(
                    "This value is computed from several properties. Use each property separately"))
        }
        return result
    }

    // Inlined into the operators, because a call would request the type `Term<Value, Argument>` from the runtime.
    @inline(__always)
    func comparing<V>(_ operation: QueryOperation, _ value: V) -> Condition {
        if case .success(.value(let encoded)) = QueryArguments.encode(value), encoded != .null {
            guard case nil = made, let path else {
                return Condition(expression.applying(operation, .value(encoded)))
            }
            return Condition(QueryExpression(Comparison(path, of: scope, operation, .value(encoded))))
        }
        return Condition(expression.comparing(operation, QueryExpression(value: value)))
    }

    func comparing<V, A>(_ operation: QueryOperation, _ other: Term<V, A>) -> Condition {
        Condition(expression.applying(operation, other.expression))
    }
}

// The properties of a referenced object.
extension Term where Value: Persistent {
    /// A property of the object; nil if there is no object.
    public subscript<V>(dynamicMember path: KeyPath<Value, V>) -> Term<V, V?> { next(path) }

    /// A property of the object that may be nil.
    public subscript<V>(dynamicMember path: KeyPath<Value, V?>) -> Term<V, V?> { next(path) }

    /// A Boolean property of the object.
    public subscript(dynamicMember path: KeyPath<Value, Bool>) -> Condition { Condition(truthOf: nextExpression(path)) }

    /// A Boolean property of the object that may be nil.
    public subscript(dynamicMember path: KeyPath<Value, Bool?>) -> Condition {
        Condition(truthOf: nextExpression(path))
    }

    /// Never called: it makes the compiler explain a misspelled property name.
    @_disfavoredOverload @available(*, unavailable, message: "the class has no such property")
    public subscript(
        dynamicMember name: String
    ) -> Term<`the class has no such property`, `the class has no such property`> { next(\Value.self) }

    private func nextPath(_ path: AnyKeyPath) -> QueryPath { self.path?.appending(path) ?? QueryPath(path) }

    private func nextExpression(_ path: AnyKeyPath) -> QueryExpression { expression(at: nextPath(path)) }

    private func next<V, A>(_ path: AnyKeyPath) -> Term<V, A> {
        Term<V, A>(nextExpression(path), scopes, path: nextPath(path), scope: scope)
    }

    /// Whether the reference is this object; `nil` finds objects without a reference.
    public static func == (a: Term, b: Argument) -> Condition { a.comparing(.equal, b) }

    /// Whether the reference is another object, or nil.
    public static func != (a: Term, b: Argument) -> Condition { a.comparing(.notEqual, b) }

    /// Whether two references refer to the same object, or are both nil.
    public static func == <A>(a: Term, b: Term<Value, A>) -> Condition { a.comparing(.equal, b) }

    /// Whether two references refer to different objects.
    public static func != <A>(a: Term, b: Term<Value, A>) -> Condition { a.comparing(.notEqual, b) }

    /// Whether the reference is the object that an id identifies.
    @_disfavoredOverload
    public static func == (a: Term, b: PersistentID<Value>?) -> Condition { a.comparing(.equal, b) }

    /// Whether the reference is not the object that an id identifies, or is nil.
    @_disfavoredOverload
    public static func != (a: Term, b: PersistentID<Value>?) -> Condition { a.comparing(.notEqual, b) }

    /// Whether the reference is one of the given objects.
    public func isIn(_ objects: some Sequence<Value>) -> Condition { isOneOf(objects) }
}

extension Term {
    func isOneOf<V>(_ values: some Sequence<V>) -> Condition {
        Condition(expression.isIn(values: values))
    }
}

// Comparisons of equatable values.
extension Term where Value: Equatable {
    /// Whether the values are equal; `nil` equals nil.
    public static func == (a: Term, b: Argument) -> Condition { a.comparing(.equal, b) }

    /// Whether the values differ; nil differs from all values.
    public static func != (a: Term, b: Argument) -> Condition { a.comparing(.notEqual, b) }

    /// Whether two properties are equal.
    public static func == <A>(a: Term, b: Term<Value, A>) -> Condition { a.comparing(.equal, b) }

    /// Whether two properties differ.
    public static func != <A>(a: Term, b: Term<Value, A>) -> Condition { a.comparing(.notEqual, b) }

    /// Whether the value is one of the given values, of which there may be any number.
    public func isIn(_ values: some Sequence<Value>) -> Condition { isOneOf(values) }
}

// Comparisons with nil, also for values that are not equatable.
extension Term where Argument: ExpressibleByNilLiteral {
    /// Whether the value is nil.
    @_disfavoredOverload
    public static func == (a: Term, b: _OptionalNilComparisonType) -> Condition {
        Condition(a.expression.applying(.isNil))
    }

    /// Whether the value is not nil.
    @_disfavoredOverload
    public static func != (a: Term, b: _OptionalNilComparisonType) -> Condition {
        Condition(a.expression.applying(.isNotNil))
    }
}

// Comparisons of ordered values.
extension Term where Value: Comparable {
    /// Whether the term is less than a value; false for nil.
    public static func < (a: Term, b: Value) -> Condition { a.comparing(.less, b) }

    /// Whether the term is less than or equal to a value; false for nil.
    public static func <= (a: Term, b: Value) -> Condition { a.comparing(.lessOrEqual, b) }

    /// Whether the term is greater than a value; false for nil.
    public static func > (a: Term, b: Value) -> Condition { a.comparing(.greater, b) }

    /// Whether the term is greater than or equal to a value; false for nil.
    public static func >= (a: Term, b: Value) -> Condition { a.comparing(.greaterOrEqual, b) }

    /// Whether the term is less than another property; false if either is nil.
    public static func < <A>(a: Term, b: Term<Value, A>) -> Condition { a.comparing(.less, b) }

    /// Whether the term is less than or equal to another property; false if either is nil.
    public static func <= <A>(a: Term, b: Term<Value, A>) -> Condition { a.comparing(.lessOrEqual, b) }

    /// Whether the term is greater than another property; false if either is nil.
    public static func > <A>(a: Term, b: Term<Value, A>) -> Condition { a.comparing(.greater, b) }

    /// Whether the term is greater than or equal to another property; false if either is nil.
    public static func >= <A>(a: Term, b: Term<Value, A>) -> Condition { a.comparing(.greaterOrEqual, b) }

    /// Whether the value is in a closed range; false for nil.
    public func isIn(_ range: ClosedRange<Value>) -> Condition {
        Condition(
            expression.between(QueryExpression(value: range.lowerBound), QueryExpression(value: range.upperBound)))
    }

    /// Whether the value is in a half-open range; false for nil.
    public func isIn(_ range: Range<Value>) -> Condition { self >= range.lowerBound && self < range.upperBound }

    /// Whether the value is at least the lower bound of a range; false for nil.
    public func isIn(_ range: PartialRangeFrom<Value>) -> Condition { self >= range.lowerBound }

    /// Whether the value is at most the upper bound of a range; false for nil.
    public func isIn(_ range: PartialRangeThrough<Value>) -> Condition { self <= range.upperBound }

    /// Whether the value is below the upper bound of a range; false for nil.
    public func isIn(_ range: PartialRangeUpTo<Value>) -> Condition { self < range.upperBound }
}

extension Term where Value: Comparable & Strideable, Value.Stride: SignedInteger {
    // Ranges of integers are sequences too. These overloads make the compiler choose the range.
    /// Whether the value is in a closed range; false for nil.
    public func isIn(_ range: ClosedRange<Value>) -> Condition {
        Condition(
            expression.between(QueryExpression(value: range.lowerBound), QueryExpression(value: range.upperBound)))
    }

    /// Whether the value is in a half-open range; false for nil.
    public func isIn(_ range: Range<Value>) -> Condition { self >= range.lowerBound && self < range.upperBound }

    /// Whether the value is at least the lower bound of a range; false for nil.
    public func isIn(_ range: PartialRangeFrom<Value>) -> Condition { self >= range.lowerBound }
}

extension Term where Argument == Value? {
    /// The value, or a default value if it is nil.
    public static func ?? (a: Term, b: Value) -> Term<Value, Value> { a.made(.coalesce, QueryExpression(value: b)) }

    /// The value, or the value of another property if it is nil.
    public static func ?? <A>(a: Term, b: Term<Value, A>) -> Term<Value, A> { a.made(.coalesce, b.expression) }
}
