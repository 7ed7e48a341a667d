internal import StoreEngine

/// An update of many rows with one statement, and of their objects in memory.
struct BulkUpdate: SessionVerb {
    let session: SessionParts

    init(_ session: SessionParts) { self.session = session }
}

// Updates of many rows at once.
extension BulkUpdate {
    /// Changes the rows that a query finds with one statement, and returns their number.
    func update(_ space: ClassSpace, _ definition: QueryDefinition, _ list: AssignmentList) throws -> Int {
        try session.writing.checkMayWrite()
        try space.map.checkWritable("updated")
        for target in list.targets { try checkIsInStore(target, list.map) }
        var definition = definition
        // The order matters only if the query has a limit or an offset.
        if definition.limit == nil, definition.offset == 0 { definition.orders = [] }
        // The plan throws before anything is written if SQL cannot express an assignment.
        let plan = try assigning(list, definition) { try space.makePlan($0) }
        let setsKey = setsKey(of: space, list)
        var rows = UpdatedRows(
            wantsLive: space.hierarchy.allIdentities.contains { $0.count > 0 },
            wantsAll: !memory.pendingEdits.isEmpty || setsKey)
        try session.write {
            rows.restart()
            guard !list.collections.isEmpty else { return try update(space, definition, plan, list, &rows) }
            // The owners are determined first, because the update can change values that the condition reads.
            let owners = try BoundQuery(definition, space).ids()
            var chosen = QueryDefinition(definition.type)
            chosen.add(
                QueryExpression(.column(scope: 0, QueryPath(.ordinal(list.map.properties.count))))
                    .isIn(owners.map { .value(.integer($0)) }))
            if !list.entries.isEmpty {
                try update(space, chosen, try assigning(list, chosen) { try space.makePlan($0) }, list, &rows)
            }
            rows.restart()
            for assignment in list.collections { try assign(assignment, to: owners, space) }
            for owner in owners { rows.add(owner, space) }
            rows.count = owners.count
            news.events.recordChanges(
                ColumnSet(list.entries.map(\.ordinal) + list.collections.map(\.ordinal)), of: owners, list.map,
                isExact: false)
        }
        memory.pendingEdits.rebase(rows.all, of: space.map.root)
        if rows.count > 0 {
            didUpdate(space, list, rows.live)
            memory.markStaleIfShared([space.map])
            if setsKey { Fetch(session).rereadRenamed(rows.all, of: space) }
        }
        return rows.count
    }

    /// Calls `body` with a query that includes the assignments.
    private func assigning<R>(
        _ list: AssignmentList, _ definition: QueryDefinition, _ body: (QueryDefinition) throws -> R
    ) rethrows -> R {
        var definition = definition
        definition.assigned = list.entries.map { .init(ordinal: $0.ordinal, value: $0.value) }
        return try body(definition)
    }

    /// Runs the statement for the values that are stored in the rows.
    private func update(
        _ space: ClassSpace, _ definition: QueryDefinition, _ plan: QueryPlan, _ list: AssignmentList,
        _ rows: inout UpdatedRows
    ) throws {
        let update = UpdateSQL(plan, space, list, wantsIDs: rows.wantsIDs)
        if space.map.foreign != nil {
            try connection.deferForeignKeys()
            try Fetch(session).checkKeys()
            if list.targets.contains(where: { $0.lifecycle == .deleted }) { throw brokenReference(list) }
        }
        let statement = try space.prepared(update.sql)
        defer { statement.finish() }
        do {
            statement.beginBinding()
            try assigning(list, definition) { try plan.bind($0, to: statement, session) }
            try news.events.announcing(list.entries.map(\.ordinal), list.map) {
                while try statement.step() {
                    let id = statement.integer(0)
                    try check(statement, update.checked, list.map, id)
                    rows.add(id, space)
                }
            }
            if !update.returns { rows.count = connection.changedRowCount }
        } catch { throw space.located(error, sql: update.sql.text) }
        statement.finish()
        if connection.hasBrokenForeignKeys { throw brokenReference(list) }
    }

    /// Checks that the property can have the calculated values, because SQL has no `Int8`, for example.
    private func check(_ statement: Statement, _ ordinals: [Int], _ map: ClassMap, _ id: Int64) throws {
        for (index, ordinal) in ordinals.enumerated() {
            do throws(ValueFault) { try map.baseline.check(statement.column(Int32(index) + 1), ordinal) } catch {
                throw StoreError.value(error).at(property: map.properties[ordinal].name, rowID: id)
            }
        }
    }

    private func checkIsInStore(_ object: PersistentObject, _ map: ClassMap) throws {
        guard let keeper = object.identityMap else { return }
        guard let session = keeper.session, session.store === self.session.store else {
            throw StoreError(
                .otherSession,
                "The assigned \(keeper.classMap.name) #\(object.rowID) belongs to another store, or its session "
                    + "has ended",
                className: map.name)
        }
    }

    private func brokenReference(_ list: AssignmentList) -> StoreError {
        let references = list.entries.map { list.map.properties[$0.ordinal] }.filter(\.isLink)
        return StoreError(
            .brokenReference, "The update would refer to a deleted row. Nothing was changed",
            className: list.map.name, property: references.count == 1 ? references[0].name : nil)
    }

