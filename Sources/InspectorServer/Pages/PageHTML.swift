internal import PersistentInspector

/// The HTML of pages.
enum PageHTML {
    static let style = """
        :root { color-scheme: light dark; }
        body { font: 15px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 72rem; padding: 0 1rem 3rem; }
        nav { border-bottom: 1px solid #8886; margin-bottom: 1rem; padding: .7rem 0; }
        nav a { margin-right: 1rem; }
        a { color: #06c; text-decoration: none; }
        a:hover { text-decoration: underline; }
        table { border-collapse: collapse; display: block; overflow-x: auto; }
        th, td { border-bottom: 1px solid #8883; padding: .25rem .8rem .25rem 0; text-align: left; vertical-align: top; }
        th { font-weight: 600; }
        pre { background: #8881; border-radius: 6px; overflow-x: auto; padding: .8rem; }
        input[type=text] { box-sizing: border-box; font: 14px ui-monospace, monospace; padding: .4rem; width: 75%; }
        .note { background: #fa03; border-radius: 6px; padding: .6rem .8rem; }
        @media (prefers-color-scheme: dark) { a { color: #6bf; } }
        """

    /// - Parameter json: The address of the same page as JSON.
    static func page(_ content: PageContent, json: String) -> String {
        var body: HTML = "<h1>\(content.title)</h1>"
        for section in content.sections { body += html(of: section) }
        let names = ["find", "sql", "sizes", "check", "history"]
        let links = names.map { "<a href=\"/\($0)\">\($0)</a>" as HTML }
        let html: HTML = """
            <!DOCTYPE html><html lang="en"><head><meta charset="utf-8">\
            <meta name="viewport" content="width=device-width, initial-scale=1"><title>\(content.title)</title>\
            <link rel="stylesheet" href="/style.css"></head><body><nav><a href="/">classes</a>\(links)\
            <a href="\(json)">json</a></nav>\(body)</body></html>
            """
        return html.text
    }

    private static func html(of section: PageContent.Section) -> HTML {
        switch section {
        case .heading(let text): return "<h2>\(text)</h2>"
        case .note(let text): return "<p class=\"note\">\(text)</p>"
        case .lines(let lines): return "<pre>\(lines.joined(separator: "\n"))</pre>"
        case .link(let cell): return "<p>\(html(of: cell))</p>"
        case .form(let path, let label, let text):
            return """
                <form action="\(path)" method="get"><p><input type="text" name="q" aria-label="\(label)" \
                placeholder="\(label)" value="\(text)"> <button>\(label)</button></p></form>
                """
        case .table(let columns, let rows):
            let head = columns.map { "<th>\($0)</th>" as HTML }
            let lines = rows.map { row in
                let cells = row.map { "<td>\(html(of: $0))</td>" as HTML }
                return "<tr>\(cells)</tr>" as HTML
            }
            return "<table><thead><tr>\(head)</tr></thead><tbody>\(lines)</tbody></table>"
        }
    }

    private static func html(of cell: PageContent.Cell) -> HTML {
        guard let link = cell.link else { return "\(cell.text)" }
        return "<a href=\"\(link)\">\(cell.text)</a>"
    }
}
