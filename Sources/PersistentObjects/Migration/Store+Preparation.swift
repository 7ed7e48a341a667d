// Migration: changes of a file on purpose: tables made now, plans that are shown and run, steps of one's own. It knows
// sessions and plans, and must not know how a change is done.

extension Store {
    /// Makes or updates the tables of some classes, and of those that they lead to, now rather than at first use.
    ///
    /// All in one transaction: if it throws, the file is as it was. Rows of
    /// subclasses that cannot be found by name, generic ones for example, are
    /// known from then on.
    ///
    /// ```swift
    /// try store.prepare(Person.self, Pet.self)
    /// ```
    ///
    /// - Throws: `SchemaError` for a class that cannot be stored, and for a value in the file that has no exact form in
    ///   what its property is by now; it names class, property and row.
    public func prepare(_ classes: PersistentObject.Type...) throws { try prepare(classes) }

    /// The same with the classes in an array, and told how far it is.
    ///
    /// - Parameters:
    ///   - classes: The classes.
    ///   - progress: Called at each change and after each thousand rows that are read or written one by one. An error
    ///     that it throws ends the preparation, and the file is as it was.
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

    /// What has to be done to the file so that some classes, and those that they lead to, can live in it: nothing is
    /// done yet.
    ///
    /// ```swift
    /// let plan = try store.schemaPlan(for: Person.self, changes: .dropping)
    /// print(plan)
    /// if plan.losses.isEmpty { try store.run(plan) }
    /// ```
    ///
    /// - Parameters:
    ///   - classes: The classes, prepared already or not.
    ///   - changes: What the plan may change; by default what the configuration says.
    public func schemaPlan(for classes: PersistentObject.Type..., changes: SchemaChanges? = nil) throws -> SchemaPlan {
        try schemaPlan(for: classes, changes: changes)
    }

    /// The same with the classes in an array.
    public func schemaPlan(for classes: [PersistentObject.Type], changes: SchemaChanges? = nil) throws -> SchemaPlan {
        try withSession { session in
            try session.enter {
                var settings = schemaSettings
                settings.changes = changes ?? (settings.changes == .refused ? .automatic : settings.changes)
                return try TablePreparation(session).plan(for: try classes.map { try ClassMap.map(of: $0) }, settings)
            }
        }
    }

    /// Does what a plan says, in one transaction: also what loses something, since it was shown.
    ///
    /// ```swift
    /// try store.run(plan) { progress in print(progress.change, progress.fractionCompleted) }
    /// ```
    ///
    /// - Throws: `SchemaError.planOutdated` where tables have changed since it was made; else what `prepare` throws.
    public func run(_ plan: SchemaPlan, progress: ((SchemaProgress) throws -> Void)? = nil) throws {
        try withSession { session in try session.enter { try TablePreparation(session).run(plan, progress: progress) } }
    }
}
