internal import StoreEngine

/// Migrates tables to the declarations of their classes.
struct TablePreparation {
    private let session: Session

    init(_ session: Session) { self.session = session }

    /// Creates and updates tables, in a separate transaction or in the open one.
    ///
    /// - Parameters:
    ///   - settings: The changes that are allowed; nil for the settings of the store's configuration.
    ///   - progress: Receives the progress; an error that it throws ends the change.
    func prepare(
        _ maps: [ClassMap], _ settings: SchemaSettings? = nil, progress: ((SchemaProgress) throws -> Void)? = nil
    ) throws {
        let (store, connection) = (session.store, session.connection)
        try session.classes.checkAreNotConverted(maps)
        // Other sessions are excluded before the tables are inspected. This usually succeeds, because most transactions
        // that use a new class have not done other work yet.
        if session.level != nil { try connection.becomeAlone() }
        let preparation = try SchemaPreparation(maps, store.classes, for: session, settings ?? store.schemaSettings)
        // Undo records only the user's work.
        try session.writing.withoutUndo {
            try connection.unlimited {
                let made = try located(maps) {
                    try preparation.run(
                        on: connection, write: { try changeTables(preparation.maps, $0) },
                        in: session.level == nil ? nil : session,
                        progress: progress, callUser: callConversion)
                }
                session.level?.didPrepare(made.maps)
                if session.level != nil, !session.writing.historySigning.isPrepared {
                    try session.writing.historySigning.begin(session)
                }
                for line in made.notes { store.configuration.onNote(line) }
                let remains = PlainRemains(session)
                if try made.encryptsValues || remains.areLeft(by: preparation.maps) {
                    try remains.removeAfterTransaction()
                }
                try prepareStoredClasses(sharing: preparation.maps)
                #if DEBUG
                    for note in SeparateSides.warnings(of: made.maps) { store.configuration.onNote(note) }
                #endif
            }
        }
    }

    /// Adds the class to the error of a missing privilege, for example for the record of all classes.
    private func located<R>(_ maps: [ClassMap], _ body: () throws -> R) throws -> R {
        do { return try body() } catch let error as StoreError where error.code == .notPermitted {
            throw error.at(className: maps.last?.name)
        }
    }

    /// Prepares the subclasses that have rows, which may have new names. It is done now, because no table can be
    /// changed during a later `reading { }`.
    private func prepareStoredClasses(sharing maps: [ClassMap]) throws {
        var tables: Set<String> = []
        for map in maps where map.foreign == nil && tables.insert(Naming.folded(map.table)).inserted {
            let others = try ClassSpaces.storedClasses(sharing: map, session)
            let new = others.filter { !session.store.classes.isPrepared($0, for: session) }
            if !new.isEmpty { try prepare(new) }
        }
    }

    /// The changes that preparing some classes would make.
    func plan(for maps: [ClassMap], _ settings: SchemaSettings) throws -> SchemaPlan {
        try SchemaPreparation(maps, session.store.classes, for: session, settings, again: true).plan(session.connection)
    }

    /// Runs a plan that was made earlier.
    func run(_ plan: SchemaPlan, progress: ((SchemaProgress) throws -> Void)?) throws {
        let (store, connection) = (session.store, session.connection)
        guard session.level == nil else {
            throw StoreError(.misuse, "A plan runs in its own transaction. Run it outside other transactions")
        }
        try session.writing.withoutUndo {
            try connection.unlimited {
                try changeTables(plan.maps) {
                    guard try plan.version == connection.schema.version() else {
                        throw SchemaError.planOutdated(className: plan.maps.first?.name ?? "")
                    }
                    try SchemaPreparation.execute(plan, connection, store.schemaSettings, progress, callConversion)
                }
                try store.classes.didPrepare(plan.maps, tablesWithClassColumn: plan.tablesWithClassColumn, in: nil)
                for line in try plan.renewIndexes(connection).notes { store.configuration.onNote(line) }
            }
        }
    }

    /// A transaction for the change of tables: a user's transaction if the user's conversions may save objects.
    private func changeTables<R>(_ maps: [ClassMap], _ body: () throws -> R) throws -> R {
        let converted = maps.filter { !$0.type.conversions.isEmpty }
        guard let conversion = converted.first?.type.conversions.first else {
            return try session.write(alone: true, body)
        }
        // If a save is the first use of the class, the save has not written anything yet.
        let result: R? = try session.classes.converting(converted) {
            try session.writing.beforeSaving {
                guard session.level == nil else { return try session.write(body) }
                var result: R?
                try conversion.transaction(session) { result = try session.write(body) }
                return result
            }
        }
        guard let result else { throw StoreError(.misuse, "The transaction was rolled back") }
        return result
    }

    /// Calls a user's conversion during a write. The conversion may write.
    private func callConversion(_ body: () throws -> Any?) throws -> Any? {
        let former = session.writing.isWriting
        session.writing.isWriting = false
        defer { session.writing.isWriting = former }
        return try body()
    }
}
