// Schema: migrates tables to the declarations of classes. Each plan compares and returns changes; `SchemaPreparation`
// runs them in order. It knows class maps and the contents of the file, and must know neither sessions nor objects.

internal import StoreEngine

/// Migrates the tables of a class, and of all classes that its links reach, to their declarations, in one transaction.
struct SchemaPreparation {
    /// The classes that were not prepared yet, superclasses before their subclasses.
    let maps: [ClassMap]
    private let classes: StoredClasses
    private let settings: SchemaSettings

    /// - Parameters:
    ///   - session: The session whose transaction may have created tables that no other session sees yet.
    ///   - again: Whether classes that are already prepared are included.
    init(
        _ roots: [ClassMap], _ classes: StoredClasses, for session: AnyObject, _ settings: SchemaSettings,
        again: Bool = false
    ) throws {
        self.classes = classes
        self.settings = settings
        var found: [ClassMap] = []
        var seen = Set(roots.map { ObjectIdentifier($0.type) })
        var waiting = Array(roots.reversed())
        while let map = waiting.popLast() {
            // The classes that a prepared class links to were prepared with it.
            guard again || !classes.isPrepared(map, for: session) else { continue }
            found.append(map)
            for type in ClassLineage.hierarchy(of: map) + map.reachedClasses + map.historyClasses
            where seen.insert(ObjectIdentifier(type)).inserted { waiting.append(try ClassMap.map(of: type)) }
        }
        let depths = found.map { ClassLineage.hierarchy(of: $0).count }
        let order = found.indices.sortedUnspecialized { (depths[$0], $0) < (depths[$1], $1) }
        maps = order.map { found[$0] }
    }

    /// The plan with its row counts.
    func plan(_ connection: any Connection) throws -> SchemaPlan {
        try classes.check(maps, connection.dialect)
        for map in maps where !map.sealedOrdinals.isEmpty { try map.checkKeyring(settings.sealed) }
        try checkTablesOfOthers(connection)
        var plan = try makePlan(connection, isConsented: true)
        try plan.countRows(connection)
        return plan
    }

    /// Compares without the write lock first, because usually there are no changes.
    ///
    /// - Parameters:
    ///   - write: Runs its argument in a transaction.
    ///   - transaction: The session, if it is in a transaction, whose tables other sessions see only after the commit.
    ///   - progress: Receives the progress; an error that it throws aborts the change.
    ///   - callUser: Calls user code, which may find and save objects.
    /// - Returns: The classes whose tables were created or changed, notes for the user about columns that are kept and
    ///   conversions that do not run, and whether values that were in plain text were encrypted.
    func run(
        on connection: any Connection, write: (() throws -> SchemaPlan) throws -> SchemaPlan,
        in transaction: AnyObject?, progress: ((SchemaProgress) throws -> Void)?,
        callUser: @escaping (() throws -> Any?) throws -> Any?
    ) throws -> (maps: [ClassMap], notes: [String], encryptsValues: Bool) {
        try classes.check(maps, connection.dialect)
        for map in maps where !map.sealedOrdinals.isEmpty { try map.checkKeyring(settings.sealed) }
        try checkTablesOfOthers(connection)
        if let tables = try tablesIfUnchanged(connection) {
            try classes.didPrepare(maps, tablesWithClassColumn: tables, in: nil)
            return ([], [], false)
        }
        let first = try makePlan(connection)
        if first.isEmpty, first.maps.isEmpty || connection.writeRefusal != nil || settings.changes == .refused {
            // The file's record of its classes is outdated, which is harmless, or it is newer.
            try classes.didPrepare(maps, tablesWithClassColumn: first.tablesWithClassColumn, in: nil)
            return ([], first.notes, false)
        }
        if first.changesInTransaction.isEmpty, !first.renewals.isEmpty {
            try classes.didPrepare(maps, tablesWithClassColumn: first.tablesWithClassColumn, in: nil)
            return ([], first.notes + (try renewIndexes(of: first, connection, write, in: transaction)), false)
        }
        try refuse(first)
        try refuseWithoutConsent(first)
        if transaction != nil, first.changesRows, try !connection.becomeAlone() {
            // Concurrent writes since the snapshot would be missing from the rewritten tables.
            var error = StoreError(
                .busy,
                "The table must be changed, which is not possible in a transaction while other sessions can "
                    + "write. Call store.prepare(\(maps[0].name).self) before it, or pass retries: 1",
                className: maps[0].name)
            error.repetition = .again
            throw error
        }
        let isConcurrent = transaction != nil && connection.capabilities.contains(.concurrentWriters)
        let plan = try located(isConcurrent: isConcurrent) {
            try write {
                // Another process may have migrated the file in the meantime.
                let isCurrent = try first.version == connection.schema.version()
                var plan = isCurrent ? first : try makePlan(connection)
                try refuseWithoutConsent(plan)
                if progress != nil { try plan.countRows(connection) }
                try SchemaPreparation.execute(plan, connection, settings, progress, callUser)
                return plan
            }
        }
        try classes.didPrepare(maps, tablesWithClassColumn: plan.tablesWithClassColumn, in: transaction)
        return (
            maps, plan.leftBehind + plan.notes + (try renewIndexes(of: plan, connection, write, in: transaction)),
            plan.encryptsValues
        )
    }

