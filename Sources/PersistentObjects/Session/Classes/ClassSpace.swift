internal import Foundation
internal import StoreEngine

/// One session's state for the classes of one hierarchy, which share a table.
final class HierarchySpace {
    let rows = RowTable()
    /// Whether the table has a column for the class.
    var hasClassColumn = false
    /// The classes by their names in the class column.
    private(set) var classes: [String: ClassMap] = [:]
    fileprivate var identities: [ObjectIdentifier: IdentityMap] = [:]
    /// The unique values by column, for the columns that finders have used.
    var uniqueKeys: [String: UniqueKeys] = [:]

    /// The rows of the table; nil if they are not known, or not worth the memory.
    var whole: WholeTable?

    private var knownInverseTables: (classCount: Int, tables: Set<String>)?

    /// Adds a class; returns false if it was known.
    func add(_ map: ClassMap) -> Bool { classes.updateValue(map, forKey: map.name) == nil }

    /// The class and its known subclasses.
    func family(of map: ClassMap) -> [ClassMap] {
        classes.values.filter { $0.derives(from: map) }.sorted { $0.name < $1.name }
    }

    /// Whether a class of it that the session has used has inverses.
    var hasInverses: Bool { classes.values.contains { !$0.links.inverses.isEmpty } }

    /// The table of its classes, in lowercase.
    var table: String? { classes.values.first.map { Naming.folded($0.table) } }

    /// The tables whose rows determine the inverses of its objects, in lowercase.
    func inverseTables(_ dialect: Dialect) -> Set<String> {
        if let known = knownInverseTables, known.classCount == classes.count { return known.tables }
        var tables: Set<String> = []
        defer { knownInverseTables = (classes.count, tables) }
        for map in classes.values {
            for ordinal in map.links.inverses {
                guard let side = try? InverseSide.of(map.properties[ordinal], in: map) else { continue }
                tables.insert(Naming.folded(side.other.table))
            }
            for ordinal in map.links.filteredInverses {
                // A condition without a reach was refused when the class was prepared.
                let reach = try? InverseReach(map.properties[ordinal], of: map, dialect)
                tables.formUnion(reach?.tables ?? [])
            }
        }
        return tables
    }

    var allIdentities: [IdentityMap] { Array(identities.values) }
    var liveCount: Int { identities.values.reduce(0) { $0 + $1.count } }

    fileprivate func identity(of map: ClassMap, _ session: Session) -> IdentityMap {
        if let known = identities[ObjectIdentifier(map)] { return known }
        let made = IdentityMap(map, rows, session: session)
        identities[ObjectIdentifier(map)] = made
        return made
    }
}

