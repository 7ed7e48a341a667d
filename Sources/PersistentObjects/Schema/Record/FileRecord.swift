// Record: the file's description of the classes that it stores. It knows its own tables and class maps, and must not
// know how tables are changed.

internal import StoreEngine

/// A file's record of one property.
struct PropertyRecord: Equatable {
    let name: String
    let column: String?
    let kind: String
    /// The Swift type, without the `?` of an optional; for an enumeration, with the type of its raw values.
    let type: String
    /// The class that it links to.
    let target: String?
    let formerNames: [String]
    /// Whether the class no longer has the property; its column is kept.
    let isRemoved: Bool
}

/// A file's record of one class.
struct ClassRecord {
    let name: String
    let table: String
    let superclass: String?
    let formerNames: [String]
    var properties: [String: PropertyRecord] = [:]

    /// The record of the property that has, or had, a column or a collection's table.
    ///
    /// - Parameter storage: The name of the column, which is the suffix of the name of a collection's table.
    func property(storedAs storage: String) -> PropertyRecord? {
        let name = Naming.folded(storage)
        func first(_ isSought: (PropertyRecord) -> Bool) -> PropertyRecord? {
            let found = properties.values.filter(isSought)
            return found.first { !$0.isRemoved } ?? found.first
        }
        // A collection that cannot be nil has no column.
        return first { Naming.folded($0.column ?? "") == name }
            ?? first { record in
                record.column == nil && record.kind != "inverse"
                    && [record.name, Naming.snakeCase(record.name)].contains { Naming.folded($0) == name }
            }
    }
}

/// A file's record of its classes: hints about the meaning of values, and the completed changes. The program's classes
/// are the authority on their declarations.
struct FileRecord {
    /// The classes by name.
    private(set) var classes: [String: ClassRecord] = [:]
    /// Whether the file has no record of any class.
    private(set) var isEmpty = true

    /// Reads the records on which the plan for some classes can depend. For new classes, which most are, these are only
    /// the records of classes that the program does not have.
    ///
    /// - Parameter known: The program's classes that are known so far.
    init(for maps: [ClassMap], known: [ClassMap], _ connection: any Connection, _ schema: any SchemaReader) throws {
        guard try schema.definition(of: RecordTables.classes) != nil else { return }
        let recorded = try connection.allTexts("SELECT name, table_name FROM \(name: RecordTables.classes)", [])
        isEmpty = recorded.isEmpty
        let names = Set(maps.flatMap(FileRecord.names))
        let tables = Set(maps.flatMap(FileRecord.tables))
        let isRelated = recorded.contains { row in
            row[0].text.map(names.contains) ?? true || row[1].text.map { tables.contains(Naming.folded($0)) } ?? true
        }
        if isRelated {
            try read(connection)
            return
        }
        let knownNames = Set(known.map(\.name))
        for row in recorded {
            guard let name = row[0].text, !knownNames.contains(name) else { continue }
            try read(connection, only: name)
        }
    }

    /// The names under which a class, or a superclass, can be recorded.
    private static func names(of map: ClassMap) -> [String] {
        ClassLineage.hierarchy(of: map).flatMap { [String(describing: $0)] + $0.formerNames } + [map.name]
            + map.type.formerNames
    }

    /// The tables in which the file can have rows of a class, folded.
    private static func tables(of map: ClassMap) -> [String] {
        ([map.table, Naming.snakeCase(map.name)] + map.formerTables + map.type.formerTableNames).map(Naming.folded)
    }

    /// The recorded table of a class; nil if the class is not recorded.
    static func table(
        of className: String, _ connection: any Connection, _ schema: any SchemaReader
    ) throws -> String? {
        guard try schema.definition(of: RecordTables.classes) != nil else { return nil }
        let select: SQL = "SELECT table_name FROM \(name: RecordTables.classes) WHERE name = ?"
        return try connection.allTexts(select, [.text(className)]).first?[0].text
    }

