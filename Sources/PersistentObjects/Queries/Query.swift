// Queries: the language of `where { }` and its terminal methods, for objects, values, counts, pages, streams and
// changes. It knows conditions, plans and how to fetch, and must not know how a column is read.

/// A query of the objects of a class: a value that you can compose, keep, pass on and run repeatedly.
///
/// ```swift
/// let adults = Person.where { $0.age >= 18 }.order(by: \.lastName)
/// let first = try adults.limit(10).all()
/// let count = try adults.count()
/// ```
///
/// Nothing is read until you call one of the terminal methods: `all()`, `first()`, `single()`, `count()`, `exists()`,
/// `ids()`. Each returns the state that is stored at that time. If a query is invalid, for example because a key path
/// names no stored property, its terminal methods throw before any SQL runs.
public struct Query<T: Persistent>: Sendable {
    private(set) var definition: QueryDefinition

    init(_ definition: QueryDefinition) { self.definition = definition }

    /// The direction of an order: ascending or descending.
    public enum Order: Sendable {
        /// The lowest value first.
        case ascending
        /// The highest value first.
        case descending
    }

    /// Returns a query of the objects that also meet a condition.
    public func `where`(_ condition: (Columns<T>) throws -> Condition) rethrows -> Query {
        let condition = try condition(Columns(scope: 0, scopes: ScopeCounter()))
        return changed { $0.add(condition.expression) }
    }

    /// Returns a query of the objects that also meet a condition created by `condition(_:)` of the class.
    public func `where`(_ condition: Condition) -> Query { changed { $0.add(condition.expression) } }

    /// Returns the query ordered by a property; further calls order objects that compare equal.
    ///
    /// Nil is less than any value. Objects that compare equal in every property are ordered by their ids.
    public func order<V>(by property: KeyPath<T, V>, _ order: Order = .ascending) -> Query {
        let expression = QueryExpression(.column(scope: 0, QueryPath(property)))
        return changed {
            $0.orders.append(.init(expression: expression, style: .init(isDescending: order == .descending)))
        }
    }

    /// Returns the query ordered by several properties, all ascending.
    ///
    /// Each property orders the objects that are equal in the properties before it.
    public func order(
        by first: PartialKeyPath<T>, _ second: PartialKeyPath<T>, _ others: PartialKeyPath<T>...
    ) -> Query {
        changed { definition in
            for path in [first, second] + others {
                let expression = QueryExpression(.column(scope: 0, QueryPath(path)))
                definition.orders.append(.init(expression: expression, style: .init(isDescending: false)))
            }
        }
    }

    /// Returns the query ordered by a value computed from properties.
    ///
    /// ```swift
    /// Person.query.order { $0.employer.name }.order(.descending) { $0.lastName.count }
    /// ```
    ///
    /// - Parameters:
    ///   - order: Ascending or descending.
    ///   - ignoringCase: Whether to ignore the case of a string, in every script.
    ///   - nilLast: Whether objects without the value come last; if unspecified, nil is less than any value.
    ///   - value: Computes the value from the objects' properties.
    public func order<V, A>(
        _ order: Order = .ascending, ignoringCase: Bool = false, nilLast: Bool? = nil,
        by value: (Columns<T>) throws -> Term<V, A>
    ) rethrows -> Query {
        let value = try value(Columns(scope: 0, scopes: ScopeCounter()))
        let style = QueryDefinition.OrderStyle(
            isDescending: order == .descending, ignoresCase: ignoringCase, hasNilLast: nilLast)
        return changed { $0.orders.append(.init(expression: value.expression, style: style)) }
    }

    /// Returns the query limited to its first objects; a later limit replaces an earlier one.
    public func limit(_ count: Int) -> Query { changed { $0.limit = Swift.max(count, 0) } }

    /// Returns the query without its first objects.
    public func offset(_ count: Int) -> Query { changed { $0.offset = Swift.max(count, 0) } }

    func changed(_ change: (inout QueryDefinition) -> Void) -> Query {
        var query = self
        change(&query.definition)
        return query
    }
}

extension Persistent {
    /// Returns a query of the objects that meet a condition.
    ///
    /// ```swift
    /// let smiths = try Person.where { $0.lastName == "Smith" && $0.age > 30 }.all()
    /// ```
    public static func `where`(_ condition: (Columns<Self>) throws -> Condition) rethrows -> Query<Self> {
        `where`(try condition(Columns(scope: 0, scopes: ScopeCounter())))
    }

    /// Returns a query of the objects that meet a condition created earlier.
    ///
    /// ```swift
    /// let isAdult = Person.condition { $0.age >= 18 }
    /// let adults = try Person.where(isAdult).all()
    /// ```
    public static func `where`(_ condition: Condition) -> Query<Self> {
        let type = ObjectMemory.objectClass(self)
        guard let scope = QueryDefinition.scope(of: type) else {
            return Query(QueryDefinition(type, condition.expression))
        }
        var definition = QueryDefinition(type, scope)
        definition.add(condition.expression)
        return Query(definition)
    }

    /// A query of all objects of the class, except those that its default scope leaves out.
    public static var query: Query<Self> { Query(.scoped(ObjectMemory.objectClass(self))) }
}
