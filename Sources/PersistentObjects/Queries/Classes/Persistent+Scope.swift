// Default scopes, and queries without them.
extension Persistent {
    /// Returns a condition on the class, for `defaultScope` and for use in several queries.
    ///
    /// ```swift
    /// override class var defaultScope: Condition { Article.condition { !$0.isDraft } }
    /// ```
    public static func condition(_ condition: (Columns<Self>) throws -> Condition) rethrows -> Condition {
        try condition(Columns(scope: 0, scopes: ScopeCounter()))
    }

    /// A query of all objects of the class, without its default scope.
    ///
    /// It includes the objects that the default scope leaves out and those that were soft-deleted.
    ///
    /// ```swift
    /// let drafts = try Article.unscoped.where { $0.isDraft }.all()
    /// ```
    public static var unscoped: Query<Self> { Query(QueryDefinition(ObjectMemory.objectClass(self))) }
}

// Queries of classes with soft deletes.
extension Persistent {
    /// A query of all objects of a class with `softDeletes`, including the soft-deleted ones.
    ///
    /// The default scope of the class applies.
    ///
    /// ```swift
    /// let note = try Note.withDeleted.where { $0.title == "Milk" }.first()
    /// ```
    public static var withDeleted: Query<Self> {
        Query(.scoped(ObjectMemory.objectClass(self), onlyDeleted: false))
    }

    /// A query of the soft-deleted objects of a class with `softDeletes`.
    ///
    /// The default scope of the class applies.
    ///
    /// ```swift
    /// try Note.onlyDeleted.restore()
    /// ```
    ///
    /// In other classes, running the query throws a `QueryError`.
    public static var onlyDeleted: Query<Self> {
        Query(.scoped(ObjectMemory.objectClass(self), onlyDeleted: true))
    }
}
