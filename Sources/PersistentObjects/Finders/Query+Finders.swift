// Typed finders among the objects of a query.
extension Query {
    /// Finds by a property among the objects of the query: `try adults.findBy.lastName("Smith")`.
    public var findBy: FinderBy<T, [T]> {
        FinderBy(
            query: TypedQuery(start: definition) { session, space, question in
                try session.objects(space, question).cast(to: T.self)
            })
    }
}
