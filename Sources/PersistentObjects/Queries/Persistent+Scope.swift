// Default scopes, and the way out of them.
extension Persistent {
    /// A condition on the objects of the class, apart from a query: for `defaultScope`, and to be used in several.
    ///
    /// ```swift
    /// override class var defaultScope: Condition { Article.condition { !$0.isDraft } }
    /// ```
    public static func condition(_ condition: (Columns<Self>) throws -> Condition) rethrows -> Condition {
        try condition(Columns(scope: 0, scopes: ScopeCounter()))
    }

    /// All objects of the class, as a query; with those that its default scope leaves out, and those that were softly
    /// deleted.
    ///
    /// ```swift
    /// let drafts = try Article.unscoped.where { $0.isDraft }.all()
    /// ```
    public static var unscoped: Query<Self> { Query(QueryDefinition(ObjectMemory.objectClass(self))) }
}

// Classes that delete softly.
extension Persistent {
    /// All objects of a class with `softDeletes`, those that were deleted too; its default scope counts.
    ///
    /// ```swift
    /// let note = try Note.withDeleted.where { $0.title == "Milk" }.first()
    /// ```
    public static var withDeleted: Query<Self> {
        Query(.scoped(ObjectMemory.objectClass(self), onlyDeleted: false))
    }

    /// Those objects of a class with `softDeletes` that were deleted; its default scope counts.
    ///
    /// ```swift
    /// try Note.onlyDeleted.restore()
    /// ```
    ///
    /// In other classes it is a `QueryError` when it is asked.
    public static var onlyDeleted: Query<Self> {
        Query(.scoped(ObjectMemory.objectClass(self), onlyDeleted: true))
    }
}
