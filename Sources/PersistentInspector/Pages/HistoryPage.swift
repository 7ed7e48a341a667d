internal import Foundation
internal import PersistentObjects
internal import StoreEngine

/// The recorded changes of an object, the latest first, if its class keeps a history.
enum HistoryPage {
    static func content(_ call: PageCall, _ className: String, _ id: String) throws -> PageContent {
        let file = try call.file()
        let object = try file.object(file.description(of: className), id, isWhole: false)
        let trail: [PageContent.Cell] = [
            .aClass(object.description.name), .init(object.name, link: PageLink.object(className, object.id)),
        ]
        guard try exists(for: object, in: file) else {
            return PageContent(
                title: "History of \(object.name)", trail: trail,
                sections: [.note("The file has no history of this object, because its class does not keep one.", .info)]
            )
        }
        var values: [DatabaseValue] = [.text(object.description.table), .integer(object.id)]
        var isOlder: SQL = ""
        if let before = call["before"].flatMap({ Int64($0) }) {
            isOlder = " AND \"id\" < ?"
            values.append(.integer(before))
        }
        let found = try file.rows(
            """
            SELECT "id", "change", "date", "author" FROM \(name: HistoryNames.entries) \
            WHERE "table" = ? AND "object" = ?\(isOlder) ORDER BY "id" DESC
            """, values, limit: call.limit)
        let changes = try found.rows.map { row in
            PageContent.Change(
                time: ValueText.cell(row[2], type: "Date"), author: row[3].text.map { VisibleText.of($0, 100) },
                title: row[1].text ?? "?", lines: try lines(row[0], object, file))
        }
        var sections: [PageContent.Section] = [.changes(changes)]
        if found.isCut, let last = found.rows.last?[0].integer {
            let path = PageLink.path("object", className, id, "history", query: ["before": "\(last)"])
            sections.append(.links([.init("earlier", link: path)]))
        }
        return PageContent(title: "History of \(object.name)", trail: trail, sections: sections)
    }

    /// Whether the file has entries for an object.
    static func exists(for object: StoredObject, in file: InspectedFile) throws -> Bool {
        guard try file.connection.schema.table(HistoryNames.entries) != nil else { return false }
        let sql: SQL = "SELECT 1 FROM \(name: HistoryNames.entries) WHERE \"table\" = ? AND \"object\" = ?"
        return try !file.rows(sql, [.text(object.description.table), .integer(object.id)], limit: 1).rows.isEmpty
    }

    private static func lines(_ entry: DatabaseValue, _ object: StoredObject, _ file: InspectedFile) throws -> [String]
    {
        func value(_ column: SQL) -> SQL { file.isOnServer ? column : InspectedFile.measured(column) }
        let sql: SQL = """
            SELECT "column", \(value("\"old\"")), \(value("\"new\"")) FROM \(name: HistoryNames.values) WHERE "entry_id" = ? ORDER BY "id"
            """
        let columns = Dictionary(
            object.description.properties.filter(\.hasColumn).map { ($0.storage.lowercased(), $0) }
        ) { first, _ in first }
        var lines = try file.rows(sql, [entry], limit: 200).rows.map { row in
            let property = columns[row[0].text?.lowercased() ?? ""]
            func text(_ value: DatabaseValue) -> String {
                ValueText.quoted(value, type: property?.shownType, isJSON: property?.isJSON ?? false)
            }
            return "\(property?.name ?? row[0].text ?? "?"): \(text(row[1])) → \(text(row[2]))"
        }
        guard try file.connection.schema.table(HistoryNames.elements) != nil else { return lines }
        let elements: SQL = """
            SELECT "table", "key", \(value("\"old\"")), \(value("\"new\"")) FROM \(name: HistoryNames.elements) WHERE "entry_id" = ? ORDER BY "id"
            """
        lines += try file.rows(elements, [entry], limit: 200).rows.map { row in
            let key = row[1] == .null ? "" : "[\(ValueText.quoted(row[1], type: nil))]"
            // The table of a collection is named after the class's table and the property.
            let name = row[0].text.map { $0.dropFirst(object.description.table.count + 1) } ?? "?"
            return "\(name)\(key): \(ValueText.quoted(row[2], type: nil)) → "
                + ValueText.quoted(row[3], type: nil)
        }
        return lines
    }
}
