/// The start of typed finders: `Person.findBy.lastName("Smith")`.
///
/// A wrong name or type does not compile.
@dynamicMemberLookup
public struct FinderBy<T: Persistent, Answer> {
    private let query: TypedQuery

    // Everything here is inlined into the getters, because a call would request its generic types from the runtime.

    @inline(__always)
    private init(_ query: TypedQuery) { self.query = query }

    @inline(__always)
    private init(_ type: T.Type, _ resultKind: ResultKind) {
        query = TypedQuery(ObjectMemory.objectClass(type), resultKind)
    }

    /// The property to compare.
    public subscript<V>(dynamicMember path: KeyPath<T, V>) -> Criterion<T, V, V, Answer> {
        Criterion(query: query, path: CriterionPath(path))
    }

    /// The property to compare; it may be nil.
    public subscript<V>(dynamicMember path: KeyPath<T, V?>) -> Criterion<T, V, V?, Answer> {
        Criterion(query: query, path: CriterionPath(path))
    }

    /// Never called: it makes the compiler explain a misspelled property name.
    @_disfavoredOverload @available(*, unavailable, message: "the class has no such property")
    public subscript(
        dynamicMember name: String
    ) -> Criterion<T, `the class has no such property`, `the class has no such property`, Answer> {
        Criterion(query: query, path: CriterionPath(\T.self))
    }
}

// The entry points of finders: each terminal method with its result type. No finder has another entry point, so that a
// result has its finder's type without a check. The class is that of the metatype, which may be a subclass of `T`.
extension FinderBy where Answer == [T] {
    @inline(__always)
    static func objects(_ type: T.Type) -> FinderBy { FinderBy(type, .objects) }
    static func objects(of query: QueryDefinition) -> FinderBy { FinderBy(TypedQuery(query)) }
}

extension FinderBy where Answer == T? {
    @inline(__always)
    static func first(_ type: T.Type) -> FinderBy { FinderBy(type, .first) }
    @inline(__always)
    static func last(_ type: T.Type) -> FinderBy { FinderBy(type, .last) }
}

extension FinderBy where Answer == T {
    @inline(__always)
    static func only(_ type: T.Type) -> FinderBy { FinderBy(type, .only) }
}

extension FinderBy where Answer == Int {
    @inline(__always)
    static func count(_ type: T.Type) -> FinderBy { FinderBy(type, .count) }
    @inline(__always)
    static func deletion(_ type: T.Type) -> FinderBy { FinderBy(type, .delete) }
}

extension FinderBy where Answer == Bool {
    @inline(__always)
    static func existence(_ type: T.Type) -> FinderBy { FinderBy(type, .exists) }
}