    /// Updates the objects in memory after the write. Nothing fails here, because the rows are written: if an object
    /// cannot be reread now, the next fetch rereads it or throws.
    private func didUpdate(_ space: ClassSpace, _ list: AssignmentList, _ live: [Int64]) {
        for entry in list.entries {
            guard let codec = list.map.properties[entry.ordinal].codec as? ReferenceCodec,
                let root = try? ClassMap.map(of: codec.target).root, let targets = classes.usedHierarchy(of: root)
            else { continue }
            for identity in targets.allIdentities where !identity.classMap.links.inverses.isEmpty {
                for target in identity.liveObjects() {
                    memory.inverses.didChangeInFile(target, list.map, entry.ordinal)
                }
            }
        }
        memory.inverses.didChangeValues(of: space.map, ColumnSet(list.entries.map(\.ordinal)))
        let objects = live.compactMap { space.hierarchy.rows.object(for: $0) }
        for object in objects {
            if let level = session.level, let identity = object.identityMap { level.touch(object, identity.classMap) }
            memory.markStale(object)
        }
        // The change is the session's, so edits are rebased onto it and cannot conflict.
        guard !objects.isEmpty else { return }
        let reread = { connection.uninterrupted { try? Fetch(session).reread(objects, .rebase) } }
        if setsKey(of: space, list) { memory.followingNumbers { reread() } } else { reread() }
    }

    /// Whether the update can give rows other keys, although their numbers can change.
    private func setsKey(of space: ClassSpace, _ list: AssignmentList) -> Bool {
        space.reusesNumbers && space.map.setsKey(ColumnSet(list.entries.map(\.ordinal)))
    }
}

/// The rows that an update changed.
private struct UpdatedRows {
    var count = 0
    /// The ids of rows whose objects are in memory.
    private(set) var live: [Int64] = []
    /// The ids of all rows, if `wantsAll` is set.
    private(set) var all: [Int64] = []
    private let wantsLive: Bool
    private let wantsAll: Bool

    init(wantsLive: Bool, wantsAll: Bool) {
        self.wantsLive = wantsLive
        self.wantsAll = wantsAll
    }

    var wantsIDs: Bool { wantsLive || wantsAll }

    /// Forgets all rows, because the transaction starts again.
    mutating func restart() { self = UpdatedRows(wantsLive: wantsLive, wantsAll: wantsAll) }

    mutating func add(_ id: Int64, _ space: ClassSpace) {
        count += 1
        if wantsLive, space.hierarchy.rows.object(for: id) != nil { live.append(id) }
        if wantsAll { all.append(id) }
    }
}

/// The statement of an update.
struct UpdateSQL {
    let sql: SQL
    /// The ordinals of the properties whose values the statement returns after the id, to be checked.
    let checked: [Int]
    /// Whether the statement returns rows.
    let returns: Bool

    init(_ plan: QueryPlan, _ space: ClassSpace, _ list: AssignmentList, wantsIDs: Bool) {
        let map = space.map
        let foreign = space.sql.foreign
        let isPlain = plan.isPlain && map.isRoot && foreign == nil
        let values = zip(list.entries, plan.assigned).map { entry, value in
            plan.dialect.stored(value.sql, map.properties[entry.ordinal].codec.logicalType)
        }
        let isConstant = list.entries.map { $0.value.words == [.argument] }
        // A server gives a constant the type of the column only if it is assigned directly.
        let assignments = list.entries.indices.flatMap { index -> [SQL] in
            let isDirect = isPlain || isConstant[index]
            let value = isDirect ? values[index] : "\(column: String(index), of: UpdateSQL.alias)"
            if let foreign {
                return foreign.assignments(list.entries[index].ordinal, value).map { "\($0.column) = \($0.value)" }
            }
            return ["\(name: map.properties[list.entries[index].ordinal].column) = \(value)"]
        }
        let id: SQL = foreign.map { "\(name: map.table).\($0.id)" } ?? "\(column: "id", of: map.table)"
        var sql: SQL = "UPDATE \(name: map.table) SET \(list: assignments)"
        if isPlain {
            sql.append(plan.completed("", ordered: false))
        } else {
            // Calculations may read other tables, so all values are calculated before the first row changes.
            let calculated = values.enumerated().filter { !isConstant[$0.offset] }
            let new = plan.completed(UpdateSQL.selection(calculated, space), ordered: false)
            let newID: SQL = "\(column: "id", of: UpdateSQL.alias)"
            sql.append(" FROM (\(new)) AS \(name: UpdateSQL.alias) WHERE \(id) = \(newID)")
        }
        checked = list.entries.indices.filter { index in
            !isConstant[index]
                && UpdateSQL.needsCheck(map.properties[list.entries[index].ordinal], plan.assigned[index], map)
        }.map { list.entries[$0].ordinal }
        returns = wantsIDs || !checked.isEmpty
        if returns {
            let columns = checked.map { "\(column: map.properties[$0].columns[0], of: map.table)" as SQL }
            sql.append(" RETURNING \(list: [id] + columns)")
        }
        self.sql = sql
    }

    /// The alias of the rows with the new values. Their columns are named by number.
    private static let alias = " new"

    private static func selection(_ values: [(offset: Int, element: SQL)], _ space: ClassSpace) -> SQL {
        let values = values.map { "\($0.element) AS \(name: String($0.offset))" as SQL }
        let id: SQL = "\(column: "id", of: space.map.table) AS \"id\""
        return "SELECT \(list: [id] + values) FROM \(space.sql.source)"
    }

    /// Whether SQL can calculate a value that the property cannot have. The column's type refuses other values.
    private static func needsCheck(_ property: Property, _ value: QueryOperand, _ map: ClassMap) -> Bool {
        // A subclass's column accepts NULL, even if the property does not.
        if value.mayBeNull, !property.codec.acceptsNull, property.level > map.rootLevel { return true }
        return switch property.codec.kind {
        case .int, .int64, .double, .bool, .date, .string, .optionalInt, .optionalString, .optionalDouble,
            .optionalDate, .reference, .link:
            false
        case .other: true
        }
    }
}
