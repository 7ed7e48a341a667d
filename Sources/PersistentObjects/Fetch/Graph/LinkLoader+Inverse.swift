internal import StoreEngine

// Inverses are loaded by reading the property on the other side.
extension LinkLoader {
    func loadInverse(_ objects: [PersistentObject], _ map: ClassMap, _ ordinal: Int) throws {
        let layout = map.baseline
        guard let codec = layout.slots[ordinal].codec as? InverseCodec else { return }
        let side = try InverseSide.of(map.properties[ordinal], in: map)
        let owners = objects.map(\.rowID).sorted()
        let found = try objectsOnOtherSide(of: owners, map, ordinal, side)
        // The property that refers to the owner can be inherited from a superclass.
        let hasOtherClasses = !ClassMap.isClass(side.other.type, codec.target)
        var filled: (ids: [Int64], size: Int) = ([], 0)
        for object in objects {
            guard let block = object.baseline else { continue }
            let start = ObjectMemory.start(of: object)
            var (others, ids) = found[object.rowID]
            if hasOtherClasses, !others.allSatisfy({ ClassMap.isClass(type(of: $0), codec.target) }) {
                others = others.filter { ClassMap.isClass(type(of: $0), codec.target) }
                ids = others.map(\.rowID)
            }
            // If several objects refer to the owner of a single inverse, only the first belongs to it. The links of the
            // other objects must not be cleared.
            if codec.isSingle { (others, ids) = (Array(others.prefix(1)), Array(ids.prefix(1))) }
            let field = layout.slots[ordinal].address(in: start)
            codec.set(others, at: field)
            layout.setImage(LinkImage(ids: ids), of: ordinal, in: block)
            let box = layout.slots[ordinal].box(in: start)
            box?.state = .loaded
            box?.isStale = false
            guard !others.isEmpty else { continue }
            box?.isFilled = true
            filled.ids.append(object.rowID)
            filled.size += others.count
        }
        if let identity = objects.first?.identityMap {
            memory.inverses.held.record(identity, ordinal, filled.ids, size: filled.size)
            if map.properties[ordinal].isFilteredInverse {
                let reach = try session.space(of: map.type).filteredInverse(ordinal).reach
                memory.inverses.filtered.record(identity, ordinal, reach, owners)
            }
        }
    }

    /// Reads the stale objects again, because their references must match the results.
    private func upToDate(_ objects: [PersistentObject], _ space: ClassSpace) throws -> [PersistentObject] {
        let stale = objects.filter { !memory.isCurrent($0) }
        if !stale.isEmpty { _ = try Fetch(session).fetchRows(space, stale.map(\.rowID)) }
        return objects
    }

    /// The contents of an inverse by the ids of its owners, each in the order of the objects' ids.
    func objectsOnOtherSide(
        of ids: [Int64], _ map: ClassMap, _ ordinal: Int, _ side: InverseSide
    ) throws -> ObjectsByOwner {
        let other = try session.space(of: side.other.type)
        let property = side.other.properties[side.ordinal]
        if let condition = (map.properties[ordinal].codec as? InverseCodec)?.condition as? QueryExpression {
            if case .reference = property.shape, side.other.foreign == nil {
                return try objectsReferring(to: ids, side, other, meeting: condition)
            }
            let filtered = try session.space(of: map.type).filteredInverse(ordinal)
            return try objects(filtered.pairs, of: ids, other) { (owner: $0, other: $1) }
        }
        if let child = ChildTable(property, of: side.other) {
            return try objects(child.selectOwners(connection.dialect), of: ids, other) { (owner: $1, other: $0) }
        }
        return try objectsReferring(to: ids, side, other)
    }

