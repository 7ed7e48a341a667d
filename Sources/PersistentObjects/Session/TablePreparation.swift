internal import StoreEngine

/// Brings tables to what classes say.
struct TablePreparation {
    private let session: Session

    init(_ session: Session) { self.session = session }

    /// Creates and updates tables, in a separate transaction or in the open one.
    ///
    /// - Parameters:
    ///   - settings: The changes that are allowed; nil for those of the store's configuration.
    ///   - progress: Receives the progress; an error that it throws ends the change.
    func prepare(
        _ maps: [ClassMap], _ settings: SchemaSettings? = nil, progress: ((SchemaProgress) throws -> Void)? = nil
    ) throws {
        let (store, connection) = (session.store, session.connection)
        try session.classes.checkAreNotConverted(maps)
        // Before it is looked what there is; most transactions that begin with a new class have done nothing else yet.
        if session.level != nil { try connection.becomeAlone() }
        let preparation = try SchemaPreparation(maps, store.classes, for: session, settings ?? store.schemaSettings)
        // Its writes are not the user's work.
        try session.writing.withoutUndo {
            try connection.unlimited {
                let made = try preparation.run(
                    on: connection, write: { try changeTables(preparation.maps, $0) },
                    in: session.level == nil ? nil : session,
                    progress: progress, callUser: callConversion)
                session.level?.didPrepare(made.maps)
                if session.level != nil, !session.writing.historySigning.isPrepared {
                    try session.writing.historySigning.begin(session)
                }
                for line in made.notes { store.configuration.onNote(line) }
                try prepareStoredClasses(sharing: preparation.maps)
                #if DEBUG
                    for note in SeparateSides.notes(of: made.maps) { store.configuration.onNote(note) }
                #endif
            }
        }
    }

    /// Prepares the subclasses that rows are of, which may have other names by now: later, a reading may be under way, in
    /// which no table can be changed.
    private func prepareStoredClasses(sharing maps: [ClassMap]) throws {
        var tables: Set<String> = []
        for map in maps where map.foreign == nil && tables.insert(Naming.folded(map.table)).inserted {
            let others = try ClassSpaces.storedClasses(sharing: map, session)
            let new = others.filter { !session.store.classes.isPrepared($0, for: session) }
            if !new.isEmpty { try prepare(new) }
        }
    }

    /// What would be done for some classes.
    func plan(for maps: [ClassMap], _ settings: SchemaSettings) throws -> SchemaPlan {
        try SchemaPreparation(maps, session.store.classes, for: session, settings, again: true).plan(session.connection)
    }

    /// Runs a plan that was made before.
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
            }
        }
    }

    /// A transaction for the change of tables: a user's transaction if the user's conversions may save objects.
    private func changeTables<R>(_ maps: [ClassMap], _ body: () throws -> R) throws -> R {
        let converted = maps.filter { !$0.type.conversions.isEmpty }
        guard let conversion = converted.first?.type.conversions.first else {
            return try session.write(alone: true, body)
        }
        // Where a save is the first use of the class it has written nothing yet.
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

    /// Calls a user's conversion, in the middle of a write that waits for it.
    private func callConversion(_ body: () throws -> Any?) throws -> Any? {
        let former = session.writing.isWriting
        session.writing.isWriting = false
        defer { session.writing.isWriting = former }
        return try body()
    }
}
