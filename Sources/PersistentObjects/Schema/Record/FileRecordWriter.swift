internal import Foundation
internal import StoreEngine

/// Writes the file's record of its classes, in the transaction that changes them.
struct FileRecordWriter {
    private let connection: any Connection

    init(_ connection: any Connection) throws {
        self.connection = connection
        try connection.upgradeFormat()
        try RecordTables.create(connection)
    }

    /// Rewrites the record of a class after its tables were migrated; its superclass must be written before.
    ///
    /// - Parameters:
    ///   - map: The class.
    ///   - names: The names of all classes that are written.
    ///   - isComplete: Whether nothing remains to be changed. Otherwise the next preparation compares the class again.
    func write(_ map: ClassMap, among names: Set<String>, isComplete: Bool) throws {
        let name = DatabaseValue.text(map.name)
        let former = try rows("SELECT id FROM \(name: RecordTables.classes) WHERE name = ?", [name]).first?[0]
        let superclass = ClassLineage.hierarchy(of: map).dropLast().last.map { String(describing: $0) }
        let parent = try superclass.flatMap {
            try rows("SELECT id FROM \(name: RecordTables.classes) WHERE name = ?", [.text($0)]).first?[0]
        }
        // Records under former names of the class are deleted, because this record replaces them.
        for name in map.type.formerNames where name != map.name && !names.contains(name) {
            try forgetFormer(name, of: map)
        }
        let path = HistoryNames.className(of: map.table) ?? String(reflecting: map.type)
        let module = path.split(separator: ".").first.map(String.init)
        let hash = try ClassHash(map, connection.dialect)
        try ShapeLog(connection, isThere: true).add(hash.shape, of: map.name)
        let values: [DatabaseValue] = [
            name, module.map { .text($0) } ?? .null, .text(map.table), parent ?? .null,
            .text(identity(map.type.identity)), FileRecord.text(map.type.formerNames),
            .blob(isComplete ? try hash.bytes(connection.schema) : []),
        ]
        if let former {
            try execute(
                """
                UPDATE \(name: RecordTables.classes) SET name = ?, module = ?, table_name = ?, superclass = ?, \
                identity = ?, former = ?, hash = ? WHERE id = ?
                """, values + [former])
        } else {
            try execute(
                """
                INSERT INTO \(name: RecordTables.classes) (name, module, table_name, superclass, identity, former, hash) \
                VALUES (\(placeholders: 7))
                """, values)
        }
        guard let id = try rows("SELECT id FROM \(name: RecordTables.classes) WHERE name = ?", [name]).first?[0] else {
            return
        }
        try writeProperties(of: map, id)
    }

    /// Records that the rows of classes are in another table; does nothing if the file has no record of classes.
    static func move(_ classNames: [String], to table: String, _ connection: any Connection) throws {
        guard try connection.schema.table(RecordTables.classes) != nil else { return }
        let update = try connection.prepare("UPDATE \(name: RecordTables.classes) SET table_name = ? WHERE name = ?")
        for name in classNames { try update.execute([.text(table), .text(name)]) }
    }

    private func forgetFormer(_ name: String, of map: ClassMap) throws {
        let table = try rows("SELECT table_name, id FROM \(name: RecordTables.classes) WHERE name = ?", [.text(name)])
            .first
        guard let table, case .text(let found) = table[0],
            ([map.table] + map.formerTables).contains(where: { Naming.folded($0) == Naming.folded(found) })
        else { return }
        try execute("DELETE FROM \(name: RecordTables.properties) WHERE class = ?", [table[1]])
        try execute("DELETE FROM \(name: RecordTables.classes) WHERE id = ?", [table[1]])
        try ShapeLog(connection, isThere: true).add([], of: name)
    }

    /// Removes a class of the library that has no table any more; does nothing if the file has no record of classes.
    static func forget(_ name: String, _ connection: any Connection) throws {
        guard try connection.schema.table(RecordTables.classes) != nil else { return }
        for sql in [
            """
            DELETE FROM \(name: RecordTables.properties) WHERE class IN \
            (SELECT id FROM \(name: RecordTables.classes) WHERE name = ?)
            """, "DELETE FROM \(name: RecordTables.classes) WHERE name = ?",
        ] as [SQL] { try connection.prepare(sql).execute([.text(name)]) }
        guard try connection.schema.table(RecordTables.shapes) != nil else { return }
        try connection.prepare("DELETE FROM \(name: RecordTables.shapes) WHERE class = ?").execute([.text(name)])
    }

    private func identity(_ identity: PersistentObject.Identity) -> String {
        switch identity {
        case .integer: "integer"
        case .given: "given"
        case .uuid: "uuid"
        case .string: "string"
        }
    }

