// Finders by name, by key path and by criteria text.
extension Persistent {
    /// A dynamic finder: `Person.findByLastName("Smith")`. See `Finder`.
    public static subscript(dynamicMember name: String) -> Finder<Self> {
        Finder(name: name, type: ObjectMemory.objectClass(self))
    }

    /// Finds objects by a property: `try Person.findBy.lastName("Smith")` is `[Person]`.
    public static var findBy: FinderBy<Self, [Self]> { .objects(self) }

    /// Finds the first object by id: `try Person.findFirstBy.email("a@b.c")` is `Person?`.
    public static var findFirstBy: FinderBy<Self, Self?> { .first(self) }

    /// Finds the last object by id: `try Person.findLastBy.lastName("Smith")` is `Person?`.
    public static var findLastBy: FinderBy<Self, Self?> { .last(self) }

    /// Finds exactly one object: `try Person.findOnlyBy.email("a@b.c")` is `Person`.
    ///
    /// If there is no such object, or there are several, it throws a `StoreError` with the code `notFound` or
    /// `severalFound`.
    public static var findOnlyBy: FinderBy<Self, Self> { .only(self) }

    /// Counts objects by a property: `try Person.countBy.age(39)` is `Int`.
    public static var countBy: FinderBy<Self, Int> { .count(self) }

    /// Checks whether there is an object: `try Person.existsBy.age(39)` is `Bool`.
    public static var existsBy: FinderBy<Self, Bool> { .existence(self) }

    /// Deletes objects by a property: `try Person.deleteBy.age(39)`.
    ///
    /// The result, their number, may be ignored.
    public static var deleteBy: FinderBy<Self, Int> { .deletion(self) }

    /// Finds objects by criteria in SQL, which follow `SELECT … FROM table`.
    ///
    /// Each `?` is bound to an argument; nothing is ever spliced into the SQL. SQL that changes data, or contains a
    /// second statement, is rejected.
    ///
    /// ```swift
    /// let smiths = try Person.findByCriteria("WHERE last_name = ? ORDER BY age", "Smith")
    /// ```
    ///
    /// - Throws: `StoreError` with the code `invalidSQL` and SQLite's message.
    public static func findByCriteria(
        _ criteria: String, _ arguments: Any?..., isolation: isolated (any Actor)? = #isolation
    ) throws -> [Self] {
        try Criteria(ObjectMemory.objectClass(self), criteria, arguments).objects().cast(to: Self.self)
    }

    /// Finds the first object by criteria in SQL. See `findByCriteria(_:_:)`.
    public static func findFirstByCriteria(
        _ criteria: String, _ arguments: Any?..., isolation: isolated (any Actor)? = #isolation
    ) throws -> Self? {
        ObjectMemory.cast(
            try Criteria(ObjectMemory.objectClass(self), criteria, arguments).firstObject(), to: Self.self)
    }

    /// Counts objects by criteria in SQL. See `findByCriteria(_:_:)`.
    public static func countByCriteria(
        _ criteria: String, _ arguments: Any?..., isolation: isolated (any Actor)? = #isolation
    ) throws -> Int {
        try Criteria(ObjectMemory.objectClass(self), criteria, arguments).count()
    }
}
