internal import StoreEngine

/// The file's record of an encrypted column, which suffices to decrypt its values without the class.
struct SealedColumn: Equatable, Sendable {
    /// Folded.
    let table: String
    /// Folded.
    let column: String
    /// The class and the property for which the values are encrypted.
    let owner: String
    let property: String
    let flags: Int
    /// The recorded type name of the values, and the declared type of a column that is not encrypted.
    let type: String
    let columnType: String
    let isJSON: Bool
    /// The `identity` of the class, because the keys of the objects are authenticated.
    let identity: String

    var context: String { "\(owner)\t\(property)" }
    var isSearchable: Bool { flags & 2 != 0 }
    /// Whether the values are whole collections.
    var isCollection: Bool { flags & 4 != 0 }

    /// How the values are encrypted.
    var sealing: PropertySealing {
        PropertySealing(
            owner: owner, property: property, isPadded: flags & 1 != 0, isSearchable: isSearchable,
            isCollection: isCollection)
    }

    init(
        table: String, column: String, owner: String, property: String, flags: Int, type: String, columnType: String,
        isJSON: Bool, identity: String
    ) {
        self.table = table
        self.column = column
        self.owner = owner
        self.property = property
        self.flags = flags
        self.type = type
        self.columnType = columnType
        self.isJSON = isJSON
        self.identity = identity
    }

    /// The record of a property; nil if it is not encrypted.
    init?(_ property: Property, of map: ClassMap, _ dialect: Dialect) {
        guard let sealing = property.sealing else { return nil }
        self.init(
            table: Naming.folded(map.table), column: Naming.folded(property.column), owner: sealing.owner,
            property: sealing.property, flags: sealing.flags, type: PropertyRecord.typeName(of: property),
            columnType: dialect.declaredType(property.codec.logicalType).text,
            isJSON: FileRecordWriter.kind(of: property) == "value", identity: "\(map.type.identity)")
    }
}

/// The encrypted columns of a file.
struct SealedColumns {
    let all: [SealedColumn]

    init(_ connection: any Connection, _ schema: any SchemaReader) throws {
        guard try schema.definition(of: SealNames.columns) != nil else {
            all = []
            return
        }
        let statement = try connection.statement(
            """
            SELECT table_name, column_name, owner, property, flags, type, column_type, is_json, identity \
            FROM \(name: SealNames.columns) ORDER BY table_name, column_name
            """)
        defer { statement.finish() }
        all = try statement.rows([]).map { row in
            func text(_ index: Int) -> String { if case .text(let text) = row[index] { text } else { "" } }
            func number(_ index: Int) -> Int { if case .integer(let number) = row[index] { Int(number) } else { 0 } }
            return SealedColumn(
                table: text(0), column: text(1), owner: text(2), property: text(3), flags: number(4), type: text(5),
                columnType: text(6), isJSON: number(7) != 0, identity: text(8))
        }
    }

    /// The encrypted columns of a table.
    func columns(of table: String) -> [SealedColumn] {
        if all.isEmpty { return [] }
        let name = Naming.folded(table)
        return all.filter { $0.table == name }
    }

    func column(_ column: String, of table: String) -> SealedColumn? {
        if all.isEmpty { return nil }
        let name = Naming.folded(column)
        return columns(of: table).first { $0.column == name }
    }

    /// Creates the tables, and excludes older versions of the library, before the first value is encrypted.
    static func prepare(for maps: [ClassMap], _ connection: any Connection) throws {
        guard maps.contains(where: { !$0.sealedOrdinals.isEmpty }) else { return }
        let dialect = connection.dialect
        let (text, number) = (dialect.declaredType(.text), dialect.declaredType(.integer))
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS \(name: SealNames.keys) (number \(number) PRIMARY KEY, \
            fingerprint \(dialect.declaredType(.blob)) NOT NULL, is_index \(number) NOT NULL)\(dialect.tableOptions)
            """)
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS \(name: SealNames.columns) (table_name \(text) NOT NULL, \
            column_name \(text) NOT NULL, owner \(text) NOT NULL, property \(text) NOT NULL, \
            flags \(number) NOT NULL, type \(text) NOT NULL, column_type \(text) NOT NULL, \
            is_json \(number) NOT NULL, identity \(text) NOT NULL)\(dialect.tableOptions)
            """)
        // The format of a file changes with its features. A server has no such list.
        guard connection.capabilities.contains(.upkeep) else { return }
        try connection.require(feature: SealNames.feature, for: .reading)
    }

    /// Records the encrypted columns of classes after their tables were changed.
    static func write(_ maps: [ClassMap], _ connection: any Connection) throws {
        let isThere = try connection.schema.definition(of: SealNames.columns) != nil
        guard isThere else { return }
        let delete = try connection.prepare(
            "DELETE FROM \(name: SealNames.columns) WHERE table_name = ? AND column_name = ?")
        let insert = try connection.prepare(
            "INSERT INTO \(name: SealNames.columns) VALUES (\(placeholders: 9))")
        for map in maps where map.foreign == nil {
            for property in map.properties where property.hasColumn {
                try delete.execute([.text(Naming.folded(map.table)), .text(Naming.folded(property.column))])
                guard let column = SealedColumn(property, of: map, connection.dialect) else { continue }
                try insert.execute([
                    .text(column.table), .text(column.column), .text(column.owner), .text(column.property),
                    .integer(Int64(column.flags)), .text(column.type), .text(column.columnType),
                    .integer(column.isJSON ? 1 : 0), .text(column.identity),
                ])
            }
        }
        // Columns that were renamed or dropped.
        for column in try SealedColumns(connection, connection.schema).all {
            let found = try connection.schema.table(column.table)?.columns.map { Naming.folded($0.name) } ?? []
            if !found.contains(column.column) { try delete.execute([.text(column.table), .text(column.column)]) }
        }
    }
}

extension ClassMap {
    /// Throws if the program cannot encrypt the properties of the class.
    func checkKeyring(_ sealed: SealedValues?) throws {
        guard let ordinal = sealedOrdinals.first else { return }
        let property = properties[ordinal]
        func refusal(_ reason: String) -> SchemaError {
            .notStorable(className: name, property: property.name, type: property.typeName, reason: reason)
        }
        #if Encryption
            guard sealed == nil else { return }
            throw refusal(
                "it is @Encrypted, and the store has no keyring. Open the store with a keyring: "
                    + "Store(…, configuration: .init(keyring: .file(\"keys.po\")))")
        #else
            throw refusal(
                "it is @Encrypted, and this program was built without the package trait Encryption. Add "
                    + "traits: [\"Encryption\"] to the dependency in Package.swift")
        #endif
    }
}
