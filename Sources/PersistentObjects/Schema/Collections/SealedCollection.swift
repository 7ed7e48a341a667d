internal import StoreEngine

/// The elements of encrypted collections during changes of classes: from and to the rows of a collection's table, and
/// from one type to another.
struct SealedCollection: Sendable {
    private let property: Property
    private let className: String
    private let codec: CollectionCodec
    private let table: ChildTable

    /// Nil for a property that is not a collection of values.
    init?(_ property: Property, in map: ClassMap) {
        guard let codec = property.codec.asCollection else { return nil }
        self.property = property
        self.codec = codec
        className = map.name
        table = ChildTable(codec, of: property, in: map)
    }

    /// Reads the collections in a table, and calls `body` with each owner and the bytes of its collection.
    func collect(
        _ copy: CollectionCopy, from source: String, _ shape: FoundCollection, _ run: SchemaRun,
        _ body: (_ owner: Int64, DatabaseValue) throws -> Void
    ) throws {
        var current: Int64?
        var rows: [[DatabaseValue]] = []
        func finish() throws {
            if let current { try body(current, bytes(rows, of: current)) }
            rows = []
        }
        try withoutActuallyEscaping(finish) { finish in
            try copy.run(run, from: source, shape) { row in
                guard case .integer(let owner) = row[0] else { return }
                if owner != current { try finish() }
                current = owner
                rows.append(row)
            }
        }
        try finish()
    }

    /// Writes the elements in an encrypted column into the collection's table.
    ///
    /// - Parameter rows: The condition of the rows that have a value.
    func decrypt(_ source: SealedColumn, _ column: String, of map: ClassMap, rows: SQL, _ run: SchemaRun) throws {
        guard let sealed = run.sealed else {
            throw StoreError(
                .locked, "The values are encrypted, and the store has no keyring. Open the store with the keyring",
                className: className, property: property.name)
        }
        let columns = table.columns
        let insert = try run.connection.prepare(
            """
            INSERT INTO \(name: table.name) (\(names: columns.map(\.name))) VALUES (\(placeholders: columns.count))
            """)
        try run.forEachRow("\(name: column), \(map.keySQL())", rows, in: map.table, for: property.name) { id, row in
            let plain: DatabaseValue
            do throws(StoreError) {
                plain = try sealed.value(row[0], source.context, key: row[1], run.connection)
            } catch { throw error.at(className: className, property: property.name, rowID: id) }
            try write(plain, from: source.type, of: id, map, run) { try insert.execute($0) }
        }
    }

    /// A decrypted collection of another type as a collection of the property's type.
    func converted(
        _ value: DatabaseValue, from type: String, of owner: Int64, _ map: ClassMap, _ run: SchemaRun
    ) throws -> DatabaseValue {
        guard value != .null, type != PropertyRecord.typeName(of: property) else { return value }
        var rows: [[DatabaseValue]] = []
        try write(value, from: type, of: owner, map, run) { rows.append($0) }
        return try bytes(rows, of: owner)
    }

    /// Writes the elements of a decrypted collection.
    ///
    /// - Parameter type: The recorded type of the collection.
    func write(
        _ value: DatabaseValue, from type: String, of owner: Int64, _ map: ClassMap, _ run: SchemaRun,
        _ insertion: @escaping CollectionCopy.Insertion
    ) throws {
        let style = SealedCollection.style(of: type)
        guard case .blob(let bytes) = value,
            let rows = CollectionEncoding.rows(in: bytes, hasKeys: style == .dictionary)
        else { throw failure("the decrypted value is not a collection", owner) }
        for (index, row) in rows.enumerated() {
            let copy = try CollectionCopy(
                table, of: property, in: map, into: table.name,
                value: SealedCollection.meaning(of: row.value, type.elementType),
                key: row.key.map { SealedCollection.meaning(of: $0, type.keyType) }, isSecret: true)
            let position = DatabaseValue.integer(Int64(index) * ChildTable.positionStep)
            try CollectionCopy.Writer(copy, run, insertion).write(
                .init(key: row.key ?? position, value: row.value), at: Int64(index), of: owner, from: style)
        }
    }

    private static func style(of type: String) -> CollectionCodec.Style {
        type.hasPrefix("Dictionary<") ? .dictionary : type.hasPrefix("Set<") ? .set : .array
    }

    /// The meaning of a value, which has the storage class of its column.
    private static func meaning(of value: DatabaseValue, _ type: String?) -> ValueMeaning {
        let column: LogicalType =
            switch value {
            case .null: .any
            case .integer: .integer
            case .real: .real
            case .text: .text
            case .blob: .blob
            }
        return ValueMeaning(typeName: type ?? "", column: column, isJSON: column == .blob && type != "Data")
    }

    /// The bytes of a collection, from the columns of its table.
    private func bytes(_ rows: [[DatabaseValue]], of owner: Int64) throws -> DatabaseValue {
        let style = codec.style
        let bytes = CollectionEncoding.bytes(
            of: rows.map { .init(key: style == .dictionary ? $0[1] : nil, value: $0[$0.count - 1]) }, style)
        if let fault = property.codec.fault(of: .blob(bytes)) { throw failure(fault.description, owner) }
        return .blob(bytes)
    }

    private func failure(_ reason: String, _ owner: Int64) -> SchemaError {
        .notConvertible(
            className: className, property: property.name, rowID: owner, value: nil, type: property.typeName,
            reason: reason)
    }
}
