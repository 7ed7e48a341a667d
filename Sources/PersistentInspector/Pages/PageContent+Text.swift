internal import StoreEngine

// Pages for programs.
extension PageContent {
    /// The contents as JSON.
    package var json: String {
        let parts = sections.compactMap { PageContent.json($0) }
        return JSONValue.object([
            .init(name: "title", value: .text(title)), .init(name: "sections", value: .list(parts)),
        ])
        .line
    }

    /// The first table as CSV; nil if there is no table.
    package var csv: String? {
        for case .table(let table) in sections {
            let isBar: [Bool] = table.rows.first?.map { if case .bar = $0 { true } else { false } } ?? []
            func line(_ fields: [String]) -> String {
                let kept = fields.indices.filter { $0 >= isBar.count || !isBar[$0] }
                return kept.map { TypedRows.field(fields[$0]) }.joined(separator: ",") + "\r\n"
            }
            return line(table.columns.map(\.text)) + table.rows.map { line($0.map(\.plainText)) }.joined()
        }
        return nil
    }

    private static func json(_ section: Section) -> JSONValue? {
        func object(_ members: (String, JSONValue)...) -> JSONValue {
            .object(members.map { .init(name: $0.0, value: $0.1) })
        }
        func texts(_ list: [String]) -> JSONValue { .list(list.map { .text($0) }) }
        switch section {
        case .heading(let text): return object(("heading", .text(text)))
        case .note(let text, _): return object(("note", .text(text)))
        case .lines(let lines): return object(("lines", texts(lines)))
        case .table(let table):
            return object(
                ("columns", texts(table.columns.map(\.text))),
                ("rows", .list(table.rows.map { texts($0.map(\.plainText)) })))
        case .plan(let lines):
            return object(("plan", .list(lines.map { object(("text", .text($0.text)), ("scan", .bool($0.isScan))) })))
        case .changes(let changes):
            return object(
                (
                    "changes",
                    .list(
                        changes.map {
                            object(
                                ("time", .text($0.time)), ("author", $0.author.map { .text($0) } ?? .null),
                                ("change", .text($0.title)), ("values", texts($0.lines)))
                        })
                ))
        case .facets(let facets):
            return object(
                (
                    "facets",
                    .list(
                        facets.map { facet in
                            object(
                                ("property", .text(facet.name)),
                                (
                                    "values",
                                    .list(
                                        facet.values.map {
                                            object(("value", .text($0.0.text)), ("count", .number("\($0.count)")))
                                        })
                                ))
                        })
                ))
        case .drawing(let path, let description):
            return object(("drawing", .text(path)), ("description", .text(description)))
        case .links, .form, .liveChanges: return nil
        }
    }
}