    /// Writes the properties. Records of properties that the class no longer has are kept with a flag, because their
    /// columns are kept.
    private func writeProperties(of map: ClassMap, _ id: DatabaseValue) throws {
        let names = Set(map.properties.map(\.name))
        let removed = try rows(
            """
            SELECT name, column_name, kind, type, target, is_optional, inverse, delete_rule, initial, cases, flags, former \
            FROM \(name: RecordTables.properties) WHERE class = ? ORDER BY position
            """, [id]
        ).filter { row in
            guard case .text(let name) = row[0] else { return false }
            let isRenamed = map.properties.contains { property in
                property.formerColumns.contains { .text($0) == row[1] || .text($0) == row[0] }
            }
            return !names.contains(name) && !isRenamed
        }
        try execute("DELETE FROM \(name: RecordTables.properties) WHERE class = ?", [id])
        var position: Int64 = 0
        func insert(_ values: [DatabaseValue]) throws {
            try execute(
                """
                INSERT INTO \(name: RecordTables.properties) (class, position, name, column_name, kind, type, target, \
                is_optional, inverse, delete_rule, initial, cases, flags, former) VALUES (\(placeholders: 14))
                """, [id, .integer(position)] + values)
            position += 1
        }
        for ordinal in map.inDeclaredOrder { try insert(values(of: map.properties[ordinal], ordinal, in: map)) }
        for row in removed {
            var row = row
            if case .integer(let flags) = row[10] { row[10] = .integer(flags | PropertyFlags.removed) }
            try insert(row)
        }
    }

    private func values(of property: Property, _ ordinal: Int, in map: ClassMap) -> [DatabaseValue] {
        // The initial value of an encrypted property is not a default of its column.
        let initial = map.defaults[ordinal].flatMap {
            $0.isConstant && property.sealing == nil
                ? connection.dialect.literal($0.value, property.codec.logicalType)?.text : nil
        }
        let inverse = map.inverseSpelling(of: property)
        let type = (property.codec.valueType as? any OptionalType.Type)?.wrapped ?? property.codec.valueType
        let cases = (type as? any (CaseIterable & RawRepresentable).Type)?.rawTexts
        return [
            .text(property.name), property.hasColumn ? .text(property.column) : .null,
            .text(FileRecordWriter.kind(of: property)), .text(PropertyRecord.typeName(of: property)),
            property.linkedClass.map { .text(String(describing: $0)) } ?? .null,
            .integer(property.codec.acceptsNull ? 1 : 0), inverse.map { .text($0) } ?? .null,
            property.isLink ? .text("\(property.deleteRule)") : .null, initial.map { .text($0) } ?? .null,
            cases.map { .text($0) } ?? .null, .integer(PropertyFlags.flags(of: property)),
            FileRecord.text(property.formerColumns),
        ]
    }

    static func kind(of property: Property) -> String {
        switch property.shape {
        case .reference: return "reference"
        case .inverse: return "inverse"
        case .collection:
            switch (property.codec as? CollectionCodec)?.style {
            case .set: return "set"
            case .dictionary: return "dictionary"
            default: return "array"
            }
        case .scalar:
            let type = (property.codec.valueType as? any OptionalType.Type)?.wrapped ?? property.codec.valueType
            return CodecFactory.isStoredAsJSON(type) ? "value" : "scalar"
        }
    }

    /// Adds the executed statements to the file's change history.
    func record(_ statements: [String], for className: String?) throws {
        try execute(
            "INSERT INTO \(name: RecordTables.history) (time, library, app, class, sql) VALUES (\(placeholders: 5))",
            [
                .real(Date().timeIntervalSinceReferenceDate), .text(LibraryVersion.current),
                .text(ProcessInfo.processInfo.processName), className.map { .text($0) } ?? .null,
                .text(statements.joined(separator: ";\n")),
            ])
    }

    private func execute(_ sql: SQL, _ values: [DatabaseValue]) throws { _ = try rows(sql, values) }

    private func rows(_ sql: SQL, _ values: [DatabaseValue]) throws -> [[DatabaseValue]] {
        let statement = try connection.statement(sql)
        defer { statement.finish() }
        return try statement.rows(values)
    }
}

extension CaseIterable where Self: RawRepresentable {
    /// The raw values of all cases.
    fileprivate static var rawTexts: String { allCases.map { "\($0.rawValue)" }.joined(separator: "\t") }
}

/// Further facts about a property, as bits.
enum PropertyFlags {
    /// The class no longer has the property; its column is kept.
    static let removed: Int64 = 1

    static func isRemoved(_ value: DatabaseValue) -> Bool {
        if case .integer(let flags) = value { flags & removed != 0 } else { false }
    }

    static func flags(of property: Property) -> Int64 {
        [
            property.isIndexed, property.isUnique, property.isLazy, property.isSearchable, property.sealing != nil,
            property.sealing?.isSearchable == true,
        ].enumerated().reduce(0) { $0 | ($1.element ? 2 << Int64($1.offset) : 0) }
    }
}
