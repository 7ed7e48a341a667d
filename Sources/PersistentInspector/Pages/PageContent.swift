// Pages: the contents of the pages of the browser, without HTML. It knows commands and files, and must know neither
// HTTP nor HTML.

internal import PersistentObjects

/// The contents of one page.
package struct PageContent: Equatable, Sendable {
    /// One cell of a table, or one value.
    package struct Cell: Equatable, Sendable {
        package let text: String
        /// The path of the page that it leads to.
        package let link: String?

        init(_ text: String, link: String? = nil) {
            self.text = text
            self.link = link
        }
    }

    /// A part of a page.
    package enum Section: Equatable, Sendable {
        case heading(String)
        case note(String)
        /// Lines of text in a font of constant width.
        case lines([String])
        case table(columns: [String], rows: [[Cell]])
        /// A link to another page.
        case link(Cell)
        /// A field whose text is sent to a path.
        case form(path: String, label: String, text: String)
    }

    package let title: String
    package let sections: [Section]

    /// The contents as JSON.
    package var json: String {
        let parts: [JSONValue] = sections.compactMap { section in
            switch section {
            case .heading(let text): .object([.init(name: "heading", value: .text(text))])
            case .note(let text): .object([.init(name: "note", value: .text(text))])
            case .lines(let lines): .object([.init(name: "lines", value: .list(lines.map { .text($0) }))])
            case .table(let columns, let rows):
                .object([
                    .init(name: "columns", value: .list(columns.map { .text($0) })),
                    .init(name: "rows", value: .list(rows.map { .list($0.map { .text($0.text) }) })),
                ])
            case .link, .form: nil
            }
        }
        return JSONValue.object([
            .init(name: "title", value: .text(title)), .init(name: "sections", value: .list(parts)),
        ])
        .line
    }
}
