internal import Foundation
internal import PersistentObjects
internal import StoreEngine

/// The objects that have a string, a key or an id.
enum SearchPage {
    private static let perClass = 10
    /// The classes that are searched have this time together.
    private static let time = Duration.seconds(5)

    static func content(_ call: PageCall) throws -> PageContent {
        let file = try call.file()
        guard file.origin == .store else { throw InspectorError(file.noDescription) }
        let only = call["class"]
        let classes =
            try only.map { [try file.description(of: $0)] }
            ?? file.sortedClasses.filter { file.classNames(of: $0).isEmpty }
        var form = [
            PageForm.Field(name: "q", label: "search", value: call["q"] ?? "", kind: .line(hint: "a string, or an id"))
        ]
        if let only { form.append(.init(name: "class", label: "class", value: only, kind: .hidden)) }
        var sections: [PageContent.Section] = [.form(PageForm("/search", .box, [form], button: "Search"))]
        let title = only.map { "Search in \($0)" } ?? "Search"
        guard let text = call["q"] else { return PageContent(title: title, sections: sections) }
        let end = ContinuousClock.now + time
        var count = 0
        for description in classes {
            guard ContinuousClock.now < end else {
                sections.append(.note("Not all classes were searched, because this took 5 seconds.", .warning))
                break
            }
            let rows = try rows(text, description, file)
            guard !rows.rows.isEmpty else { continue }
            count += rows.rows.count
            let named = try file.titles(of: rows.rows.compactMap { $0[0].integer }, description.name)
            let found = rows.rows.map { row -> [PageContent.Value] in
                let id = row[0].integer ?? 0
                let link = PageLink.object(description.name, id)
                return [.cell(.init("\(id)", link: link, .number)), .cell(.init(named[id] ?? "", link: link))]
            }
            let more = rows.isCut ? ", more than \(perClass)" : ""
            sections += [
                .heading(description.name + more),
                .table(.init([.init("id", .number), .init("object")], found)),
            ]
        }
        if count == 0 { sections.append(.note("No object was found.", .info)) }
        return PageContent(title: title, sections: sections)
    }

    /// The first objects of a class that have a text in a string, or as their id or key.
    private static func rows(_ text: String, _ description: ClassDescription, _ file: InspectedFile) throws -> RowSet {
        let columns = description.properties.filter { property in
            property.kind == .scalar && property.hasColumn && property.columnType == "TEXT" && !property.isEncrypted
        }
        var conditions = columns.map { column -> SQL in
            let text: SQL = "\(name: column.storage)"
            return file.isOnServer ? "strpos(\(text)::text, ?1::text) > 0" : "instr(\(text), ?1)"
        }
        var values: [DatabaseValue] = [.text(text)]
        if let id = Int64(text) {
            conditions.append("\"id\" = ?\(number: values.count + 1)")
            values.append(.integer(id))
        }
        for property in description.properties where property.hasColumn && property.shownType == "UUID" {
            guard let uuid = try? file.classes.stored(.text(text), property.name, of: description.name) else {
                continue
            }
            conditions.append("\(name: property.storage) = ?\(number: values.count + 1)")
            values.append(uuid)
        }
        guard !conditions.isEmpty else { return RowSet() }
        // Without a string column, the first value is not used.
        let isUsed: SQL = columns.isEmpty ? (file.isOnServer ? " AND ?1::text IS NOT NULL" : " AND ?1 IS NOT NULL") : ""
        let sql: SQL = """
            SELECT "id" FROM (SELECT * FROM \(try file.source(of: description)) ORDER BY "id" \
            LIMIT \(number: Bounds.count)) AS "searched" WHERE (\(list: conditions, separator: " OR "))\(isUsed)
            """
        return try file.rows(sql, values, limit: perClass)
    }
}
