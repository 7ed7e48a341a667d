internal import Foundation
package import StoreEngine

/// What sync must know of a prepared class: its columns and the tables of its collections.
package struct SyncedShape: Sendable {
    /// How concurrent changes of a property are merged.
    package enum Kind: Sendable { case value, counter, maximum, minimum }

    /// A property with a column.
    package struct Field: Sendable {
        package let name: String
        /// The columns that it had in earlier versions.
        package let formerNames: [String]
        package let column: String
        package let type: ColumnType
        package let kind: Kind
        /// The table that the column's ids refer to; nil for values.
        package let target: String?
        /// Whether the object is deleted with the object that the column refers to.
        package let isOwned: Bool
        /// The decimal places of a scaled decimal number; nil for all other values.
        package let scale: Int?
        /// Whether equal values have equal hashes, because the column has encrypted values.
        package let hasHash: Bool
        /// Whether the column has the digits of decimal numbers.
        package let isDecimal: Bool
        package let acceptsNull: Bool
        /// The value in a new object.
        package let initial: DatabaseValue
    }

    /// A property with a table of elements.
    package struct Collection: Sendable {
        package enum Style: Sendable { case array, set, dictionary }

        package let name: String
        package let formerNames: [String]
        package let table: String
        package let style: Style
        package let valueColumn: String
        /// The type of a dictionary's keys; nil for other collections.
        package let keyType: ColumnType?
        package let valueType: ColumnType
        /// The table that the elements' ids refer to; nil for values.
        package let target: String?
    }

    /// The name by which devices exchange objects of the class.
    package let name: String
    /// The name of the class in this version of the program.
    package let className: String
    /// The names of the class in earlier versions.
    package let formerNames: [String]
    package let table: String
    package let formerTables: [String]
    package let hasClassColumn: Bool
    package let keepsEdited: Bool
    package let fields: [Field]
    package let collections: [Collection]
    /// The properties of each unique index.
    package let unique: [[String]]

    /// The synced classes for which a store has tables, sorted by name.
    package static func all(in session: Session) throws -> [SyncedShape] {
        let maps = session.store.classes.preparedMaps
        let owned = try ownedReferences(maps)
        try checkNames(maps)
        return try maps.filter { $0.isSynced && !$0.type.isAbstract }.map { try SyncedShape($0, owned, session) }
            .sortedUnspecialized { $0.name < $1.name }
    }

    /// The number of classes that the store has prepared so far, by which a change is noticed.
    package static func version(in store: Store) -> Int { store.classes.version }

    /// The references to owners: table and column, folded.
    private static func ownedReferences(_ maps: [ClassMap]) throws -> Set<[String]> {
        var owned: Set<[String]> = []
        for map in maps where map.isSynced {
            for property in map.properties where property.isInverse && property.deleteRule == .cascade {
                let side = try InverseSide.of(property, in: map)
                guard side.property.isReference else { continue }
                owned.insert([side.other.table, side.property.column].map(Naming.folded))
            }
        }
        return owned
    }

    private init(_ map: ClassMap, _ owned: Set<[String]>, _ session: Session) throws {
        name = map.type.syncedName
        className = map.name
        formerNames = map.type.ownFormerNames
        table = map.table
        formerTables = map.type.formerTableNames
        hasClassColumn = session.store.classes.hasClassColumn(map)
        keepsEdited = map.root.keepsEdited
        let version = try map.versionOrdinal()
        var fields: [Field] = []
        var collections: [Collection] = []
        for (ordinal, property) in map.properties.enumerated() where !property.isKey {
            if let table = ChildTable(property, of: map) { collections.append(Collection(property, table)) }
            guard property.hasColumn else { continue }
            var kind: Kind = ordinal == version ? .maximum : .value
            if map.type.timestamps, property.valueType == Date.self || property.valueType == Date?.self {
                if property.name == "createdAt" { kind = .minimum }
                if property.name == "updatedAt" { kind = .maximum }
            }
            switch property.mergeRule {
            case .counter?: kind = .counter
            case .max?: kind = .maximum
            case .min?: kind = .minimum
            case nil: break
            }
            let target = try property.isReference ? property.linkedClass.map { try ClassMap.map(of: $0).table } : nil
            // A column of encrypted values has bytes, which other devices get as they are.
            let isSealed = property.sealing != nil
            let initial = ordinal < map.defaults.count && !isSealed ? map.defaults[ordinal]?.value : nil
            var scale: Int?
            if case .scaled(let places)? = property.codec.format, !isSealed { scale = places }
            fields.append(
                Field(
                    name: property.isCollection ? property.name + "?" : property.name,
                    formerNames: property.isCollection
                        ? property.formerColumns.map { $0 + "?" } : property.formerColumns, column: property.column,
                    type: isSealed ? .blob : property.codec.columnType,
                    kind: kind, target: target,
                    isOwned: owned.contains([map.table, property.column].map(Naming.folded)), scale: scale,
                    hasHash: property.sealing?.isSearchable ?? false,
                    isDecimal: property.codec.isDecimal && scale == nil && !isSealed, acceptsNull: property.acceptsNull,
                    initial: initial ?? .null))
        }
        self.fields = fields
        self.collections = collections
        let names = Dictionary(
            fields.map { (Naming.folded($0.column), $0.name) }, uniquingKeysWith: { first, _ in first })
        unique = try session.connection.schema.indexes(of: map.table).compactMap { index in
            guard index.isUnique, !index.isPartial else { return nil }
            let columns = index.columns.compactMap { $0.flatMap { names[Naming.folded($0)] } }
            if columns.count == index.columns.count { return columns }
            // The index of encrypted values is over their hashes.
            let hashed = ConstraintFailure.place(ofIndex: index.name[...]).columns.compactMap { column in
                fields.first { $0.hasHash && Naming.folded($0.column) == Naming.folded(column) }?.name
            }
            return index.columns.count == 1 && hashed.count == 1 ? hashed : nil
        }
    }
}

extension SyncedShape.Collection {
    fileprivate init(_ property: Property, _ table: ChildTable) {
        name = property.name
        formerNames = property.formerColumns
        self.table = table.name
        style =
            switch table.style {
            case .array: .array
            case .set: .set
            case .dictionary: .dictionary
            }
        valueColumn = table.valueColumn
        (keyType, valueType) = (table.keyType?.columnType, table.valueType.columnType)
        target = table.target.flatMap { try? ClassMap.map(of: $0).table }
    }

    /// The column that distinguishes the elements of an owner.
    package var placeColumn: String {
        switch style {
        case .array: ChildTable.positionColumn
        case .set: valueColumn
        case .dictionary: ChildTable.keyColumn
        }
    }
}
