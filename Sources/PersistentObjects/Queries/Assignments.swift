/// The properties of a class in an update: the `$0` of `update { $0.age += 1 }`.
///
/// Each property can be set to a value of its type, or to a `Term` computed from properties. A single field of an
/// embedded value can be set too: `$0.address.city = "Wien"`. The current values are only in the file, so reading one
/// or editing it in place, as in `$0.name.append("x")`, makes `update` throw.
@dynamicMemberLookup
public struct Assignments<T: Persistent> {
    let list: AssignmentList

    /// A property.
    public subscript<V>(dynamicMember path: ReferenceWritableKeyPath<T, V>) -> Term<V, V> {
        get { term(path) }
        set { list.assign(path, newValue.expression) }
    }

    /// A property that may be nil.
    public subscript<V>(dynamicMember path: ReferenceWritableKeyPath<T, V?>) -> Term<V, V?> {
        get { term(path) }
        set { list.assign(path, newValue.expression) }
    }

    /// A property that may be nil, set to a value that is never nil.
    @_disfavoredOverload
    public subscript<V>(dynamicMember path: ReferenceWritableKeyPath<T, V?>) -> Term<V, V> {
        get {
            list.refuseReading(path)
            return term(path)
        }
        set { list.assign(path, newValue.expression) }
    }

    /// A Boolean property.
    public subscript(dynamicMember path: ReferenceWritableKeyPath<T, Bool>) -> Condition {
        get { Condition(truthOf: list.value(of: path)) }
        set { list.assign(path, newValue) }
    }

    /// A Boolean property that may be nil.
    public subscript(dynamicMember path: ReferenceWritableKeyPath<T, Bool?>) -> Condition {
        get { Condition(truthOf: list.value(of: path)) }
        set { list.assign(path, newValue) }
    }

    /// A property, set to a value.
    @_disfavoredOverload
    public subscript<V>(dynamicMember path: ReferenceWritableKeyPath<T, V>) -> V {
        get {
            if let value: V = list.sampleValue(of: path) { return value }
            list.refuseReading(path)
            // The getter must return a value. The update throws afterwards, so the value is never used.
            return T()[keyPath: path]
        }
        set { list.assign(path, value: newValue) }
    }

    /// Never called: it makes the compiler explain a misspelled property name.
    @_disfavoredOverload @available(*, unavailable, message: "the class has no such property")
    public subscript(dynamicMember name: String) -> Term<
        `the class has no such property`, `the class has no such property`
    > {
        get { term(\T.self) }
        set {}
    }

    private func term<V, A>(_ path: AnyKeyPath) -> Term<V, A> {
        Term(list.value(of: path), list.scopes, path: QueryPath(path), scope: 0)
    }
}

// In-place changes of numbers and strings that may be nil. Non-optional values have separate operators.
extension Term where Value: AdditiveArithmetic {
    /// Adds a number; nil stays nil.
    public static func += (a: inout Term, b: Value) { a = a + b }

    /// Adds another property; nil if either is nil.
    public static func += (a: inout Term, b: Term) { a = a.made(.add, b.expression) }

    /// Subtracts a number; nil stays nil.
    public static func -= (a: inout Term, b: Value) { a = a - b }

    /// Subtracts another property; nil if either is nil.
    public static func -= (a: inout Term, b: Term) { a = a.made(.subtract, b.expression) }
}

extension Term where Value: Numeric {
    /// Multiplies by a number; nil stays nil.
    public static func *= (a: inout Term, b: Value) { a = a * b }

    /// Multiplies by another property; nil if either is nil.
    public static func *= (a: inout Term, b: Term) { a = a.made(.multiply, b.expression) }
}

extension Term where Value == String {
    /// Appends a string; nil stays nil.
    public static func += (a: inout Term, b: String) { a = a + b }

    /// Appends the string of another property; nil if either is nil.
    public static func += (a: inout Term, b: Term) { a = a.made(.concatenate, b.expression) }
}

// A value computed from non-optional properties is never nil.
extension Term where Value == Argument, Value: AdditiveArithmetic {
    /// The sum of two properties.
    public static func + (a: Term, b: Term) -> Term { a.made(.add, b.expression) }

    /// The difference of two properties.
    public static func - (a: Term, b: Term) -> Term { a.made(.subtract, b.expression) }
}

extension Term where Value == Argument, Value: Numeric {
    /// The product of two properties.
    public static func * (a: Term, b: Term) -> Term { a.made(.multiply, b.expression) }
}

extension Term where Value == String, Argument == String {
    /// The strings of two properties, concatenated.
    public static func + (a: Term, b: Term) -> Term { a.made(.concatenate, b.expression) }
}

extension Condition {
    /// Negates the property; nil becomes true.
    public mutating func toggle() { self = !self }
}
