internal import StoreEngine

/// The declarations of a class over an existing table.
struct ForeignTable: Sendable {
    /// The column of the ids; nil if they are the database's row numbers.
    let idColumn: String?
    /// Whether the ids are derived from the key columns.
    let isKeyed: Bool
    /// The ordinals of the properties that identify a row; empty if the id does.
    let key: [Int]
    /// The ordinals of the properties that are never written.
    let readOnly: ColumnSet

    /// Nil for a class whose table the library creates.
    init?(_ type: PersistentObject.Type, _ properties: [Property], _ scratch: ScratchObject) throws {
        guard !type.origin.isOwn else { return nil }
        idColumn = type.origin.idColumn
        isKeyed = type.origin.isKeyed
        key = try type.primaryKey.map { path in
            guard case .success(let ordinal) = KeyPathProbe(properties, scratch).property(of: path),
                properties[ordinal].isSelected
            else {
                throw SchemaError.unknownProperty(
                    className: String(describing: type), property: "\(path)", place: "primaryKey")
            }
            return ordinal
        }
        readOnly = ColumnSet(properties.indices.filter { properties[$0].isReadOnly })
    }
}

extension ForeignTable {
    /// Assigns unique names in statements to columns called `id`, because every id has that name in statements, and to
    /// read-only properties that share another property's column.
    static func giveNames(to properties: inout [Property]) {
        for ordinal in properties.indices {
            let (name, columns) = (properties[ordinal].column, properties[ordinal].columns)
            let folded = Naming.folded(name)
            let isTaken =
                properties[ordinal].isReadOnly
                && properties.indices.contains { $0 != ordinal && Naming.folded(properties[$0].column) == folded }
            guard isTaken || folded == "id" else { continue }
            properties[ordinal].column = "\(name) of \(properties[ordinal].name)"
            properties[ordinal].foreignColumns = columns
        }
    }
}

extension ClassMap {
    /// The columns that identify a row of an existing table; empty if its id does.
    var keyColumns: [String] { foreign?.key.flatMap { properties[$0].columns } ?? [] }

    /// Whether some properties are the primary key of an existing table.
    func isPrimaryKey(_ ordinals: [Int]) -> Bool {
        guard let key = foreign?.key, !key.isEmpty else { return false }
        return key.count == ordinals.count && Set(key) == Set(ordinals)
    }

    /// Throws if the class's rows cannot be written.
    ///
    /// - Parameter verb: The attempted operation on the object, `saved` or `deleted`.
    func checkWritable(_ verb: String, rowID: Int64? = nil) throws(StoreError) {
        guard isReadOnly else { return }
        throw StoreError(
            .readOnly, "The class is read-only (isReadOnly), so its objects cannot be \(verb)",
            className: name, rowID: rowID)
    }

    /// Throws if some changes of an object cannot be written.
    func checkSaves(_ changed: ColumnSet, rowID: Int64?) throws(StoreError) {
        try checkWritable("saved", rowID: rowID)
        guard let foreign else { return }
        for ordinal in properties.indices where changed.contains(ordinal) && foreign.readOnly.contains(ordinal) {
            throw StoreError(
                .readOnly,
                "The property is @ReadOnly, so only the database sets its value. Nothing was saved. Call revert() "
                    + "on the object",
                className: name, property: properties[ordinal].name, rowID: rowID)
        }
    }
}

/// The features that a class over an existing table cannot have, and the features that only such a class can have.
struct ForeignRules {
    private let type: PersistentObject.Type
    private let root: PersistentObject.Type
    private(set) var problems: [String] = []

    init(_ type: PersistentObject.Type, root: PersistentObject.Type, _ properties: [Property]) {
        self.type = type
        self.root = root
        if type.isReadOnly != root.isReadOnly {
            problems.append("isReadOnly differs from that of \(root), which declares the table")
        }
        if type.origin != root.origin || type != root && !type.origin.isOwn {
            problems.append(
                "The class is a subclass of \(root), and an existing table has the rows of one class. Make "
                    + "\(root) abstract with isAbstract, or map the table by a separate class")
        }
        if type.origin.isOwn { checkOwn(properties) } else { checkForeign(properties) }
    }

    private mutating func checkOwn(_ properties: [Property]) {
        let hint = "is for classes over existing tables. Override class var origin: TableOrigin { .existing }"
        if !type.primaryKey.isEmpty { problems.append("primaryKey \(hint)") }
        if type.columnNaming != .snakeCase { problems.append("columnNaming \(hint)") }
        for property in properties {
            if property.isReadOnly { problems.append("\(property.name): @ReadOnly \(hint)") }
            if property.foreignColumns != nil { problems.append("\(property.name): a reference by a key \(hint)") }
        }
    }

    private mutating func checkForeign(_ properties: [Property]) {
        if type.identity != .integer, type.identity != .given {
            problems.append("identity .\(type.identity) needs a column that the library creates. Override primaryKey")
        }
        if type.origin.isKeyed, type.primaryKey.isEmpty {
            problems.append("origin .existingByKey derives ids from the key. Override primaryKey")
        }
        if type.origin.isKeyed, !type.isReadOnly {
            problems.append("origin .existingByKey is read-only. Override class var isReadOnly: Bool { true }")
        }
        if type.softDeletes { problems.append("softDeletes needs a table that the library creates") }
        if type.keepsHistory {
            problems.append("keepsHistory needs triggers, which the library does not add to an existing table")
        }
        if !type.formerTableNames.isEmpty { problems.append("formerTableNames would rename an existing table") }
        var owners: [String: String] = [:]
        for property in properties where property.hasColumn && !property.isReadOnly {
            for column in property.columns {
                guard let other = owners.updateValue(property.name, forKey: Naming.folded(column)) else { continue }
                problems.append(
                    "\(other) and \(property.name) both write the column \(column). Mark one of them @ReadOnly")
            }
        }
        for property in properties {
            if case .collection = property.shape {
                problems.append(
                    "\(property.name): a collection needs a table that the library creates. Use an @Inverse of a "
                        + "class over the table that links both, or mark it @Transient")
            }
            if property.isSearchable || !type.searchable.isEmpty && property.order == 0 {
                problems.append(
                    "\(property.name): a search needs triggers, which the library does not add to an existing "
                        + "table")
            }
            if !property.formerColumns.isEmpty {
                problems.append("\(property.name): renamedFrom would rename a column of an existing table")
            }
        }
    }
}
