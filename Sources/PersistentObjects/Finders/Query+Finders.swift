// Typed finders among the objects of a query.
extension Query {
    /// Finds by a property among the objects of the query: `try adults.findBy.lastName("Smith")`.
    public var findBy: FinderBy<T, [T]> { .objects(of: definition) }
}