    /// Objects by the ids of their owners; the statement returns pairs of ids.
    private func objects(
        _ sql: SQL, of ids: [Int64], _ other: ClassSpace, _ pair: (Int64, Int64) -> (owner: Int64, other: Int64)
    ) throws -> ObjectsByOwner {
        var pairs: [(owner: Int64, other: Int64)] = []
        let statement = try connection.statement(sql)
        defer { statement.finish() }
        statement.beginBinding()
        do throws(ValueFault) { try statement.bind(list: ids, at: 1) } catch { throw other.located(error) }
        while try Fetch(session).step(statement, other) {
            pairs.append(pair(statement.integer(0), statement.integer(1)))
        }
        statement.finish()
        memory.lookForCommits()
        let objects = try upToDate(try Fetch(session).find(other, pairs.map(\.other)), other)
        let byID = Dictionary(objects.map { ($0.rowID, $0) }, uniquingKeysWith: { first, _ in first })
        var found = ObjectsByOwner()
        for (owner, pairs) in Dictionary(grouping: pairs, by: \.owner) {
            found.add(pairs.compactMap { byID[$0.other] }[...], of: owner)
        }
        return found
    }

    /// The objects that refer to rows through a reference column, by the ids of these rows.
    private func objectsReferring(
        to ids: [Int64], _ side: InverseSide, _ other: ClassSpace
    ) throws -> ObjectsByOwner {
        let property = side.property
        // For consecutive ids a range is used, because the column's index returns the rows in order.
        let isRange = zip(ids, ids.dropFirst()).allSatisfy { $0 &+ 1 == $1 }
        var form: ClassStatement.Referring = ids.count == 1 ? .one : isRange ? .range : .list
        if form == .range, try areMostRows(referringTo: ids, property.column, other) { form = .rangeOfTable }
        let statement = try connection.statement(other.text(.selectReferring(column: property.column, form)))
        statement.beginBinding()
        do throws(ValueFault) {
            switch form {
            case .one: try statement.bind(ids[0], at: 1)
            case .range, .rangeOfTable:
                try statement.bind(ids[0], at: 1)
                try statement.bind(ids[ids.count - 1], at: 2)
            case .list: try statement.bind(list: ids, at: 1)
            }
        } catch {
            statement.finish()
            throw other.located(error)
        }
        let objects = try Fetch(session).fetchGraph(other, statement)
        return form == .rangeOfTable
            ? ObjectsByOwner(objects, side, of: ids[0]...ids[ids.count - 1]) : ObjectsByOwner(objects, side)
    }

    /// Whether most rows of a table refer to a range of ids. Then reading the table is faster than looking up each row
    /// that the column's index leads to. It is not asked for a few ids, because the answer takes a statement.
    private func areMostRows(referringTo ids: [Int64], _ column: String, _ other: ClassSpace) throws -> Bool {
        guard ids.count >= LinkLoader.manyOwners, other.sql.hasTableOrder(of: column) else { return false }
        let statement = try connection.statement(other.text(.countReferring(column: column)))
        defer { statement.finish() }
        statement.beginBinding()
        do throws(ValueFault) {
            try statement.bind(ids[0], at: 1)
            try statement.bind(ids[ids.count - 1], at: 2)
        } catch { throw other.located(error) }
        guard try Fetch(session).step(statement, other) else { return false }
        // At most as many rows as the greatest id exist, because ids are assigned from 1.
        let (count, greatest) = (statement.integer(0), statement.integer(1))
        return count > 0 && count >= greatest / 2
    }

    private static var manyOwners: Int { 256 }

    /// The referring objects that meet a condition, by the ids of the rows that they refer to.
    private func objectsReferring(
        to ids: [Int64], _ side: InverseSide, _ other: ClassSpace, meeting condition: QueryExpression
    ) throws -> ObjectsByOwner {
        let reference = QueryExpression(.column(scope: 0, QueryPath(.ordinal(side.ordinal))))
        var definition = QueryDefinition(other.map.type, condition)
        definition.add(reference.isIn(ids.map { .value(.integer($0)) }))
        // `rows()` is not used, because it counts as a call, and a call may release the objects being read.
        let statement = try BoundQuery(definition, other).boundStatement()
        return ObjectsByOwner(IDOrder.sorted(try Fetch(session).fetchGraph(other, statement)), side)
    }
}
