internal import Foundation
internal import PersistentObjects
internal import StoreEngine

/// A file of SQLitePersistentObject, the Objective-C library of 2008.
///
/// Each class has a table with the id in `pk`. References are strings such as `Company-7`. Collections are tables
/// `<table>_<property>` with `parent_pk`; their elements are rows (`fk`, `fk_table_name`) or values (`object_data`).
struct LegacyFile: ForeignModel {
    private(set) var sources: [ForeignSource] = []
    let strangers: [(table: String, ids: SQL, arguments: [DatabaseValue], reason: String)] = []
    private(set) var unusedColumns: [String] = []
    private(set) var unfilledProperties: [String] = []
    private let values: ForeignValue
    /// By the folded names of classes and tables.
    private var byName: [String: (space: ClassSpace, shift: Int64)] = [:]

    private static let idColumn = "pk"

    init(_ file: ForeignFile, _ spaces: [ClassSpace], _ mapping: ForeignMapping) throws {
        // Forks of the library stored dates as numbers of seconds since 1970.
        values = ForeignValue(
            dateOrigin: -Date.timeIntervalBetween1970AndReferenceDate, timeZone: mapping.timeZone)
        let tables = try file.tables()
        var used: Set<String> = []
        // If classes share a table in this store, the ids of a source table are offset by those of the previous tables.
        var shifts: [String: Int64] = [:]
        for space in spaces {
            let name = mapping.entity(of: space.map)
            let wanted = ForeignName.folded(name)
            guard
                let table = tables.keys.sorted().first(where: {
                    ForeignName.folded($0) == wanted && tables[$0]?.contains(LegacyFile.idColumn) == true
                })
            else {
                throw TransferError(
                    "The file has no table \"\(VisibleText.of(name, 60))\" for the class. If the table has "
                        + "another name, specify it in ForeignMapping(entities:)",
                    className: space.map.name)
            }
            let shift = shifts[space.map.table] ?? 0
            byName[wanted] = (space, shift)
            byName[ForeignName.folded(table)] = (space, shift)
            let columns = tables[table] ?? []
            let (source, usedHere, unfilled) = LegacyFile.source(space, table, columns, tables, shift, mapping)
            sources.append(source)
            used.formUnion(usedHere)
            used.insert(table)
            unfilledProperties += unfilled
            unusedColumns += columns.filter { $0 != LegacyFile.idColumn && !usedHere.contains("\(table).\($0)") }
                .map { "\(table).\($0)" }
            if let last = try LegacyFile.lastID(of: table, file) {
                // After an overflow, each row of the next table is refused, because no id is above Int64.max.
                let (sum, overflow) = shift.addingReportingOverflow(max(0, last))
                shifts[space.map.table] = overflow ? .max : sum
            }
        }
        // The library's own table of ids and SQLite's tables belong to no class.
        unusedColumns += tables.keys.filter {
            !used.contains($0) && $0.uppercased() != "SQLITESEQUENCE" && !$0.hasPrefix("sqlite_")
        }.sorted()
    }

    /// The largest integer id of a table, whose `pk` may also contain values of other types.
    private static func lastID(of table: String, _ file: ForeignFile) throws -> Int64? {
        let id: SQL = "\(name: idColumn)"
        let rows = try file.rows("SELECT max(\(id)) FROM \(name: table) WHERE typeof(\(id)) = 'integer'")
        guard case .integer(let last)? = rows.first?[0] else { return nil }
        return last
    }

    private static func source(
        _ space: ClassSpace, _ table: String, _ columns: [String], _ tables: [String: [String]], _ shift: Int64,
        _ mapping: ForeignMapping
    ) -> (ForeignSource, used: Set<String>, unfilled: [String]) {
        var used: Set<String> = []
        var unfilled: [String] = []
        var selected = [idColumn]
        var ordinals: [(ordinal: Int, source: ForeignSource.Place)] = []
        for (ordinal, property) in space.map.properties.enumerated() where !property.isInverse {
            let name = ForeignName.folded(mapping.column(of: property, in: space.map) ?? property.name)
            if property.isCollection, let child = childTable(name, of: table, tables) {
                ordinals.append((ordinal, .children(children(child, tables[child] ?? []))))
                used.insert(child)
            } else if let column = columns.first(where: { ForeignName.folded($0) == name && $0 != idColumn }),
                !property.isLink || property.isReference
            {
                let index = selected.count
                selected.append(column)
                used.insert("\(table).\(column)")
                ordinals.append((ordinal, property.isReference ? .reference(index) : .value(index)))
            } else if !property.isKey {
                unfilled.append("\(space.map.name).\(property.name)")
            }
        }
        let source = ForeignSource(
            space: space, table: table,
            select: "SELECT \(names: selected) FROM \(name: table) ORDER BY \(name: idColumn)", arguments: [],
            ordinals: ordinals, shift: shift)
        return (source, used, unfilled)
    }

    private static func childTable(_ property: String, of table: String, _ tables: [String: [String]]) -> String? {
        tables.keys.sorted().first {
            $0.hasPrefix(table + "_") && ForeignName.folded($0) == ForeignName.folded(table) + property
                && tables[$0]?.contains("parent_pk") == true
        }
    }

    private static func children(_ table: String, _ columns: [String]) -> SQL {
        func column(_ name: String) -> SQL { columns.contains(name) ? "\(name: name)" : "NULL" }
        let order: SQL = columns.contains("array_index") ? "\(name: "array_index")" : "rowid"
        return """
            SELECT \(column("dictionary_key")), \(column("fk")), \(column("fk_table_name")), \(column("object_data")) \
            FROM \(name: table) WHERE \(name: "parent_pk") = ? ORDER BY \(order)
            """
    }

    func json(
        _ stored: DatabaseValue, _ property: Property, _ form: JSONShape, _ map: ClassMap
    ) throws -> JSONValue { try values.json(stored, form) }

    func target(
        _ id: DatabaseValue, table: DatabaseValue, _ property: Property
    ) throws -> (space: ClassSpace, id: Int64, shift: Int64) {
        switch (id, table) {
        case (.integer(let id), .text(let table)):
            guard let found = byName[ForeignName.folded(table)] else { throw unknown(table) }
            return (found.space, id, found.shift)
        case (.text(let text), .null):
            // A class name can contain a hyphen from its module name, so the last hyphen separates the number.
            guard let dash = text.lastIndex(of: "-"), let id = Int64(text[text.index(after: dash)...]) else {
                throw TransferError("Expected a string such as Company-7 for a reference").with(.text(text))
            }
            let name = String(text[..<dash])
            guard let found = byName[ForeignName.folded(name)] else { throw unknown(name) }
            return (found.space, id, found.shift)
        default:
            throw TransferError(
                "Expected a string such as Company-7 for a reference, but the column holds \(id.storageClass)")
        }
    }

    private func unknown(_ name: String) -> TransferError {
        TransferError(
            "The object refers to the class \"\(VisibleText.of(name, 60))\", which is not imported. Name it in "
                + "the call, too")
    }
}