    /// Replaces outdated indexes and records that the file is up to date. In a transaction, and if the store may not be
    /// changed, a later preparation replaces them.
    private func renewIndexes(
        of plan: SchemaPlan, _ connection: any Connection, _ write: (() throws -> SchemaPlan) throws -> SchemaPlan,
        in transaction: AnyObject?
    ) throws -> [String] {
        guard !plan.renewals.isEmpty, transaction == nil, !connection.isInTransaction,
            connection.writeRefusal == nil, settings.changes != .refused
        else { return [] }
        let (isDone, notes) = try plan.renewIndexes(connection)
        guard isDone else { return notes }
        _ = try write {
            let rest = try makePlan(connection)
            // If another program has changed the tables in the meantime, a later preparation compares them again.
            guard rest.isEmpty else { return rest }
            try SchemaPreparation.execute(rest, connection, settings, nil) { try $0() }
            let statements = plan.renewals.flatMap(\.statements).map(\.text)
            try FileRecordWriter(connection).record(statements, for: maps.count == 1 ? maps[0].name : nil)
            return rest
        }
        return notes
    }

    /// Checks existing tables and references to them, which are never changed.
    private func checkTablesOfOthers(_ connection: any Connection) throws {
        // The plan creates the view of the history's values.
        for map in maps where !HistoryNames.contains(map.table) {
            try ForeignPlan(map, connection)?.check()
            try ForeignReferences(map, connection).check()
        }
    }

    /// The classes whose tables the library creates.
    private var ownMaps: [ClassMap] { maps.filter { $0.foreign == nil } }

    /// - Parameter isConsented: Whether the user sees the plan before it runs, so that it may revert a class to a
    ///   former shape.
    private func makePlan(_ connection: any Connection, isConsented: Bool = false) throws -> SchemaPlan {
        func plan() throws -> SchemaPlan {
            // The version is read before the schema: if another process changes the schema in between, the plan is
            // outdated.
            let version = try connection.schema.version()
            var plan = try self.plan(connection, connection.schema.readAhead(for: ownMaps.count), isConsented)
            plan.version = version
            return plan
        }
        do { return try plan() } catch {
            guard !connection.isInTransaction else { throw error }
            // Another process may have created tables between two of the statements, so that they saw an inconsistent
            // state. The plan is made again in a transaction, which throws if the problem is real.
            try connection.beginReading()
            defer { connection.rollback() }
            return try plan()
        }
    }

    private func plan(
        _ connection: any Connection, _ schema: any SchemaReader, _ isConsented: Bool
    ) throws -> SchemaPlan {
        let older = isConsented ? nil : try OlderClasses(among: ownMaps, connection, schema)
        let known = classes.preparedMaps
        guard let older, !older.isEmpty else {
            return try SchemaPlanner(ownMaps, known: known, settings, connection, schema).plan()
        }
        try older.checkNames(FileRecord(for: older.maps, known: known, connection, schema))
        let others = ownMaps.filter { map in !older.maps.contains { $0 === map } }
        let undone: SchemaPlan
        do {
            undone = try SchemaPlanner(older.maps, known: known + others, settings, connection, schema).plan()
        } catch let error as SchemaError { throw older.refusal(of: error) }
        let notes = try older.check(undone.changes, connection)
        var plan = try SchemaPlanner(others, known: known + older.maps, settings, connection, schema).plan()
        plan.notes += notes
        plan.tablesWithClassColumn.formUnion(undone.tablesWithClassColumn)
        return plan
    }

    private func refuse(_ plan: SchemaPlan) throws {
        guard settings.changes == .refused, let change = plan.changes.first else { return }
        throw SchemaError.changesRefused(className: change.className, changes: plan.changes.map(\.summary))
    }

    /// Values are stored without their encryption, and captured changes are dropped, only if the user consents.
    private func refuseWithoutConsent(_ plan: SchemaPlan) throws {
        guard settings.changes != .dropping else { return }
        if let change = plan.changes.first(where: { $0.exposure != nil }) {
            throw SchemaError.exposesValues(className: change.className, changes: plan.exposes)
        }
        if let change = plan.changes.first(where: \.needsConsent) {
            throw SchemaError.endsSync(
                className: change.className, changes: plan.changes.filter(\.needsConsent).compactMap(\.loss))
        }
    }

