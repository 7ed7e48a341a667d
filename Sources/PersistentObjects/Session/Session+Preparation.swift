internal import StoreEngine

// Tables that are brought to what classes say.
extension Session {
    /// Makes and updates tables, in a transaction of its own or in the one that is open.
    ///
    /// - Parameters:
    ///   - settings: What may be changed; nil for what the store's configuration says.
    ///   - progress: Told how far it is; an error that it throws ends the change.
    func prepareTables(
        of maps: [ClassMap], _ settings: SchemaSettings? = nil, progress: ((SchemaProgress) throws -> Void)? = nil
    ) throws {
        if let map = maps.first(where: { convertedClasses.contains(ObjectIdentifier($0.type)) }) {
            throw StoreError(
                .misuse, "A conversion must not use the class that is being changed", className: map.name)
        }
        // Before it is looked what there is; most transactions that begin with a new class have done nothing else yet.
        if level != nil { try connection.becomeAlone() }
        let preparation = try SchemaPreparation(maps, store.classes, for: self, settings ?? store.schemaSettings)
        // What it writes is no work of the user's.
        try withoutUndo {
            try connection.unlimited {
                let made = try preparation.run(
                    on: connection, write: { try changeTables(preparation.maps, $0) }, in: level == nil ? nil : self,
                    progress: progress, callUser: callConversion)
                level?.didPrepare(made.maps)
                if level != nil, entryBefore == nil { try noteEntries() }
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
            let others = try ClassSpaces.storedClasses(sharing: map, self)
            let new = others.filter { !store.classes.isPrepared($0, for: self) }
            if !new.isEmpty { try prepareTables(of: new) }
        }
    }

    /// What would be done for some classes.
    func schemaPlan(of maps: [ClassMap], _ settings: SchemaSettings) throws -> SchemaPlan {
        try SchemaPreparation(maps, store.classes, for: self, settings, again: true).plan(connection)
    }

    /// Runs a plan that was made before.
    func run(_ plan: SchemaPlan, progress: ((SchemaProgress) throws -> Void)?) throws {
        guard level == nil else {
            throw StoreError(.misuse, "A plan runs in its own transaction. Run it outside other transactions")
        }
        try withoutUndo {
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

    /// A transaction for the change of tables: one of the user's kind where conversions of the user's may save objects.
    private func changeTables<R>(_ maps: [ClassMap], _ body: () throws -> R) throws -> R {
        let converted = maps.filter { !$0.type.conversions.isEmpty }
        guard let conversion = converted.first?.type.conversions.first else { return try write(alone: true, body) }
        let former = convertedClasses
        convertedClasses.formUnion(converted.map { ObjectIdentifier($0.type) })
        defer { convertedClasses = former }
        // Where a save is the first use of the class it has written nothing yet.
        let result: R? = try beforeSaving {
            guard level == nil else { return try write(body) }
            var result: R?
            try conversion.transaction(self) { result = try write(body) }
            return result
        }
        guard let result else { throw StoreError(.misuse, "The transaction was rolled back") }
        return result
    }

    /// Calls a conversion of the user's, in the middle of a write that waits for it.
    private func callConversion(_ body: () throws -> Any?) throws -> Any? {
        let former = isWriting
        isWriting = false
        defer { isWriting = former }
        return try body()
    }
}