/// One session's state for one class: the identity map and the statements.
///
/// It is recreated when a class is added to the hierarchy, because its statements name the classes.
package final class ClassSpace {
    package let map: ClassMap
    let identity: IdentityMap
    unowned let session: Session
    let hierarchy: HierarchySpace
    private let sharedSQL: SharedClassSQL
    var sql: ClassSQL { sharedSQL.sql }
    /// Readers of rows of subclasses, by class name; empty if the table has no class column.
    private(set) lazy var readers: [String: RowReader] = makeReaders()
    /// Statements that delete rows of the class by their ids.
    private(set) lazy var deletionTexts = DeletionTexts(sql)
    private var selectByID: Statement?
    private var lastUpdate: (ColumnSet, Statement)?
    /// The place of the version property, which counts the updates of a row.
    let versionOrdinal: Int?
    /// The number of rows that the table had when all rows were last fetched.
    var lastRowCount = 0
    private var texts: [ClassStatement: SQL] = [:]
    private var filteredInverses: [Int: FilteredInverse] = [:]
    /// The statements of the collections, by their ordinals; use `collectionSQL(_:)`.
    var collectionSQL: [Int: CollectionSQL] = [:]
    /// The plans of finders, by their names.
    let finders = PlanCache<String, NamePlan>(limit: 1000)
    /// The statements around raw SQL criteria.
    let criteria = PlanCache<CriteriaKey, SQL>(limit: 256)
    /// The plans for equality with a value, by property.
    let equalities = PlanCache<AnyKeyPath, QueryPlan>()
    private let queries = PlanCache<QueryDefinition.Shape, QueryPlan>(limit: 1000)
    private var byKey: QueryPlan?

    init(_ map: ClassMap, _ hierarchy: HierarchySpace, session: Session) throws {
        self.map = map
        versionOrdinal = try map.versionOrdinal()
        self.session = session
        self.hierarchy = hierarchy
        sharedSQL = try session.store.classes.sql(
            of: map, family: hierarchy.hasClassColumn ? hierarchy.family(of: map) : [], session.connection.dialect)
        identity = hierarchy.identity(of: map, session)
        // If the keyring lacks the key, the conditions that need it throw.
        if map.hasHashes { try? session.store.sealed?.prepareToCompare(session.connection) }
    }

    /// Reads a row of a subclass with the columns of this class's statements.
    struct RowReader {
        let map: ClassMap
        let identity: IdentityMap
        /// The column of each selected property.
        let columns: [Int32]
    }

    private func makeReaders() -> [String: RowReader] {
        Dictionary(
            uniqueKeysWithValues: sql.family.map { map in
                (
                    map.name,
                    RowReader(map: map, identity: hierarchy.identity(of: map, session), columns: sql.columns(of: map))
                )
            })
    }

    /// Whether an object of the hierarchy is an object of the class.
    @inline(__always)
    func contains(_ object: PersistentObject) -> Bool {
        map.isRoot || object.keeper === identity || ClassMap.isClass(type(of: object), map.type)
    }

    /// The rows of the hierarchy if all of their objects are of the class; otherwise nil.
    var allRows: Borrowed<RowTable>? { map.isRoot ? Borrowed(hierarchy.rows) : nil }

    /// The text of a statement, cached by the store for all sessions and here for the next use.
    func text(_ statement: ClassStatement) -> SQL {
        if let known = texts[statement] { return known }
        let text = sharedSQL.text(statement)
        texts[statement] = text
        return text
    }

    /// A statement that selects one row by its id; the caller must finish it.
    @inline(__always)
    func rowStatement() throws(StoreError) -> Statement {
        if let statement = selectByID, !statement.isBusy {
            statement.take()
            return statement
        }
        let statement = try prepared(text(.selectByID))
        selectByID = statement
        return statement
    }

    /// A statement that inserts a row; the caller must finish it.
    func insertStatement(withIDs: Bool) throws(StoreError) -> Statement {
        try prepareToSeal(map.sealedOrdinals)
        return try prepared(text(.insert(rows: 1, withIDs: withIDs)))
    }

    /// A statement that inserts several rows with their ids; the caller must finish it. Nil if they must be inserted
    /// individually.
    func insertStatement(ofSeveral rows: Int) throws(StoreError) -> Statement? {
        try prepareToSeal(map.sealedOrdinals)
        return try preparedBatch(text(.insert(rows: rows, withIDs: true)))
    }

    /// A statement that updates some columns of a row; the caller must finish it.
    func updateStatement(_ changed: ColumnSet) throws(StoreError) -> Statement {
        try prepareToSeal(map.sealedOrdinals.filter { changed.contains($0) })
        if let (columns, statement) = lastUpdate, columns == changed, !statement.isBusy {
            statement.take()
            return statement
        }
        let statement = try prepared(text(.update(changed)))
        lastUpdate = (changed, statement)
        return statement
    }

    /// A statement that updates some columns of rows with consecutive ids; the caller must finish it. Nil if the rows
    /// must be updated individually.
    func neighboursStatement(_ changed: ColumnSet) throws(StoreError) -> Statement? {
        try prepareToSeal(map.sealedOrdinals.filter { changed.contains($0) })
        return try preparedBatch(text(.updateNeighbours(changed)))
    }

    /// Prepares writing some encrypted properties.
    @inline(__always)
    private func prepareToSeal(_ ordinals: [Int]) throws(StoreError) {
        if !ordinals.isEmpty { try prepareToSeal(each: ordinals) }
    }

    private func prepareToSeal(each ordinals: [Int]) throws(StoreError) {
        let hashes = ordinals.contains { map.properties[$0].sealing?.isSearchable == true }
        do throws(StoreError) {
            try session.store.sealed?.prepareToWrite(session.connection, hashes: hashes)
        } catch {
            throw error.at(className: map.name, property: map.properties[ordinals[0]].name)
        }
    }

    /// Decrypts a stored value of an encrypted property.
    func opened(
        _ stored: DatabaseValue, _ sealing: PropertySealing, key: DatabaseValue, rowID: Int64
    ) throws(StoreError) -> DatabaseValue {
        guard let sealed = session.store.sealed else { return .null }
        do throws(StoreError) {
            return try sealed.value(stored, sealing.context, key: key, session.connection)
        } catch {
            throw error.at(className: map.name, property: sealing.property, rowID: rowID)
        }
    }

    /// A prepared statement. Preparing may fail because of a trigger or a generated column of the file, or a function
    /// that the store does not have.
    func prepared(_ sql: SQL) throws(StoreError) -> Statement {
        do throws(StoreError) { return try session.connection.statement(sql) } catch {
            throw error.at(className: map.name)
        }
    }

    private func preparedBatch(_ sql: SQL) throws(StoreError) -> Statement? {
        do throws(StoreError) { return try session.connection.batchStatement(sql) } catch {
            throw error.at(className: map.name)
        }
    }

    /// The plan for equality with the key, created once.
    func planForKey(_ make: () throws -> QueryPlan) rethrows -> QueryPlan {
        if let byKey { return byKey }
        let made = try make()
        byKey = made
        return made
    }

    /// The plan of queries of one shape, created once.
    func plan(of definition: QueryDefinition) throws -> QueryPlan {
        try queries.plan(where: { definition.has($0) }, key: { definition.shape }) { try makePlan(definition) }
    }

    /// The reader of an inverse with a condition.
    func filteredInverse(_ ordinal: Int) throws -> FilteredInverse {
        if let known = filteredInverses[ordinal] { return known }
        let made = try FilteredInverse(map.properties[ordinal], of: map, session)
        filteredInverses[ordinal] = made
        return made
    }

    /// A plan that is not cached here.
    func makePlan(_ definition: QueryDefinition) throws -> QueryPlan {
        try QueryPlan(definition, map, sql, session)
    }

    /// Removes the cached plans after a class was added to another hierarchy, whose classes plans with paths name.
    func forgetPlans() {
        finders.removeAll()
        equalities.removeAll()
        queries.removeAll()
        criteria.removeAll()
        filteredInverses = [:]
        byKey = nil
    }

    /// An error of the engine or a codec, completed by the class, property and row.
    package func located(_ error: any Error, property: Int? = nil, rowID: Int64? = nil, sql: String? = nil) -> any Error
    {
        let name = property.map { map.properties[$0].name }
        switch error {
        case let error as StoreError:
            let error = error.constraint == nil ? error : readable(error, rowID)
            return error.at(className: map.name, property: name ?? constrainedProperty(error), rowID: rowID)
        case let fault as ValueFault:
            return StoreError.value(fault).at(className: map.name, property: name, rowID: rowID, sql: sql)
        default: return error
        }
    }

    /// The engine's error in the form that `validate` uses. Another session may have written after the validation.
    private func readable(_ error: StoreError, _ rowID: Int64?) -> StoreError {
        guard error.problems.isEmpty, let failure = error.constraint else { return error }
        if let check = failure.check {
            var error = error
            error.message =
                "A CHECK constraint of the table rejects the row: \(VisibleText.of(check, 200)). Nothing was "
                + "changed. Change the value and save again"
            return error
        }
        guard error.code == .notUnique else { return error }
        let names = failure.columns.compactMap { column in
            property(column, of: failure)?.name ?? (map.foreign == nil && column == "id" ? column : nil)
        }
        guard !names.isEmpty, names.count == failure.columns.count else { return error }
        var error = error
        error.problems = [
            StoreError.Problem(
                className: map.name, rowID: rowID, properties: names, message: ClassMap.takenMessage)
        ]
        error.message =
            names.count == 1
            ? "The value is already taken by another object. Nothing was changed. Change the value and save again"
            : "The values are already taken by another object. Nothing was changed. Change one of them and save again"
        return error
    }

    /// The property that a constraint concerns, if it concerns exactly one property.
    private func constrainedProperty(_ error: StoreError) -> String? {
        guard let failure = error.constraint else { return nil }
        if let check = failure.check { return checkedProperty(check) }
        guard failure.columns.count == 1 else { return nil }
        return property(failure.columns[0], of: failure)?.name
    }

    /// The property whose column the text of a CHECK constraint names, if it is the only one.
    private func checkedProperty(_ check: String) -> String? {
        var tokens = SQLTokens(Array(check.utf8))
        // SQLite omits quotes at the start of the text, and the text after them.
        var names: Set<String> = [Naming.folded(check)]
        while let token = tokens.next() {
            guard token.kind == .word || token.kind == .quotedName else { continue }
            let ends = token.kind == .quotedName ? 1 : 0
            guard token.range.count > 2 * ends else { continue }
            names.insert(
                Naming.folded(tokens.text(token.range.lowerBound + ends..<token.range.upperBound - ends)))
        }
        let found = map.properties.filter { property in
            property.hasColumn && !property.isReadOnly
                && property.columns.contains { names.contains(Naming.folded($0)) }
        }
        return found.count == 1 ? found[0].name : nil
    }

    private func property(_ column: String, of failure: ConstraintFailure) -> Property? {
        // A class of an existing table may spell the names in another case than the file.
        guard failure.table.map(Naming.folded) == Naming.folded(map.table) else { return nil }
        let name = Naming.folded(column)
        return map.properties.first { property in
            property.hasColumn && !property.isReadOnly && property.columns.contains { Naming.folded($0) == name }
        }
    }
}

/// The plan of a finder name, cached with the class of the name.
class NamePlan {}
