// Migration: explicit changes of a file by prepared tables, plans and migration steps. It knows sessions and plans, and
// must not know how a change is made.

extension Store {
    /// Creates or updates the tables of some classes and their related classes now, not at first use.
    ///
    /// All changes are made in one transaction: if it throws, the file is unchanged. On a server, indexes whose order is
    /// outdated are replaced after the transaction, without blocking other sessions; a failure is only noted. Rows of subclasses that cannot be
    /// found by name, such as generic classes, are recognized afterwards.
    ///
    /// ```swift
    /// try store.prepare(Person.self, Pet.self)
    /// ```
    ///
    /// - Throws: `SchemaError` for a class that cannot be stored, and for a value in the file that has no exact
    ///   representation in the present type of its property; the error names class, property and row.
    public func prepare(_ classes: PersistentObject.Type...) throws { try prepare(classes) }

    /// Creates or updates the tables of the classes in an array, and reports its progress.
    ///
    /// - Parameters:
    ///   - classes: The classes.
    ///   - progress: Called at each change and after each thousand rows that are read or written individually. An error
    ///     that it throws aborts the preparation and leaves the file unchanged.
    public func prepare(
        _ classes: [PersistentObject.Type], progress: ((SchemaProgress) throws -> Void)? = nil
    ) throws {
        try withSession { session in
            try session.enter {
                try TablePreparation(session).prepare(try classes.map { try ClassMap.map(of: $0) }, progress: progress)
                for type in classes { _ = try session.space(of: type) }
            }
        }
    }

    /// Computes the changes that the file needs to store some classes and their related classes.
    ///
    /// The file is not changed.
    ///
    /// ```swift
    /// let plan = try store.schemaPlan(for: Person.self, changes: .dropping)
    /// print(plan)
    /// if plan.losses.isEmpty { try store.run(plan) }
    /// ```
    ///
    /// - Parameters:
    ///   - classes: The classes, prepared already or not.
    ///   - changes: The changes that the plan may make; by default the configuration's setting.
    public func schemaPlan(for classes: PersistentObject.Type..., changes: SchemaChanges? = nil) throws -> SchemaPlan {
        try schemaPlan(for: classes, changes: changes)
    }

    /// Computes the changes that the file needs to store the classes in an array and their related classes.
    public func schemaPlan(for classes: [PersistentObject.Type], changes: SchemaChanges? = nil) throws -> SchemaPlan {
        try withSession { session in
            try session.enter {
                var settings = schemaSettings
                settings.changes = changes ?? (settings.changes == .refused ? .automatic : settings.changes)
                return try TablePreparation(session).plan(for: try classes.map { try ClassMap.map(of: $0) }, settings)
            }
        }
    }
}
