internal import Foundation
internal import PersistentObjects
internal import StoreEngine

/// An SQLite file of Core Data.
///
/// Each root entity has a table, such as `ZPERSON`, with `Z_PK` for the id and `Z_ENT` for the entity. Attributes and
/// references are columns, such as `ZLASTNAME` and `ZEMPLOYER`. Dates are seconds since 2001. Many-to-many lists are
/// join tables.
struct CoreDataFile: ForeignModel {
    private(set) var sources: [ForeignSource] = []
    private(set) var strangers: [(table: String, ids: SQL, arguments: [DatabaseValue], reason: String)] = []
    private(set) var unusedColumns: [String] = []
    private(set) var unfilledProperties: [String] = []
    private let values = ForeignValue(dateOrigin: 0, timeZone: nil)
    private let records: ExternalRecords
    /// The properties whose bytes can be in external files, as `Class.property`.
    private var external: Set<String> = []
    /// By the names of this store's tables.
    private var targets: [String: ClassSpace] = [:]
    private var used: Set<String> = []

    init(_ file: ForeignFile, _ spaces: [ClassSpace], _ mapping: ForeignMapping, _ session: Session) throws {
        let tables = try file.tables()
        let entities = try CoreDataEntities(file, tables)
        let columns = CoreDataColumns(tables: tables, entities: entities)
        records = ExternalRecords(file.path)

        // Map each entity to a class: first by the mapping, then subentities to subclasses with the same names.
        var classes: [Int64: ClassSpace] = [:]
        var found: [CoreDataEntities.Entity] = []
        for space in spaces {
            let name = mapping.entity(of: space.map)
            guard let entity = entities.named(name), tables[entities.table(of: entity)] != nil else {
                throw TransferError(
                    "The file has no entity \"\(VisibleText.of(name, 60))\" for the class. If the entity has "
                        + "another name, specify it in ForeignMapping(entities:)",
                    className: space.map.name)
            }
            classes[entity.number] = space
            found.append(entity)
        }
        for entity in found {
            for below in entities.family(of: entity) where classes[below.number] == nil {
                let table = entities.table(of: below)
                let above = entities.line(of: below).lazy.compactMap { classes[$0.number] }.first
                if let above, let type = ClassResolver.subclass(named: below.name, of: above.map.type) {
                    classes[below.number] = try session.space(of: type)
                } else if !strangers.contains(where: { $0.arguments == [.integer(below.number)] }) {
                    strangers.append(
                        (
                            table,
                            """
                            SELECT \(name: CoreDataColumns.idColumn) FROM \(name: table) \
                            WHERE \(name: CoreDataColumns.entityColumn) = ? ORDER BY 1
                            """,
                            [.integer(below.number)],
                            "There is no class for the entity \(below.name). Name its class in the call, too"
                        ))
                }
            }
        }
        for (number, space) in classes.sorted(by: { $0.key < $1.key }) {
            guard let entity = entities[number] else { continue }
            targets[space.map.table] = space
            try add(entity, space, columns, mapping, file, classes)
        }
        recordUnused(tables, Set(classes.keys.compactMap { entities[$0] }.map { entities.table(of: $0) }))
    }

    private mutating func add(
        _ entity: CoreDataEntities.Entity, _ space: ClassSpace, _ columns: CoreDataColumns,
        _ mapping: ForeignMapping, _ file: ForeignFile, _ classes: [Int64: ClassSpace]
    ) throws {
        let table = columns.entities.table(of: entity)
        var selected = [CoreDataColumns.idColumn]
        var ordinals: [(ordinal: Int, source: ForeignSource.Place)] = []
        for (ordinal, property) in space.map.properties.enumerated() where !property.isInverse {
            let mapped = mapping.column(of: property, in: space.map)
            let name = mapped ?? property.name
            if property.isCollection, let linked = property.linkedClass,
                let target = try CoreDataFile.entity(of: linked, mapping, columns.entities)
            {
                let found = columns.children(
                    property, named: name, of: entity, isMapped: mapped != nil, target: target)
                if let found {
                    ordinals.append((ordinal, .children(found.select)))
                    used.insert(found.used)
                    continue
                }
            } else if !(property.isCollection && property.isLink),
                let column = columns.column(name, in: table)
            {
                let index = selected.count
                selected.append(column)
                used.insert("\(table).\(column)")
                ordinals.append((ordinal, property.isReference ? .reference(index) : .value(index)))
                let isBlob = property.columnType == .blob || property.isCollection
                if isBlob, !mapping.isInline(property, in: space.map),
                    try ExternalRecords.has(column, table, file)
                {
                    external.insert("\(space.map.name).\(property.name)")
                }
                continue
            }
            if !property.isKey { unfilledProperties.append("\(space.map.name).\(property.name)") }
        }
        sources.append(
            ForeignSource(
                space: space, table: table,
                select: """
                    SELECT \(names: selected) FROM \(name: table) WHERE \(name: CoreDataColumns.entityColumn) = ? \
                    ORDER BY \(name: CoreDataColumns.idColumn)
                    """,
                arguments: [.integer(entity.number)], ordinals: ordinals, shift: 0))
    }

    private static func entity(
        of type: PersistentObject.Type, _ mapping: ForeignMapping, _ entities: CoreDataEntities
    ) throws -> CoreDataEntities.Entity? { entities.named(mapping.entity(of: try ClassMap.map(of: type))) }

    private mutating func recordUnused(_ tables: [String: [String]], _ read: Set<String>) {
        for (table, columns) in tables.sorted(by: { $0.key < $1.key }) {
            if read.contains(table) {
                unusedColumns += columns.filter {
                    !CoreDataColumns.isTechnical($0) && !used.contains("\(table).\($0)")
                }.map { "\(table).\($0)" }
            } else if !used.contains(table),
                CoreDataColumns.number(table) != nil || !CoreDataColumns.isTechnical(table),
                !table.hasPrefix("sqlite_")
            {
                // Core Data's internal tables, such as its history, begin with Z_, A and T.
                guard table.hasPrefix("Z") else { continue }
                unusedColumns.append(table)
            }
        }
    }

    func json(
        _ stored: DatabaseValue, _ property: Property, _ form: JSONShape, _ map: ClassMap
    ) throws -> JSONValue {
        guard case .blob(let bytes) = stored, external.contains("\(map.name).\(property.name)") else {
            return try values.json(stored, form)
        }
        return try values.json(.blob(try records.bytes(bytes)), form)
    }

    func target(
        _ id: DatabaseValue, table: DatabaseValue, _ property: Property
    ) throws -> (space: ClassSpace, id: Int64, shift: Int64) {
        guard case .integer(let id) = id else {
            throw TransferError("Expected a number for a reference, but the column holds \(id.storageClass)")
        }
        guard let type = property.linkedClass, let space = try targets[ClassMap.map(of: type).table] else {
            throw TransferError("The object refers to a class that is not imported. Name that class in the call, too")
        }
        return (space, id, 0)
    }
}
