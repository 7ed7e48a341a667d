internal import StoreEngine

/// The content of one owner's collection, built from its rows.
enum CollectionContent {
    /// The ids of a collection of objects.
    case links(LinkImage)
    /// A value of the property's type, valid during the call.
    case value(Address)
}

extension Fetch {
    /// Reads one collection of many owners with one query, and calls `each` for every owner, in their order.
    ///
    /// The ids are sorted and unique. An owner without rows has an empty collection, because only the owner's own row
    /// states that a collection is nil. An address in the content is valid until `each` returns.
    func readCollection(
        _ space: ClassSpace, _ ordinal: Int, owners: [Int64],
        _ each: (_ owner: Int64, _ content: CollectionContent) throws -> Void
    ) throws {
        guard let first = owners.first, let last = owners.last else { return }
        guard let codec = space.map.properties[ordinal].codec as? CollectionCodec else { return }
        let statement = try collectionStatement(space, ordinal, owners, first, last)
        defer { statement.finish() }
        var content = ContentBuilder(codec)
        var next = 0
        while try step(statement, space, ordinal) {
            let owner = statement.integer(0)
            // Most rows have the same owner as the row before; entering the loop for them would be too expensive.
            if owners[next] < owner {
                while next < owners.count, owners[next] < owner {
                    try content.finish(owners[next], each)
                    next += 1
                }
                guard next < owners.count else { break }
            }
            // Some owners in between were not requested.
            guard owners[next] == owner else { continue }
            do throws(ValueFault) { try content.append(statement) } catch {
                throw space.located(error, property: ordinal, rowID: owner, sql: statement.sql)
            }
        }
        while next < owners.count {
            try content.finish(owners[next], each)
            next += 1
        }
    }

    /// The objects of a collection's rows. A join needs no list of their ids.
    func readElements(
        _ space: ClassSpace, _ collection: PendingLinks.Collection, _ loader: GraphLoader
    ) throws -> [PersistentObject] {
        let child = try session.space(of: collection.map.type).collectionSQL(collection.ordinal).table
        let statement = try space.prepared(
            space.text(
                .selectElements(table: child.name, value: child.valueColumn, order: child.orderColumn)))
        statement.beginBinding()
        do throws(ValueFault) { try statement.bind(collection.object.rowID, at: 1) } catch {
            statement.finish()
            throw space.located(error)
        }
        return try readRows(space, statement, limit: .max, loader)
    }

    private func step(_ statement: Statement, _ space: ClassSpace, _ ordinal: Int) throws -> Bool {
        do throws(StoreError) { return try statement.step() } catch { throw space.located(error, property: ordinal) }
    }

    /// The query for some owners, with its values bound.
    private func collectionStatement(
        _ space: ClassSpace, _ ordinal: Int, _ owners: [Int64], _ first: Int64, _ last: Int64
    ) throws -> Statement {
        let sql = try space.collectionSQL(ordinal)
        let (width, isHuge) = last.subtractingReportingOverflow(first)
        // Reading a few unneeded owners is cheaper than looking each owner up and sorting the results. The reader stops
        // after the last owner, because an upper bound in SQL would be compared with each row.
        let isDense = !isHuge && width < 2 * Int64(owners.count)
        let text = owners.count == 1 ? sql.selectOne : isDense ? sql.selectFrom : sql.selectList
        let statement: Statement
        do throws(StoreError) { statement = try connection.statement(text) } catch {
            throw space.located(error, property: ordinal)
        }
        statement.beginBinding()
        do throws(ValueFault) {
            if owners.count == 1 || isDense {
                try statement.bind(first, at: 1)
            } else {
                try statement.bind(list: owners, at: 1)
            }
        } catch {
            statement.finish()
            throw space.located(error, property: ordinal)
        }
        return statement
    }
}

/// Builds the content of one owner after the other.
private struct ContentBuilder {
    private let codec: CollectionCodec
    private let hasKeys: Bool
    /// Builds a collection of values; nil for a collection of objects, which is built from ids.
    private let values: CollectionBuilder?
    private let memory: ElementMemory
    private let keyMemory: ElementMemory?
    private var image = LinkImage()

    init(_ codec: CollectionCodec) {
        self.codec = codec
        hasKeys = codec.style == .dictionary
        values = codec is any LinkCodec ? nil : codec.makeBuilder()
        memory = ElementMemory(codec)
        keyMemory = codec.key.map { ElementMemory($0) }
    }

    /// Adds a statement's current row.
    @inline(__always)
    mutating func append(_ statement: Statement) throws(ValueFault) {
        let value = statement.column(hasKeys ? 2 : 1)
        if let values { return try values.append(key: hasKeys ? statement.column(1) : nil, value: value) }
        guard let id = value.integer else { throw value.mismatch(expected: "INTEGER") }
        if let key = codec.key, let keyMemory {
            // The key is decoded and encoded again, because another program may have written it in a different form.
            try key.create(statement.column(1), at: keyMemory.address)
            defer { key.destroy(keyMemory.address) }
            image.keys.append(try key.encode(keyMemory.address))
        }
        image.ids.append(id)
    }

    /// Passes an owner's content to `each` and starts the next owner's content.
    mutating func finish(_ owner: Int64, _ each: (Int64, CollectionContent) throws -> Void) throws {
        if let values {
            values.finish(at: memory.address)
            defer { codec.destroy(memory.address) }
            return try each(owner, .value(memory.address))
        }
        let made = codec.style == .dictionary ? image.inKeyOrder : image
        image = LinkImage()
        try each(owner, .links(made))
    }
}
