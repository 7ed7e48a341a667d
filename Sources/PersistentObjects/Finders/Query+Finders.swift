// Typed finders for the objects of a query.
extension Query {
    /// Finds objects of the query by a property: `try adults.findBy.lastName("Smith")`.
    public var findBy: FinderBy<T, [T]> { .objects(of: definition) }
}