    /// Adds the class to an error of a deadlock, a read-only store or a missing privilege, which is caused by the first
    /// use of the class. An error of a concurrent transaction may mean that another process is creating the same table,
    /// which is not visible here.
    private func located<R>(isConcurrent: Bool, _ body: () throws -> R) throws -> R {
        do { return try body() } catch let error as StoreError {
            if isConcurrent, error.code == .invalidSQL, let map = maps.last {
                var meeting = StoreError(
                    .busy,
                    "Another process may be creating the same table (\(error.message)). The transaction was "
                        + "rolled back. Run it again with transaction(retries: 1), or call "
                        + "store.prepare(\(map.name).self) before it",
                    className: map.name)
                meeting.repetition = .again
                throw meeting
            }
            if error.code == .notPermitted {
                throw StoreError(
                    error.code, "The owner of the tables must use the class once. \(error.message)",
                    className: error.className ?? maps.last?.name, sql: error.sql)
            }
            guard error.code == .misuse || error.code == .readOnly, error.className == nil, let map = maps.last else {
                throw error
            }
            throw StoreError(
                error.code, "The table must be created or updated first: \(error.message)", className: map.name)
        }
    }

    /// The tables with a class column, if the file is unchanged since it was last migrated for exactly these classes.
    private func tablesIfUnchanged(_ connection: any Connection) throws -> Set<String>? {
        guard settings.changes != .dropping else { return nil }
        guard !ownMaps.isEmpty else { return [] }
        var tables: Set<String> = []
        // A concurrent change of the tables makes the hashes differ.
        let schema = connection.schema.readAhead(for: ownMaps.count)
        guard let recorded = try ClassHash.recorded(ownMaps, connection, schema) else { return nil }
        let inspector = SchemaInspector(connection, schema)
        for map in ownMaps {
            guard try recorded[map.name] == ClassHash(map, connection.dialect).bytes(schema) else { return nil }
            guard map.isRoot else {
                tables.insert(map.table)
                continue
            }
            let table = try inspector.table(map.table)
            if settings.changes != .refused, let table, let key = map.keyOrdinal.map({ map.properties[$0].column }),
                try table.hasRowsWithoutKey(key, connection)
            {
                return nil
            }
            if HierarchyPlan.hasClassColumn(table, map, connection.dialect) { tables.insert(map.table) }
        }
        return tables
    }
}

extension SchemaPreparation {
    /// Runs a plan in the open transaction, and records its changes.
    static func execute(
        _ plan: SchemaPlan, _ connection: any Connection, _ settings: SchemaSettings,
        _ progress: ((SchemaProgress) throws -> Void)?, _ callUser: @escaping (() throws -> Any?) throws -> Any?
    ) throws {
        let run = SchemaRun(connection, settings, progress: progress, callUser: callUser)
        let changes = plan.changesInTransaction
        try SealedColumns.prepare(for: plan.maps, connection)
        try run.run(changes)
        try SealedColumns.write(plan.maps, connection)
        if plan.encryptsValues, plan.vacuums, connection.capabilities.contains(.upkeep) {
            try connection.require(feature: SealNames.remains, for: .reading)
        }
        if connection.hasBrokenForeignKeys { try nameBrokenReferences(plan.maps, connection) }
        let writer = try FileRecordWriter(connection)
        let names = Set(plan.maps.map(\.name))
        let outdated = Set(plan.renewals.map(\.table))
        for map in plan.maps { try writer.write(map, among: names, isComplete: !outdated.contains(map.table)) }
        guard !changes.isEmpty else { return }
        try connection.tablesDidChange()
        try writer.record(changes.flatMap(\.statements), for: plan.maps.count == 1 ? plan.maps.first?.name : nil)
    }

    /// Throws an error that names the broken references, because the commit would fail without the reason.
    private static func nameBrokenReferences(_ maps: [ClassMap], _ connection: any Connection) throws {
        for map in maps {
            let broken = try connection.schema.brokenReferences(in: map.table)
            guard let column = broken.first?.column else { continue }
            let property = map.properties.first { Naming.folded($0.column) == Naming.folded(column) }
            throw SchemaError.danglingReference(
                className: map.name, property: property?.name ?? column,
                rowIDs: broken.filter { $0.column == column }.compactMap(\.rowID))
        }
    }
}

extension ClassMap {
    /// The class of history entries and, through its inverse, their values.
    fileprivate var historyClasses: [PersistentObject.Type] { keepsHistory ? [HistoryEntry.self] : [] }

    /// The classes that its links refer to or read from, and the classes of its collections' elements.
    fileprivate var reachedClasses: [PersistentObject.Type] {
        let elements = properties.compactMap { ($0.codec as? CollectionCodec)?.element as? any LinkCodec }
        return linkedClasses + elements.map(\.target)
    }
}
