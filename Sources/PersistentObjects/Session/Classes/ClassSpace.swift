internal import Foundation
internal import StoreEngine

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
    /// Whether the number of a deleted row can be that of another row later, although rows have a key.
    private(set) lazy var reusesNumbers: Bool = {
        guard let foreign = map.foreign, !foreign.key.isEmpty, !foreign.isKeyed, foreign.idColumn == nil else {
            return false
        }
        return session.connection.uninterrupted { !SchemaInspector(session.connection).isNumbered(map) }
    }()
    /// The number of rows that the table had when all rows were last fetched.
    var lastRowCount = 0
    private var texts: [ClassStatement: SQL] = [:]
    private var filteredInverses: [Int: FilteredInverse] = [:]
    /// The statements of the collections, by their ordinals; use `collectionSQL(_:)`.
    var collectionSQL: [Int: CollectionSQL] = [:]
    /// The plans of finders, by their names.
    let finders = PlanCache<String, FinderPlan>(limit: 1000)
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

    /// Binds the key of an object of a class with keys.
    func bindKey(of object: PersistentObject, to statement: Statement, at index: Int32) throws(ValueFault) {
        guard let ordinal = map.keyOrdinal else { return }
        let key = map.properties[ordinal]
        try key.codec.bind(key.address(in: ObjectMemory.start(of: object)), to: statement, at: index)
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
}
