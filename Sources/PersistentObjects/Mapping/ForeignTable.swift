internal import StoreEngine

/// What a class says of a table that others have made.
struct ForeignTable: Sendable {
    /// The column of the ids; nil where they are the database's own numbers of the rows.
    let idColumn: String?
    /// Whether the ids are made of the columns of the key.
    let isKeyed: Bool
    /// The places of the properties that name a row; none where the id does.
    let key: [Int]
    /// The places of those that are never written.
    let readOnly: ColumnSet

    /// Nil for a class whose table is the library's own.
    init?(_ type: PersistentObject.Type, _ properties: [Property], _ scratch: ScratchObject) throws {
        guard !type.origin.isOwn else { return nil }
        idColumn = type.origin.idColumn
        isKeyed = type.origin.isKeyed
        key = try type.primaryKey.map { path in
            guard case .success(let place) = KeyPathProbe(properties, scratch).property(of: path),
                properties[place].isSelected
            else {
                throw SchemaError.unknownProperty(
                    className: String(describing: type), property: "\(path)", place: "primaryKey")
            }
            return place
        }
        readOnly = ColumnSet(properties.indices.filter { properties[$0].isReadOnly })
    }
}

extension ForeignTable {
    /// Gives names of their own in statements to columns that are called `id`, as all ids are there, and to those for
    /// reading only of which another property has the column.
    static func giveNames(to properties: inout [Property]) {
        for place in properties.indices {
            let (name, columns) = (properties[place].column, properties[place].columns)
            let folded = Naming.folded(name)
            let isTaken =
                properties[place].isReadOnly
                && properties.indices.contains { $0 != place && Naming.folded(properties[$0].column) == folded }
            guard isTaken || folded == "id" else { continue }
            properties[place].column = "\(name) of \(properties[place].name)"
            properties[place].foreignColumns = columns
        }
    }
}

extension ClassMap {
    /// The columns that name a row of a table of others; none where its id does.
    var keyColumns: [String] { foreign?.key.flatMap { properties[$0].columns } ?? [] }

    /// Throws where the class's rows cannot be written.
    ///
    /// - Parameter verb: What was to be done with the object, `saved` or `deleted`.
    func checkWritable(_ verb: String, rowID: Int64? = nil) throws(StoreError) {
        guard isReadOnly else { return }
        throw StoreError(
            .readOnly, "the class is for reading only, as its isReadOnly says, so it cannot be \(verb)",
            className: name, rowID: rowID)
    }

    /// Throws where some changes of an object cannot be written.
    func checkSaves(_ changed: ColumnSet, rowID: Int64?) throws(StoreError) {
        try checkWritable("saved", rowID: rowID)
        guard let foreign else { return }
        for place in properties.indices where changed.contains(place) && foreign.readOnly.contains(place) {
            throw StoreError(
                .readOnly, "the database has its value, as @ReadOnly says, so it cannot be set; revert() the object",
                className: name, property: properties[place].name, rowID: rowID)
        }
    }
}

/// What a class cannot be or have whose table others have made, and what only such a class can have.
struct ForeignRules {
    private let type: PersistentObject.Type
    private let root: PersistentObject.Type
    private(set) var problems: [String] = []

    init(_ type: PersistentObject.Type, root: PersistentObject.Type, _ properties: [Property]) {
        self.type = type
        self.root = root
        if type.isReadOnly != root.isReadOnly { problems.append("isReadOnly is what \(root) says of the table") }
        if type.origin != root.origin || type != root && !type.origin.isOwn {
            problems.append(
                "it is a subclass of \(root): a table of others has the rows of one class; make \(root) abstract with "
                    + "isAbstract, or map the table by a class of its own")
        }
        if type.origin.isOwn { checkOwn(properties) } else { checkForeign(properties) }
    }

    private mutating func checkOwn(_ properties: [Property]) {
        let hint = "belongs to a class of a table of others, override class var origin: TableOrigin { .existing }"
        if !type.primaryKey.isEmpty { problems.append("primaryKey \(hint)") }
        if type.columnNaming != .snakeCase { problems.append("columnNaming \(hint)") }
        for property in properties {
            if property.isReadOnly { problems.append("\(property.name): @ReadOnly \(hint)") }
            if property.foreignColumns != nil { problems.append("\(property.name): a reference by a key \(hint)") }
        }
    }

    private mutating func checkForeign(_ properties: [Property]) {
        if type.identity != .integer, type.identity != .given {
            problems.append("identity .\(type.identity) needs a column of the library's; override primaryKey")
        }
        if type.origin.isKeyed, type.primaryKey.isEmpty {
            problems.append("origin .existingByKey makes ids of the key; override primaryKey")
        }
        if type.origin.isKeyed, !type.isReadOnly {
            problems.append("origin .existingByKey is for reading only; override class var isReadOnly: Bool { true }")
        }
        if type.softDeletes { problems.append("softDeletes needs a table of the library's own") }
        if type.keepsHistory { problems.append("keepsHistory needs triggers, which the table of others does not get") }
        if !type.formerTableNames.isEmpty { problems.append("formerTableNames would rename a table of others") }
        var owners: [String: String] = [:]
        for property in properties where property.hasColumn && !property.isReadOnly {
            for column in property.columns {
                guard let other = owners.updateValue(property.name, forKey: Naming.folded(column)) else { continue }
                problems.append(
                    "\(other) and \(property.name) both write the column \(column); mark one of them @ReadOnly")
            }
        }
        for property in properties {
            if case .collection = property.shape {
                problems.append(
                    "\(property.name): a collection needs a table of the library's own; use an @Inverse of a class "
                        + "over the table that links both, or mark it @Transient")
            }
            if property.isSearchable || !type.searchable.isEmpty && property.order == 0 {
                problems.append("\(property.name): a search needs triggers, which the table of others does not get")
            }
            if !property.formerColumns.isEmpty {
                problems.append("\(property.name): renamedFrom would rename a column of others")
            }
        }
    }
}
