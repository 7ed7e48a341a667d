extension Query {
    /// The same query, whose objects come with lazy properties and inverses loaded.
    ///
    /// ```swift
    /// for person in try Person.query.including(\.mentor, \.photo, \.pets).all() { … }
    /// ```
    ///
    /// Each takes one query for all objects. Without it they are read at the
    /// first access. A property that is always loaded with its object may be
    /// named too and changes nothing; what the user has edited stays.
    public func including(_ properties: PartialKeyPath<T>...) -> Query {
        changed { $0.parts += properties.map { QueryPath($0) } }
    }
}