    /// - Parameter only: The name of the class to read; nil for all.
    private mutating func read(_ connection: any Connection, only: String? = nil) throws {
        var names: [DatabaseValue: String] = [:]
        let rows = try connection.allTexts(
            """
            SELECT id, name, table_name, superclass, former \
            FROM \(name: RecordTables.classes)\(only == nil ? "" : " WHERE name = ?")
            """, only.map { [.text($0)] } ?? [])
        for row in rows { names[row[0].value] = row[1].text }
        // A class without its superclass is not read individually: it would appear to have none.
        for row in rows where only == nil || row[3].value == .null {
            guard let name = row[1].text, let table = row[2].text else { continue }
            classes[name] = ClassRecord(
                name: name, table: table, superclass: names[row[3].value], formerNames: FileRecord.names(row[4].text))
        }
        let properties = try connection.allTexts(
            """
            SELECT class, name, column_name, kind, type, former, flags, target \
            FROM \(name: RecordTables.properties)\(only == nil ? "" : " WHERE class = ?")
            """, only == nil ? [] : rows.map(\.[0].value))
        for row in properties {
            guard let className = names[row[0].value], let name = row[1].text, let kind = row[3].text,
                let type = row[4].text
            else { continue }
            classes[className]?.properties[name] = PropertyRecord(
                name: name, column: row[2].text, kind: kind, type: type, target: row[7].text,
                formerNames: FileRecord.names(row[5].text),
                isRemoved: PropertyFlags.isRemoved(row[6].value))
        }
    }

    /// The classes of a table.
    func classes(in table: String) -> [ClassRecord] {
        classes.values.filter { Naming.folded($0.table) == Naming.folded(table) }
    }

    /// A class and its superclasses.
    func lineage(of name: String) -> Set<String> {
        var names: Set<String> = []
        var next: String? = name
        while let name = next, names.insert(name).inserted { next = classes[name]?.superclass }
        return names
    }

    /// The names in one column, separated by tabs, which no name contains.
    static func names(_ text: String?) -> [String] {
        text.map { $0.split(separator: "\t").map(String.init) } ?? []
    }

    static func text(_ names: [String]) -> DatabaseValue {
        names.isEmpty ? .null : .text(names.joined(separator: "\t"))
    }
}

// The meaning of values.
extension FileRecord {
    /// The record of the class that declares a property, or of the class itself if the file has no such record.
    func record(of property: Property, in map: ClassMap) -> ClassRecord? {
        let declarer = ClassLineage.declarer(of: property, in: map)
        let names = [String(describing: declarer)] + declarer.formerNames + [map.name] + map.type.formerNames
        let records = names.compactMap { classes[$0] }
        return records.first { $0.properties[property.name] != nil } ?? records.first
    }

    /// The record of the property that had a column or a collection's table, in the class, a superclass or a sibling
    /// class.
    ///
    /// - Parameter storage: The name of the column, which is the suffix of the name of a collection's table.
    private func property(_ property: Property, storedAs storage: String, in map: ClassMap) -> PropertyRecord? {
        let names = [map.name] + map.type.formerNames
        let own = names.compactMap { classes[$0] }
        let others = classes.values.filter { Naming.folded($0.table) == Naming.folded(map.table) }.sortedUnspecialized {
            $0.name < $1.name
        }
        for record in own + others {
            if let found = record.property(storedAs: storage) ?? record.properties[property.name] { return found }
        }
        return nil
    }

    /// The recorded type of the property.
    ///
    /// - Parameter storage: The name of its storage in the file; nil if that is one of the property's names.
    func typeName(of property: Property, storedAs storage: String? = nil, in map: ClassMap) -> String? {
        // After a move, a collection's table already has its new name.
        let names = [property.column] + property.formerColumns
        for name in storage.map({ Naming.folded($0) == Naming.folded(property.column) ? names : [$0] }) ?? names {
            if let found = self.property(property, storedAs: name, in: map) { return found.type }
        }
        return nil
    }

    /// The meaning of a column's values.
    func meaning(
        of property: Property, _ column: ColumnDescription, in map: ClassMap, _ dialect: Dialect
    ) -> ValueMeaning {
        let type = LogicalType.allCases.first { dialect.declaredType($0).text == column.type } ?? .any
        guard let record = self.property(property, storedAs: column.name, in: map) else {
            return unknown(type, property.codec)
        }
        // Keys of both kinds are recorded as strings.
        if property.isKey, record.type == "String" { return unknown(type, property.codec) }
        return ValueMeaning(typeName: record.type, column: type, isJSON: record.kind == "value")
    }

    /// The meaning of a collection's elements.
    ///
    /// - Parameter storage: The suffix of the name of the collection's table.
    func elementMeaning(
        of property: Property, storedAs storage: String, _ column: ColumnDescription, in map: ClassMap,
        _ dialect: Dialect
    ) -> ValueMeaning {
        let type = LogicalType.allCases.first { dialect.declaredType($0).text == column.type } ?? .any
        let codec = property.codec.asCollection?.element ?? property.codec
        guard let element = typeName(of: property, storedAs: storage, in: map)?.elementType else {
            return unknown(type, codec)
        }
        return ValueMeaning(typeName: element, column: type, isJSON: type == .blob && element != "Data")
    }

