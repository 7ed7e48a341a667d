/// A step that changes what is in a file, once: data that a new version of a program wants in another way.
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
    /// What names it in the file, for good.
    public let name: String
    let classes: [PersistentObject.Type]
    let revision: Int
    let statements: [String]
    let body: @Sendable (Session) throws -> Void

    /// A step in Swift, with objects or SQL.
    ///
    /// - Parameters:
    ///   - name: What names it in the file, for good; a date in it keeps names apart.
    ///   - classes: Classes whose tables the step wants as they were before, so that it runs before these are brought
    ///     up to date.
    ///   - revision: A number that stands for what the step does: where another is recorded the step is one that was
    ///     changed, which is an error.
    ///   - body: What is done, in a transaction with the note that it was.
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

    /// A step of SQL statements; their texts are recorded as a checksum.
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
    /// Does a step that changes what is in the file, once for each file: in the order in which steps are told, each in
    /// a transaction with the note that it was done.
    ///
    /// Call it for all steps, always, right after the store was opened: what
    /// is done already is left out. Two processes, or one that was killed in
    /// the middle, do each step once.
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
    ///   - name: What names the step in the file, for good.
    ///   - classes: Classes whose tables the step wants as they were before; see ``Session/old(_:)``. They must not
    ///     have been used yet.
    ///   - revision: A number that stands for what the step does; where the file has another the step is an error.
    ///   - progress: Called while ``OldRows/forEach(_:)`` goes on; an error that it throws ends the step.
    ///   - body: What is done. If it throws, the file is as it was, tables and columns included, and the next call
    ///     begins again.
    /// - Returns: Whether it was done now.
    /// - Throws: `SchemaError.migrationChanged` where the file's steps are not the program's, and names the one.
    @discardableResult
    public func migrate(
        _ name: String, before classes: PersistentObject.Type..., revision: Int = 1,
        progress: ((SchemaProgress) throws -> Void)? = nil, _ body: (Session) throws -> Void
    ) throws -> Bool {
        try run(MigrationStep(name, classes, revision, []), progress: progress, body)
    }

    /// The same with SQL statements; their texts are recorded as a checksum.
    @discardableResult
    public func migrate(
        _ name: String, before classes: PersistentObject.Type..., sql statements: String...
    ) throws -> Bool {
        try run(MigrationStep(name, classes, 1, statements), progress: nil) { session in
            for statement in statements { try session.execute(statement) }
        }
    }

    /// Does all steps that a file has not seen, in their order.
    ///
    /// - Throws: `StoreError` with the code `foreignFile` if the file has steps after these: a newer version of the
    ///   program wrote it; with the code `misuse` if two steps have the same name.
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
