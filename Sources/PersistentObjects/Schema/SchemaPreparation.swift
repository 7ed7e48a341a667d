// Schema: brings tables to what classes say. Each plan compares and answers steps; `SchemaPreparation` runs them in
// order. It knows class maps and what is in the file, and must know neither sessions nor objects.

internal import StoreEngine

/// Brings the tables of a class, and of all classes that its links reach, to what the classes say: in one transaction.
struct SchemaPreparation {
    /// Those that were not prepared yet, superclasses before their subclasses.
    private let maps: [ClassMap]
    private let classes: StoredClasses

    /// - Parameter session: Whose transaction may have made tables that nobody else sees yet.
    init(_ map: ClassMap, _ classes: StoredClasses, for session: AnyObject) throws {
        self.classes = classes
        var found: [ClassMap] = []
        var seen: Set<ObjectIdentifier> = [ObjectIdentifier(map.type)]
        var waiting = [map]
        while let map = waiting.popLast() {
            // What a prepared class links to was prepared with it.
            guard !classes.isPrepared(map, for: session) else { continue }
            found.append(map)
            for type in ClassLineage.hierarchy(of: map) + map.reachedClasses
            where seen.insert(ObjectIdentifier(type)).inserted { waiting.append(try ClassMap.map(of: type)) }
        }
        let depths = found.map { ClassLineage.hierarchy(of: $0).count }
        let order = found.indices.sorted { (depths[$0], $0) < (depths[$1], $1) }
        maps = order.map { found[$0] }
    }

    /// Compares without locking others out first: most of the time there is nothing to do.
    ///
    /// - Parameters:
    ///   - write: Runs its argument in a transaction.
    ///   - transaction: The session, where what it makes counts for others only after a commit that comes later.
    /// - Returns: The classes whose tables `write` has made or changed; none where all was there.
    func run(
        on connection: any Connection, write: (() throws -> Set<String>?) throws -> Set<String>?,
        in transaction: AnyObject?
    ) throws -> [ClassMap] {
        try classes.check(maps)
        if let tables = try bringUp(connection, isDry: true) {
            try classes.didPrepare(maps, tablesWithClassColumn: tables, in: nil)
            return []
        }
        let tables = try located { try write { try bringUp(connection, isDry: false) } }
        try classes.didPrepare(maps, tablesWithClassColumn: tables ?? [], in: transaction)
        return maps
    }

    /// That the write would wait for itself is about the first use of the class.
    private func located<R>(_ body: () throws -> R) throws -> R {
        do { return try body() } catch let error as StoreError {
            guard error.code == .misuse, error.className == nil, let map = maps.last else { throw error }
            throw StoreError(
                .misuse, "the table has to be made or updated first, but \(error.message)", className: map.name)
        }
    }

    /// The tables with a column that tells the class; nil where something is to be done and may not be.
    ///
    /// Each plan is made when those before it were run, since it builds on them.
    private func bringUp(_ connection: any Connection, isDry: Bool) throws -> Set<String>? {
        var tables: Set<String> = []
        func isDone(_ steps: SchemaSteps, _ className: String) throws -> Bool {
            if isDry { return steps.isEmpty }
            try steps.run(on: connection, for: className)
            return true
        }
        for map in maps {
            try ForeignPlan(map, connection)?.check()
            try ForeignReferences(map, connection).check()
        }
        // What follows makes and changes tables of the library's own.
        let maps = maps.filter { $0.foreign == nil }
        for map in maps {
            guard try isDone(RenamePlan(map, connection).steps, map.name) else { return nil }
        }
        for map in maps {
            let relatives = classes.relatives(of: map) + maps.filter { $0.root == map.root }
            let plan = try TablePlan(map, relatives: relatives, connection)
            guard try isDone(plan.steps, map.name) else { return nil }
            if plan.hasClassColumn { tables.insert(map.table) }
        }
        for map in maps {
            for property in map.properties {
                guard let table = ChildTable(property, of: map) else { continue }
                let plan = try ChildTablePlan(table, of: property, in: map, connection)
                guard try isDone(plan.steps, map.name) else { return nil }
            }
        }
        // Triggers name several tables, which have to be there when SQLite next alters one.
        guard try isDone(RulePlan(maps, connection).steps, maps.first?.name ?? "") else { return nil }
        for map in maps {
            guard try isDone(SearchPlan(map, connection).steps, map.name) else { return nil }
        }
        return tables
    }
}

extension ClassMap {
    /// The classes that its links refer to or read from, and those of its collections' elements.
    fileprivate var reachedClasses: [PersistentObject.Type] {
        let elements = properties.compactMap { ($0.codec as? CollectionCodec)?.element as? any LinkCodec }
        return linkedClasses + elements.map(\.target)
    }
}
