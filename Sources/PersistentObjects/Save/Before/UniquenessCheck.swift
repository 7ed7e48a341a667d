internal import StoreEngine

/// Checks whether values that must be unique exist in the database, or in another object of the same save.
struct UniquenessCheck {
    private struct Key: Hashable {
        let table: String
        let columns: [String]
        let values: [Value]
        /// The column that is NULL in the rows that count; nil if all rows count.
        let condition: String?
    }

    private enum Value: Hashable {
        case stored(DatabaseValue)
        /// A reference to an object that has no row yet.
        case new(ObjectIdentifier)
    }

    private let session: SessionParts
    private let plan: SavePlan
    private var taken: [Key: ObjectIdentifier] = [:]
    private var isPreparedToCompareHashes = false
    /// The rows removed from owning collections and inverses, by table. The save deletes them before it inserts rows.
    private lazy var leaving = UniquenessCheck.leavingRows(plan)

    init(_ session: SessionParts, _ plan: SavePlan) {
        self.session = session
        self.plan = plan
    }

    /// Whether no other object has the values of a question.
    mutating func holds(_ question: Validation.Question) throws -> Bool {
        let map = question.map
        let ordinals = question.ordinals.compactMap { $0 }
        guard ordinals.count == question.ordinals.count, ordinals.allSatisfy({ map.properties[$0].hasColumn }) else {
            throw misuse(question, "it is not a property with a column")
        }
        let columns = ordinals.map { map.properties[$0].column }
        let root = try ClassMap.map(of: map.root)
        let isUnique = (map.indexes + root.indexes).contains { $0.isUnique && Set($0.columns) == Set(columns) }
        // If soft-deleted rows do not count, a soft-deleted object does not count either.
        let isLive = try !isUnique && [map, root].contains { try $0.isUniqueAmongLive(Set(columns), session.dialect) }
        guard isUnique || isLive else {
            let names = question.names.map { "\\\(map.name).\($0)" }.joined(separator: ", ")
            let advice = ordinals.count == 1 ? "Mark it @Unique" : "Add Index(\(names), unique: true) to the indexes"
            throw misuse(question, "it has no unique index. \(advice)")
        }
        if isLive, map.isDeletedSoftly(question.object) { return true }
        guard let values = try values(of: question.object, map, ordinals) else { return true }
        let key = Key(
            table: map.table, columns: columns, values: values, condition: isLive ? map.softDeleteColumn : nil)
        let me = ObjectIdentifier(question.object)
        if let other = taken.updateValue(me, forKey: key), other != me { return false }
        guard let other = try row(with: key, map) else { return true }
        if question.object.lifecycle == .saved, other == question.object.rowID { return true }
        return isFreed(other, key)
    }

    /// Nil if a value is nil, because nil equals nothing.
    private func values(of object: PersistentObject, _ map: ClassMap, _ ordinals: [Int]) throws -> [Value]? {
        let start = ObjectMemory.start(of: object)
        var values: [Value] = []
        for ordinal in ordinals {
            let property = map.properties[ordinal]
            if let box = property.box(in: start), box.state == .unloaded { try box.load() }
            let field = property.address(in: start)
            if let reference = property.codec as? ReferenceCodec {
                guard let target = reference.object(field) else { return nil }
                values.append(
                    target.lifecycle == .new
                        ? .new(ObjectIdentifier(target)) : .stored(.integer(target.rowID)))
                continue
            }
            // The save itself refuses a value that cannot be encoded.
            guard let value = try? property.codec.encode(field), value != .null else { return nil }
            values.append(.stored(value))
        }
        return values
    }

    private mutating func row(with key: Key, _ map: ClassMap) throws -> Int64? {
        var stored: [DatabaseValue] = []
        for value in key.values {
            guard case .stored(let value) = value else { return nil }
            stored.append(value)
        }
        let sealings = key.columns.map { column in map.properties.first { $0.column == column }?.sealing }
        if sealings.contains(where: { $0 != nil }) { try prepareToCompareHashes(map) }
        let isLive = key.condition.map { ["\(name: $0) IS NULL" as SQL] } ?? []
        let conditions =
            zip(key.columns, sealings).map { column, sealing -> SQL in
                guard let sealing else { return "\(name: column) = ?" }
                return "\(PropertySealing.hash(in: "\(name: column)")) = \(sealing.hashed("?"))"
            } + isLive
        let statement = try session.connection.statement(
            "SELECT \"id\" FROM \(map.foreign == nil ? "\(name: key.table)" : try map.rows(as: key.table, session.dialect)) WHERE \(list: conditions, separator: " AND ")"
        )
        defer { statement.finish() }
        statement.beginBinding()
        do throws(ValueFault) {
            for (index, value) in stored.enumerated() { try statement.bind(value, at: Int32(index) + 1) }
        } catch { throw StoreError.value(error).at(className: map.name) }
        return try statement.step() ? statement.integer(0) : nil
    }

    private mutating func prepareToCompareHashes(_ map: ClassMap) throws(StoreError) {
        if isPreparedToCompareHashes { return }
        do throws(StoreError) { try session.store.sealed?.prepareToCompare(session.connection) } catch {
            throw error.at(className: map.name)
        }
        isPreparedToCompareHashes = true
    }

    /// Whether the same save changes or deletes the row that has the values.
    private mutating func isFreed(_ row: Int64, _ key: Key) -> Bool {
        if leaving[key.table]?.contains(row) ?? false { return true }
        for (space, updates) in plan.updates where space.map.table == key.table {
            let ordinals = space.map.properties.indices.filter { key.columns.contains(space.map.properties[$0].column) }
            guard let update = updates.first(where: { $0.rowID == row }) else { continue }
            let leavesIndex = key.condition != nil && space.map.isDeletedSoftly(update.object)
            return leavesIndex || ordinals.contains { update.changed.contains($0) }
        }
        return false
    }

    private static func leavingRows(_ plan: SavePlan) -> [String: Set<Int64>] {
        var rows: [String: Set<Int64>] = [:]
        for (space, updates) in plan.updates {
            for ordinal in space.map.links.owningCollections {
                guard let codec = space.map.properties[ordinal].codec as? any LinkCodec,
                    let target = try? ClassMap.map(of: codec.target)
                else { continue }
                for update in updates where update.changed.contains(ordinal) {
                    guard let block = update.object.baseline else { continue }
                    rows[target.table, default: []].formUnion(space.map.baseline.image(ordinal, in: block).ids)
                }
            }
        }
        for leaver in plan.leaving where !leaver.isOwned {
            rows[leaver.map.table, default: []].insert(leaver.object.rowID)
        }
        return rows
    }

    private func misuse(_ question: Validation.Question, _ reason: String) -> StoreError {
        StoreError(
            .misuse, "The class's validate requires it to be unique, but \(reason)", className: question.map.name,
            property: question.names.joined(separator: ", "))
    }
}
