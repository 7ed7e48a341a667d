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
        /// The classes with more objects than are searched.
        var partial: [String] = []
        for description in classes {
            guard ContinuousClock.now < end else {
                sections.append(.note("Not all classes were searched, because this took 5 seconds.", .warning))
                break
            }
            let rows = try rows(text, description, file)
            if try file.count(of: description) > Bounds.count { partial.append(description.name) }
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
        if !partial.isEmpty {
            let reason =
                "In \(InspectedFile.list(partial)), the strings of the first \(Bounds.grouped(Bounds.count)) objects "
            sections.append(
                .note(reason + "were searched. To search all objects, add a condition on the page of the class.", .info)
            )
        }
        return PageContent(title: title, sections: sections)
    }

    /// The first objects of a class that have a text in a string, or as their id or key.
    private static func rows(_ text: String, _ description: ClassDescription, _ file: InspectedFile) throws -> RowSet {
        let source = try file.source(of: description)
        var found = try identified(by: text, description, source, file)
        var (conditions, values): ([SQL], [DatabaseValue]) = ([], [])
        for property in description.properties where property.kind == .scalar && !property.isEncrypted {
            let column: SQL = "\(name: property.storage)"
            let number: SQL = "?\(number: values.count + 1)"
            if property.hasColumn, property.columnType == "TEXT" {
                conditions.append(
                    file.isOnServer ? "strpos(\(column)::text, \(number)::text) > 0" : "instr(\(column), \(number))")
                values.append(.text(text))
            } else if property.hasColumn, property.shownType == "UUID",
                let uuid = stored(text, property, description, file)
            {
                conditions.append("\(column) = \(number)")
                values.append(uuid)
            }
        }
        guard !conditions.isEmpty else { return found }
        let sql: SQL = """
            SELECT "id" FROM (SELECT * FROM \(source) ORDER BY "id" LIMIT \(number: Bounds.count)) AS "searched" \
            WHERE \(list: conditions, separator: " OR ")
            """
        let known = Set(found.rows.map { $0[0] })
        let others = try file.rows(sql, values, limit: perClass)
        found.rows += others.rows.filter { !known.contains($0[0]) }
        found.isCut = others.isCut
        return found
    }

    /// The objects with a text as their id or key, which have indexes, so they are found among any number of objects.
    private static func identified(
        by text: String, _ description: ClassDescription, _ source: SQL, _ file: InspectedFile
    ) throws -> RowSet {
        var found = RowSet()
        func add(_ column: String, _ value: DatabaseValue) throws {
            let rows = try file.rows("SELECT \"id\" FROM \(source) WHERE \(name: column) = ?1", [value], limit: 1).rows
            found.rows += rows.filter { !found.rows.contains($0) }
        }
        if let id = Int64(text) { try add("id", .integer(id)) }
        if description.hasKey, let key = description.properties.first(where: { $0.name == "key" }),
            let value = stored(text, key, description, file)
        {
            try add(key.storage, value)
        }
        return found
    }

    private static func stored(
        _ text: String, _ property: PropertyDescription, _ description: ClassDescription, _ file: InspectedFile
    ) -> DatabaseValue? {
        try? file.classes.stored(.text(text), property.name, of: description.name)
    }
}
