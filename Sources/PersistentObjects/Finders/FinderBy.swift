/// Where typed finders begin: `Person.findBy.lastName("Smith")`, a wrong name or type of which does not compile.
@dynamicMemberLookup
public struct FinderBy<T: Persistent, Answer> {
    let query: TypedQuery<Answer>

    /// The property to compare.
    public subscript<V>(dynamicMember path: KeyPath<T, V>) -> Criterion<T, V, V, Answer> {
        Criterion(query: query, path: CriterionPath(path))
    }

    /// The property to compare, which may be nil.
    public subscript<V>(dynamicMember path: KeyPath<T, V?>) -> Criterion<T, V, V?, Answer> {
        Criterion(query: query, path: CriterionPath(path))
    }

    /// Never called: it makes the compiler say what is wrong with a misspelt name.
    @_disfavoredOverload @available(*, unavailable, message: "the class has no such property")
    public subscript(
        dynamicMember name: String
    ) -> Criterion<T, `the class has no such property`, `the class has no such property`, Answer> {
        Criterion(query: query, path: CriterionPath(\T.self))
    }
}

/// The type of no value: the compiler names it where a typed finder is given a misspelt property.
public enum `the class has no such property` {}
