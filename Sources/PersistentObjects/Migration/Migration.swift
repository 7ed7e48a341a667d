/// A step that changes the data of a file once, for a new version of the program.
///
/// ```swift
/// try store.migrate([
///     Migration("2026-11 split names", before: Person.self) { session in
///         try session.execute("UPDATE person SET last_name = ltrim(last_name)")
///     },
///     Migration("2027-01 count visits", sql: "UPDATE place SET visits = 0 WHERE visits IS NULL"),
/// ])
/// ```
public struct Migration: Sendable {
    /// The permanent name of the step in the file.
    public let name: String
    let classes: [PersistentObject.Type]
    let revision: Int
    let statements: [String]
    let body: @Sendable (Session) throws -> Void

    /// Creates a step in Swift, with objects or SQL.
    ///
    /// - Parameters:
    ///   - name: The permanent name of the step in the file; a date in the name keeps names distinct.
    ///   - classes: Classes whose old tables the step needs, so that it runs before these tables are migrated.
    ///   - revision: A number that identifies the version of the step. If the file recorded another number, the step
    ///     was changed, which is an error.
    ///   - body: The work of the step, which runs in a transaction that also records the step.
    public init(
        _ name: String, before classes: PersistentObject.Type..., revision: Int = 1,
        _ body: @escaping @Sendable (Session) throws -> Void
    ) {
        self.name = name
        self.classes = classes
        self.revision = revision
        statements = []
        self.body = body
    }

    /// Creates a step of SQL statements; their texts are recorded as a checksum.
    public init(_ name: String, before classes: PersistentObject.Type..., sql statements: String...) {
        self.name = name
        self.classes = classes
        revision = 1
        self.statements = statements
        body = { session in for statement in statements { try session.execute(statement) } }
    }

    var step: MigrationStep { MigrationStep(name, classes, revision, statements) }
}

extension Store {
    /// Runs a step that changes the data of the file, once for each file.
    ///
    /// Steps run in the order in which they are registered, each in a transaction that also records the step. Register
    /// all steps on every launch, right after opening the store; steps that already ran are skipped. Each step runs
    /// once, even with two processes, or after a process was killed during a step.
    ///
    /// ```swift
    /// try store.migrate("2026-11 split names") { session in
    ///     for person in try Person.findByLastName("") {
    ///         person.lastName = String(person.fullName.split(separator: " ").last ?? "")
    ///     }
    ///     try session.saveChanges()
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - name: The permanent name of the step in the file.
    ///   - classes: Classes whose old tables the step needs; see ``Session/old(_:)``. They must not have been used yet.
    ///   - revision: A number that identifies the version of the step; if the file recorded another number, it is an
    ///     error.
    ///   - progress: Called while ``OldRows/forEach(_:)`` runs; an error that it throws aborts the step.
    ///   - body: The work of the step. If it throws, the file is unchanged, including tables and columns, and the next
    ///     call starts over.
    /// - Returns: Whether the step ran in this call.
    /// - Throws: `SchemaError.migrationChanged` if the file's steps differ from the program's steps; it names the step.
    @discardableResult
    public func migrate(
        _ name: String, before classes: PersistentObject.Type..., revision: Int = 1,
        progress: ((SchemaProgress) throws -> Void)? = nil, _ body: (Session) throws -> Void
    ) throws -> Bool {
        try run(MigrationStep(name, classes, revision, []), progress: progress, body)
    }

    /// Runs a step of SQL statements once; their texts are recorded as a checksum.
    @discardableResult
    public func migrate(
        _ name: String, before classes: PersistentObject.Type..., sql statements: String...
    ) throws -> Bool {
        try run(MigrationStep(name, classes, 1, statements), progress: nil) { session in
            for statement in statements { try session.execute(statement) }
        }
    }

    /// Runs all steps that the file has not recorded, in order.
    ///
    /// - Throws: `StoreError` with the code `foreignFile` if the file recorded further steps, because a newer version
    ///   of the program wrote it; with the code `misuse` if two steps have the same name.
    public func migrate(_ steps: [Migration]) throws {
        var names: Set<String> = []
        if let twice = steps.first(where: { !names.insert($0.name).inserted }) {
            throw StoreError(
                .misuse,
                "Two migration steps have the name \"\(twice.name)\". No step was run. Give each step a different name")
        }
        for step in steps { try run(step.step, progress: nil, step.body) }
        try withSession { session in
            let newer = try MigrationLog(session.connection).steps.map(\.name).filter { name in
                !steps.contains { $0.name == name }
            }
            guard let last = newer.last else { return }
            throw StoreError(
                .foreignFile,
                "The file was written by a newer version of the program: its last step is \"\(last)\", and the "
                    + "last step here is \"\(steps.last?.name ?? "none")\". No step was run. Use the newer version")
        }
    }
}
