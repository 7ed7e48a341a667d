/// Where typed finders begin: `Person.findBy.lastName("Smith")`, a wrong name or type of which does not compile.
@dynamicMemberLookup
public struct FinderBy<T: Persistent, Answer> {
    let query: TypedQuery<Answer>

    /// The property to compare.
    public subscript<V>(dynamicMember path: KeyPath<T, V>) -> Criterion<T, V, V, Answer> {
        Criterion(query: query, path: TypedPath(last: path))
    }

    /// The property to compare, which may be nil.
    public subscript<V>(dynamicMember path: KeyPath<T, V?>) -> Criterion<T, V, V?, Answer> {
        Criterion(query: query, path: TypedPath(last: path))
    }

    /// Never called: it makes the compiler say what is wrong with a misspelt name.
    @_disfavoredOverload @available(*, unavailable, message: "the class has no such property")
    public subscript(
        dynamicMember name: String
    ) -> Criterion<T, `the class has no such property`, `the class has no such property`, Answer> {
        Criterion(query: query, path: TypedPath(last: \T.self))
    }
}

/// The type of no value: the compiler names it where a typed finder is given a misspelt property.
public enum `the class has no such property` {}

/// A property that is to be compared: call it with the value, or go on to a property of what it refers to.
///
/// `Value` is the property's type without its optional, `Argument` with it, so
/// that `nil` compiles only where the property can be nil.
///
/// ```swift
/// try Person.findBy.employer(acme)
/// try Person.findBy.employer.name("Acme")
/// try Person.findBy.tags(containing: "x")
/// ```
@dynamicMemberLookup
public struct Criterion<T: Persistent, Value, Argument, Answer> {
    let query: TypedQuery<Answer>
    let path: TypedPath

    /// Finds the objects whose property equals the value; `nil` finds those that have none.
    ///
    /// - Throws: `FinderError` where the key path names no stored property,
    ///   `StoreError` for all that goes wrong with the file.
    public func callAsFunction(_ value: Argument, isolation: isolated (any Actor)? = #isolation) throws -> Answer {
        try query.run(path, value)
    }
}

/// Where typed deletions begin: `Person.deleteBy.lastName("Smith")`.
@dynamicMemberLookup
public struct DeleterBy<T: Persistent> {
    let query: TypedQuery<Int>

    /// The property to compare.
    public subscript<V>(dynamicMember path: KeyPath<T, V>) -> DeleteCriterion<T, V, V> {
        DeleteCriterion(criterion: Criterion(query: query, path: TypedPath(last: path)))
    }

    /// The property to compare, which may be nil.
    public subscript<V>(dynamicMember path: KeyPath<T, V?>) -> DeleteCriterion<T, V, V?> {
        DeleteCriterion(criterion: Criterion(query: query, path: TypedPath(last: path)))
    }

    /// Never called: it makes the compiler say what is wrong with a misspelt name.
    @_disfavoredOverload @available(*, unavailable, message: "the class has no such property")
    public subscript(
        dynamicMember name: String
    ) -> DeleteCriterion<T, `the class has no such property`, `the class has no such property`> {
        DeleteCriterion(criterion: Criterion(query: query, path: TypedPath(last: \T.self)))
    }
}

/// A property by which is deleted: call it with the value. It is a `Criterion` whose answer may be ignored.
@dynamicMemberLookup
public struct DeleteCriterion<T: Persistent, Value, Argument> {
    let criterion: Criterion<T, Value, Argument, Int>

    /// Deletes the objects whose property equals the value; the answer is how many.
    @discardableResult
    public func callAsFunction(_ value: Argument, isolation: isolated (any Actor)? = #isolation) throws -> Int {
        try criterion(value)
    }

    /// A property of what this one refers to: `Person.deleteBy.employer.name("Acme")`.
    public subscript<V, A>(
        dynamicMember path: KeyPath<Criterion<T, Value, Argument, Int>, Criterion<T, V, A, Int>>
    ) -> DeleteCriterion<T, V, A> { DeleteCriterion<T, V, A>(criterion: criterion[keyPath: path]) }
}
