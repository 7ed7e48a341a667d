internal import StoreEngine

/// Where typed finders begin: `Person.findBy.lastName("Smith")`, a wrong name or type of which does not compile.
@dynamicMemberLookup
public struct FinderBy<T: Persistent, Answer> {
    let query: TypedQuery<Answer>

    /// The property to compare.
    public subscript<V>(dynamicMember path: KeyPath<T, V>) -> Criterion<T, V, V, Answer> {
        Criterion(query: query, path: path)
    }

    /// The property to compare, which may be nil.
    public subscript<V>(dynamicMember path: KeyPath<T, V?>) -> Criterion<T, V, V?, Answer> {
        Criterion(query: query, path: path)
    }

    /// Never called: it makes the compiler say what is wrong with a misspelt name.
    @_disfavoredOverload @available(*, unavailable, message: "the class has no such property")
    public subscript(
        dynamicMember name: String
    ) -> Criterion<T, `the class has no such property`, `the class has no such property`, Answer> {
        Criterion(query: query, path: \T.self)
    }
}

/// The type of no value: the compiler names it where a typed finder is given a misspelt property.
public enum `the class has no such property` {}

/// A property that is to be compared: call it with the value.
///
/// `Value` is the property's type without its optional, `Argument` with it, so
/// that `nil` compiles only where the property can be nil.
public struct Criterion<T: Persistent, Value, Argument, Answer> {
    let query: TypedQuery<Answer>
    let path: AnyKeyPath

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
    public subscript<V>(dynamicMember path: KeyPath<T, V>) -> DeleteCriterion<T, V> {
        DeleteCriterion(query: query, path: path)
    }

    /// Never called: it makes the compiler say what is wrong with a misspelt name.
    @_disfavoredOverload @available(*, unavailable, message: "the class has no such property")
    public subscript(dynamicMember name: String) -> DeleteCriterion<T, `the class has no such property`> {
        DeleteCriterion(query: query, path: \T.self)
    }
}

/// A property by which is deleted: call it with the value.
public struct DeleteCriterion<T: Persistent, Argument> {
    let query: TypedQuery<Int>
    let path: AnyKeyPath

    /// Deletes the objects whose property equals the value; the answer is how many.
    @discardableResult
    public func callAsFunction(_ value: Argument, isolation: isolated (any Actor)? = #isolation) throws -> Int {
        try query.run(path, value)
    }
}

/// A typed finder without its property: the class, and what to do with what is found.
struct TypedQuery<Answer> {
    let type: PersistentObject.Type
    let ending: (Session, ClassSpace, ConditionPlan, Session.Binder) throws -> Answer

    func run<V>(_ path: AnyKeyPath, _ value: V) throws -> Answer {
        let session = try CurrentSession.session(for: type)
        return try session.enter {
            let space = try session.space(of: type)
            let plan = try space.condition(path) {
                let subject = try KeyPathResolver.subject(of: path, in: space.map)
                let comparison = Condition.Comparison(subject: subject, operation: .equal)
                return ConditionPlan(Condition(alternatives: [[comparison]]), space.map)
            }
            return try ending(session, space, plan) { statement in
                guard case .property(let place) = plan.comparisons[0].subject else {
                    return try statement.bind(Int64?.argument(value) ?? .null, at: 1)
                }
                // The key path's type is exactly the property's, so the codec can take the value where it is.
                try ObjectMemory.withAddress(of: value) { address in
                    do throws(ValueFault) {
                        try space.map.fields[place].bind(address, to: statement, at: 1)
                    } catch { throw space.located(error, property: place) }
                }
            }
        }
    }
}

extension Int64? {
    fileprivate static func argument(_ value: Any) -> DatabaseValue? { (value as? Int64).map { .integer($0) } }
}