    /// The meaning of a dictionary's keys.
    ///
    /// - Parameter storage: The suffix of the name of the collection's table.
    func keyMeaning(
        of property: Property, storedAs storage: String, _ column: ColumnDescription, in map: ClassMap,
        _ dialect: Dialect
    ) -> ValueMeaning {
        let type = LogicalType.allCases.first { dialect.declaredType($0).text == column.type } ?? .any
        guard let key = typeName(of: property, storedAs: storage, in: map)?.keyType else {
            return ValueMeaning(column: type)
        }
        return ValueMeaning(typeName: key, column: type, isJSON: false)
    }

    /// The likeliest meaning of a column in a file without a record, which is older than records.
    private func unknown(_ type: LogicalType, _ codec: PropertyCodec) -> ValueMeaning {
        if codec.isKey, type.columnType == .blob { return .uuid }
        return ValueMeaning(column: type)
    }
}

extension FileRecord {
    /// A class of the same table that the program has not used, that is neither a superclass nor a subclass, and that
    /// has the column, too.
    func sibling(of map: ClassMap, having column: String, known: [ClassMap]) -> String? {
        let names = Set(known.flatMap(FileRecord.names) + FileRecord.names(of: map))
        return classes.values.first { record in
            guard Naming.folded(record.table) == Naming.folded(map.table), !names.contains(record.name),
                record.name != map.name
            else { return false }
            return record.properties.values.contains {
                !$0.isRemoved && Naming.folded($0.column ?? "") == Naming.folded(column)
            } && !isBelow(record, map)
        }?.name
    }

    /// Whether a recorded class inherits from the class, under the class's present or a former name.
    private func isBelow(_ record: ClassRecord, _ map: ClassMap) -> Bool {
        var next = record.superclass
        var seen: Set<String> = []
        while let name = next, seen.insert(name).inserted {
            if name == map.name || map.type.formerNames.contains(name) { return true }
            next = classes[name]?.superclass
        }
        return false
    }
}

extension PropertyRecord {
    /// The recorded type name of a property.
    static func typeName(of property: Property) -> String {
        let name = typeName(property.codec.valueType)
        // The column does not show the meaning of its integers.
        return if case .scaled(let digits) = property.codec.format { "\(name)(\(digits))" } else { name }
    }

    static func typeName(_ type: Any.Type) -> String {
        let type = (type as? any OptionalType.Type)?.wrapped ?? type
        guard !(type is any PersistentValue.Type), !(type is any ColumnScalar.Type), !(type is any CodedValue.Type),
            let raw = (type as? any RawRepresentable.Type)?.rawTypeName, !CodecFactory.isStoredAsJSON(type)
        else { return String(describing: type) }
        return "\(type): \(raw)"
    }
}

extension RawRepresentable {
    fileprivate static var rawTypeName: String { String(describing: RawValue.self) }
}

extension String {
    /// `Element` of `Array<Element>` and `Set<Element>`, `Value` of `Dictionary<Key, Value>`.
    var elementType: String? {
        for name in ["Array<", "Set<"] where hasPrefix(name) {
            return String(dropFirst(name.count).dropLast()).withoutOptional
        }
        guard hasPrefix("Dictionary<"), let comma = range(of: ", ") else { return nil }
        return String(self[comma.upperBound...].dropLast()).withoutOptional
    }

    var keyType: String? {
        guard hasPrefix("Dictionary<"), let comma = range(of: ", ") else { return nil }
        return String(self[..<comma.lowerBound].dropFirst("Dictionary<".count))
    }

    private var withoutOptional: String {
        hasPrefix("Optional<") ? String(dropFirst("Optional<".count).dropLast()) : self
    }

    private func range(of text: String) -> Range<Index>? { firstRange(of: text) }
}

/// A value of a column of the record's tables.
struct RecordField {
    let value: DatabaseValue
    var text: String? { if case .text(let text) = value { text } else { nil } }
}

extension Connection {
    fileprivate func allTexts(_ sql: SQL, _ values: [DatabaseValue]) throws -> [[RecordField]] {
        let statement = try statement(sql)
        defer { statement.finish() }
        return try statement.rows(values).map { row in row.map { RecordField(value: $0) } }
    }
}
