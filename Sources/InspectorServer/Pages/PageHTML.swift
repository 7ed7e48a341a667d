internal import PersistentInspector

/// The HTML of pages.
struct PageHTML {
    let content: PageContent
    /// The form that undoes the last edit.
    var undo: PageContent.Section?
    /// The name of the file, in the title of the browser's window.
    let fileName: String
    /// The addresses of the same page as JSON, and as CSV if it has a table.
    let json: String
    let csv: String?
    /// The hidden field of forms that change the file; nil if it is only read.
    var formToken: String?
    /// The page that the menu marks.
    var section = ""

    var text: String {
        let names = [
            ("/", "classes"), ("/find", "find"), ("/sql", "sql"), ("/search", "search"), ("/diagram", "diagram"),
            ("/sizes", "sizes"), ("/check", "check"), ("/history", "history"), ("/live", "live"),
        ]
        let menu = names.map { path, name -> HTML in
            section == name
                ? "<a href=\"\(path)\" aria-current=\"page\">\(name)</a>" : "<a href=\"\(path)\">\(name)</a>"
        }
        let trail = content.trail.map { "\(Self.html(of: $0)) › " as HTML }
        let sections = (content.sections + (undo.map { [$0] } ?? [])).map { html(of: $0) }
        let table: HTML = csv.map { " · <a href=\"\($0)\">csv</a>" } ?? ""
        let mode: HTML = formToken == nil ? "" : " <span class=\"mode\">editing</span>"
        let page: HTML = """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8">\
            <meta name="viewport" content="width=device-width, initial-scale=1">\
            <title>\(content.title) · \(fileName)</title><link rel="icon" href="/icon.svg"><link rel="stylesheet" href="/style.css">\
            <script src="/script.js" defer></script></head>
            <body><header><a class="file" href="/">\(fileName)</a>\(mode)<nav>\(menu)</nav></header>
            <main><p class="trail">\(trail)</p><h1>\(content.title)</h1>\(sections)</main>
            <footer><a href="\(json)">json</a>\(table)<span id="state"></span></footer></body></html>

            """
        return page.text
    }

    private func html(of section: PageContent.Section) -> HTML {
        switch section {
        case .heading(let text): return "<h2>\(text)</h2>"
        case .note(let text, let tone): return "<p class=\"note \(tone.rawValue)\">\(text)</p>"
        case .lines(let lines): return "<pre>\(lines.joined(separator: "\n"))</pre>"
        case .links(let cells):
            let links = cells.map { "<li>\(Self.html(of: $0))</li>" as HTML }
            return links.isEmpty ? "" : "<ul class=\"links\">\(links)</ul>"
        case .table(let table): return Self.html(of: table)
        case .form(let form): return FormHTML.html(of: form, token: formToken)
        case .drawing(let path, let description):
            return "<p class=\"drawing\"><a href=\"\(path)\"><img src=\"\(path)\" alt=\"\(description)\"></a></p>"
        case .plan(let lines): return Self.html(ofPlan: lines)
        case .changes(let changes):
            let items = changes.map { change -> HTML in
                let author: HTML = change.author.map { " by \($0)" } ?? ""
                let lines = change.lines.map { "<li>\($0)</li>" as HTML }
                return """
                    <li><strong>\(change.title)</strong> <time>\(change.time)</time>\(author)\
                    <ul>\(lines)</ul></li>
                    """
            }
            return "<ol class=\"changes\">\(items)</ol>"
        case .facets(let facets): return FacetHTML.html(of: facets)
        case .liveChanges:
            return """
                <p class="note info" id="live-state">With JavaScript, this page shows the objects that change.</p>\
                <ol class="changes" id="live-changes"></ol>
                """
        }
    }

