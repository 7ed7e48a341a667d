internal import StoreEngine

/// Determines whether a class and its tables in the file are unchanged since the file was last migrated, with one
/// comparison instead of a comparison for each column.
struct ClassHash {
    /// The declarations of the class.
    private let text: String
    /// The tables whose definitions are hashed.
    private let tables: [String]
    private let map: ClassMap
    /// What the triggers of a class with a history contain; nil for other classes.
    private let signature: String?

    init(_ map: ClassMap, _ dialect: Dialect) throws {
        self.map = map
        let signsRows = map.keepsHistory && dialect.history.statementTriggers == nil
        signature = signsRows ? dialect.history.signature.transaction.text : nil
        tables =
            [map.table] + map.properties.compactMap { ChildTable($0, of: map)?.name }
            + (map.isRoot ? [SearchIndex.name(for: map.table)] : [])
        var lines = [
            "\(map.name) \(map.table) \(map.root) \(map.type.identity) \(map.type.formerNames) \(map.formerTables)",
            "\(map.searchColumns)",
        ]
        for property in map.properties {
            let target = try property.linkedClass.map { try ClassMap.map(of: $0).table } ?? ""
            let shape = map.inverseSpelling(of: property).map { "inverse \($0)" } ?? "\(property.shape)"
            lines.append(
                "\(property.name) \(property.column) \(property.formerColumns) \(property.codec.valueType) "
                    + "\(property.codec.columnType) \(shape) \(property.deleteRule) \(target)"
                    + (property.sealing.map { " encrypted \($0.context) \($0.flags)" } ?? "")
                    + (property.mergeRule.map { " merged \($0)" } ?? "")
                    + (property.codec.isScaled ? " \(PropertyRecord.typeName(of: property))" : ""))
        }
        for (ordinal, value) in map.defaults.enumerated() where value?.isConstant == true {
            lines.append("\(ordinal) \(value.map { "\($0.value)" } ?? "")")
        }
        // The triggers of earlier versions counted deleted rows.
        let deniesSoftly = map.properties.contains { property in
            property.deleteRule == .deny && (map.softDeleteOrdinal != nil || property.linkedClass?.softDeletes == true)
        }
        if deniesSoftly { lines.append("denials of the living") }
        if map.keepsHistory || map.table == HistoryNames.entries { lines.append("keepsHistory in entries") }
        if map.isSynced { lines.append("isSynced") }
        // The text that a structure of these fields has, because the hashes of existing files contain it.
        lines += map.indexes.map { index in
            "IndexDefinition(name: \(index.name.debugDescription), columns: \(index.columns), "
                + "isUnique: \(index.isUnique), isDescending: \(index.isDescending))"
                + (index.isOfHashes ? " of hashes" : "")
        }
        lines += try WrittenIndex.declared(of: map, dialect).map(\.name)
        // Earlier versions created indexes in which NULL sorts last.
        let indexes = map.indexes.map { WrittenIndex($0, of: map, dialect) }
        let all = try indexes + WrittenIndex.declared(of: map, dialect)
        if all.contains(where: { $0.sortsNullLow.contains(true) }) { lines.append("NULL sorts low in indexes") }
        lines += map.type.conversions.map { "\(map.spelling(of: $0.target)) \($0.source)" }
        // If the engine gets such a type, tables that were created before are compared again.
        let native = [LogicalType.uuid, .decimal].filter {
            dialect.declaredType($0).text != dialect.declaredType(LogicalType($0.columnType)).text
        }
        lines += native.map { dialect.declaredType($0).text }
        text = lines.joined(separator: "\n")
    }

    /// The hash of the class's declarations, regardless of the file.
    var shape: [UInt8] { TextHash.bytes(text) }

    /// The hash including the file's state according to a schema reader.
    func bytes(_ schema: any SchemaReader) throws -> [UInt8] {
        let definitions = try schema.definitions(of: tables, triggersBeginning: map.table + ".")
        // The triggers of earlier versions do not sign entries, and are replaced once. All other hashes are those of
        // earlier versions, which therefore leave the new triggers as they are.
        let isUnsigned = signature.map { !definitions.contains($0) } ?? false
        return TextHash.bytes(text + "\n" + definitions + (isUnsigned ? "\nunsigned entries" : ""))
    }

    /// The recorded hashes of some classes, by their names; nil if any class is unknown to the file.
    static func recorded(
        _ maps: [ClassMap], _ connection: any Connection, _ schema: any SchemaReader
    ) throws -> [String: [UInt8]]? {
        guard try schema.definition(of: RecordTables.classes) != nil else { return nil }
        let statement = try connection.statement(
            "SELECT name, hash FROM \(name: RecordTables.classes)\(maps.count == 1 ? " WHERE name = ?" : "")")
        defer { statement.finish() }
        statement.beginBinding()
        var hashes: [String: [UInt8]] = [:]
        do {
            if maps.count == 1 { try statement.bind(maps[0].name, at: 1) }
            while try statement.step() {
                guard case .text(let name) = try statement.column(0).value(),
                    case .blob(let bytes) = try statement.column(1).value()
                else { continue }
                hashes[name] = bytes
            }
        } catch let fault as ValueFault { throw StoreError.value(fault) }
        return maps.allSatisfy { hashes[$0.name] != nil } ? hashes : nil
    }
}
