internal import StoreEngine

/// The program's classes that have a former shape according to the file, because the program is an older version.
///
/// Such a program reads and writes values that its classes can hold. It changes no table, because a newer version
/// already made the conversions.
struct OlderClasses {
    private let found: [(map: ClassMap, own: ShapeLog.Entry, present: ShapeLog.Entry)]

    var maps: [ClassMap] { found.map(\.map) }
    var isEmpty: Bool { found.isEmpty }

    init(among maps: [ClassMap], _ connection: any Connection, _ schema: any SchemaReader) throws {
        let log = ShapeLog(connection, isThere: try schema.definition(of: RecordTables.shapes) != nil)
        found = try maps.compactMap { map in
            guard let entries = try OlderClasses.former(of: map, log, connection.dialect) else { return nil }
            // If the table was dropped, there is no newer data to damage.
            if let table = try FileRecord.table(of: map.name, connection, schema), try schema.table(table) == nil {
                return nil
            }
            return (map, entries.own, entries.present)
        }
    }

    /// The log's entries of a class, or of a superclass, that has a former shape. A property that moves between a class
    /// and its superclass changes only the shape of the superclass.
    private static func former(
        of map: ClassMap, _ log: ShapeLog, _ dialect: Dialect
    ) throws -> (own: ShapeLog.Entry, present: ShapeLog.Entry)? {
        for type in ClassLineage.hierarchy(of: map).reversed() {
            let map = try ClassMap.map(of: type)
            if let entries = try log.former(ClassHash(map, dialect).shape, of: map.name) { return entries }
        }
        return nil
    }

    /// The error of a class's statement that fails because a newer version of the program changed the table after the
    /// class was prepared.
    ///
    /// - Returns: `SchemaError.olderVersion`; nil if there is another reason.
    static func error(_ map: ClassMap, _ message: String, _ connection: any Connection) -> SchemaError? {
        guard map.foreign == nil,
            let older = try? OlderClasses(among: [map], connection, connection.schema).found.first
        else { return nil }
        return .olderVersion(
            className: map.name, changes: [message], own: older.own.description, file: older.present.description)
    }

    /// Checks that no newer property has the former column of a property, which would be another property's column now.
    func checkNames(_ record: FileRecord) throws {
        for (map, own, present) in found {
            let lineage = ClassLineage.hierarchy(of: map).map { String(describing: $0) }
            let recorded = lineage.compactMap { record.classes[$0] }.flatMap(\.properties.values)
            for property in map.properties {
                guard
                    let newer = recorded.first(where: {
                        !$0.isRemoved && $0.name != property.name
                            && $0.formerNames.map(Naming.folded).contains(Naming.folded(property.column))
                    })
                else { continue }
                throw SchemaError.olderVersion(
                    className: map.name,
                    changes: ["renames column \"\(property.column)\" to \"\(newer.column ?? newer.name)\""],
                    own: own.description, file: present.description)
            }
        }
    }

    /// The error of a plan for the classes that cannot be made: such a plan would undo the changes of the newer version.
    func refusal(of error: SchemaError) -> SchemaError {
        guard let older = found.first else { return error }
        return .olderVersion(
            className: older.map.name,
            changes: ["changes in table \"\(older.map.table)\" that it does not know"],
            own: older.own.description, file: older.present.description)
    }

    /// Checks whether the classes work without the changes that they would make.
    ///
    /// - Returns: Notes about the omitted changes.
    /// - Throws: `SchemaError.olderVersion`.
    func check(_ changes: [SchemaPlan.Change], _ connection: any Connection) throws -> [String] {
        var needed: [String: [String]] = [:]
        var skipped: [String: [String]] = [:]
        for change in changes {
            if try change.isDispensable(connection) {
                skipped[change.className, default: []].append(change.summary)
            } else {
                needed[change.className, default: []].append(change.summary)
            }
        }
        if let name = needed.keys.sortedUnspecialized().first, let changes = needed[name] {
            // A change for several classes, such as a change of their triggers, has the name of one of the classes.
            let (_, own, present) = found.first { $0.map.name == name } ?? found[0]
            throw SchemaError.olderVersion(
                className: name, changes: changes, own: own.description, file: present.description)
        }
        return found.compactMap { older in
            skipped[older.map.name].map { changes in
                "\(older.map.name): The file has a newer version of the class, so these changes are not made: "
                    + "\(changes.joined(separator: "; ")). \(SchemaError.wayBack(older.map.name))"
            }
        }
    }
}

extension SchemaPlan.Change {
    /// Whether a class works without the change, although slower or with the newer version's rules.
    fileprivate func isDispensable(_ connection: any Connection) throws -> Bool {
        if let obstacle { return try connection.value(obstacle) == nil }
        return switch phase {
        case .release, .triggers, .capture, .renewals: true
        case .indexes, .lateIndexes: !statements.contains { $0.hasPrefix("CREATE UNIQUE") }
        case .search: statements.allSatisfy { $0.hasPrefix("DROP") }
        default: false
        }
    }
}