    private static func html(of table: PageContent.Table) -> HTML {
        let head = table.columns.map { column -> HTML in
            column.kind == .number ? "<th class=\"number\">\(html(of: column))</th>" : "<th>\(html(of: column))</th>"
        }
        let lines = table.rows.map { row -> HTML in "<tr>\(row.map { html(of: $0) })</tr>" }
        // Cells with one line do not wrap.
        let isFlat = table.rows.allSatisfy { row in row.allSatisfy { if case .cell = $0 { true } else { false } } }
        let kind: HTML = isFlat ? "table flat" : "table"
        return """
            <div class="\(kind)"><table><thead><tr>\(head)</tr></thead><tbody>\(lines)</tbody></table></div>
            """
    }

    /// A cell of a table.
    private static func html(of value: PageContent.Value) -> HTML {
        switch value {
        case .cell(let cell): return "<td\(className(of: cell))>\(html(of: cell))</td>"
        case .list(let cells, let more):
            let items = cells.map { "<li>\(html(of: $0))</li>" as HTML }
            let rest: HTML = more.map { "<li class=\"more\">\(html(of: $0))</li>" } ?? ""
            return "<td><ul class=\"list\">\(items)\(rest)</ul></td>"
        case .folded(let summary, let text):
            return "<td><details><summary>\(summary)</summary><pre>\(text)</pre></details></td>"
        case .picture(let path, let description):
            return "<td><a href=\"\(path)\"><img class=\"picture\" src=\"\(path)\" alt=\"\(description)\"></a></td>"
        case .bar(let share): return "<td class=\"bar\">\(FacetHTML.bar(share))</td>"
        }
    }

    private static func className(of cell: PageContent.Cell) -> HTML {
        switch cell.kind {
        case .plain: ""
        case .number: " class=\"number\""
        case .faint: " class=\"faint\""
        case .code: " class=\"code\""
        }
    }

    static func html(of cell: PageContent.Cell) -> HTML {
        guard let link = cell.link else { return "\(cell.text)" }
        return "<a href=\"\(link)\">\(cell.text)</a>"
    }

    /// The steps as nested lists.
    private static func html(ofPlan lines: [PageContent.PlanLine]) -> HTML {
        var html: HTML = ""
        var depth = 0
        for line in lines {
            while depth < line.depth {
                html += "<ul class=\"plan\">"
                depth += 1
            }
            while depth > line.depth {
                html += "</ul>"
                depth -= 1
            }
            html +=
                line.isScan
                ? "<li><code>\(line.text)</code> <span class=\"scan\">reads all rows</span></li>"
                : "<li><code>\(line.text)</code></li>"
        }
        while depth > 0 {
            html += "</ul>"
            depth -= 1
        }
        return html
    }
}

/// Values with the number of objects that have each.
enum FacetHTML {
    static func html(of facets: [PageContent.Facet]) -> HTML {
        let parts = facets.map { facet -> HTML in
            let most = Double(max(facet.values.map(\.count).max() ?? 1, 1))
            let rows = facet.values.map { cell, count -> HTML in
                """
                <tr><td>\(PageHTML.html(of: cell))</td><td class="bar">\(bar(Double(count) / most))</td>\
                <td class="number">\(PageHTML.grouped(count))</td></tr>
                """
            }
            let remark: HTML = facet.remark.map { "<p class=\"faint\">\($0)</p>" } ?? ""
            return "<section><h3>\(facet.name)</h3><table>\(rows)</table>\(remark)</section>"
        }
        return "<div class=\"facets\">\(parts)</div>"
    }

    /// A bar as SVG, because the pages allow no style attributes.
    static func bar(_ share: Double) -> HTML {
        let width = "\(Int((min(max(share, 0), 1) * 100).rounded()))%"
        return """
            <svg width="100%" height="10" role="presentation"><rect width="\(width)" height="10" rx="2"/></svg>
            """
    }
}

extension PageHTML {
    /// A number with commas between groups of three digits.
    static func grouped(_ number: Int) -> String {
        var text = ""
        for (index, digit) in String(number).reversed().enumerated() {
            if index > 0, index.isMultiple(of: 3), digit != "-" { text.append(",") }
            text.append(digit)
        }
        return String(text.reversed())
    }
}
