// Pages: the contents of the pages of the browser, without HTML. It knows commands and files, and must know neither
// HTTP nor HTML.

/// The contents of one page.
package struct PageContent: Equatable, Sendable {
    /// A string, which can be a link.
    package struct Cell: Equatable, Sendable {
        package enum Kind: Sendable {
            case plain
            /// It is aligned to the right.
            case number
            /// A value that is nil, or a remark instead of a value.
            case faint
            /// A name or a value of the program, in a font of constant width.
            case code
        }

        package let text: String
        /// The path of the page that it leads to.
        package let link: String?
        package let kind: Kind

        init(_ text: String, link: String? = nil, _ kind: Kind = .plain) {
            self.text = text
            self.link = link
            self.kind = kind
        }
    }

    /// The contents of a cell of a table.
    package enum Value: Equatable, Sendable {
        case cell(Cell)
        /// Several cells, and the link to the rest.
        case list([Cell], more: Cell?)
        /// Text that is shown when its first line is selected.
        case folded(summary: String, text: String)
        /// A picture of the file at a path.
        case picture(path: String, description: String)
        /// A share of the largest value.
        case bar(Double)

        static func text(_ text: String, _ kind: Cell.Kind = .plain) -> Value { .cell(Cell(text, kind)) }

        /// The value in JSON and CSV.
        package var plainText: String {
            switch self {
            case .cell(let cell): cell.text
            case .list(let cells, let more):
                cells.map(\.text).joined(separator: ", ") + (more.map { " … \($0.text)" } ?? "")
            case .folded(_, let text): text
            case .picture(_, let description): description
            case .bar(let share): "\(share)"
            }
        }
    }

    package struct Table: Equatable, Sendable {
        package let columns: [Cell]
        package let rows: [[Value]]

        init(_ columns: [Cell], _ rows: [[Value]]) {
            self.columns = columns
            self.rows = rows
        }

        init(_ columns: [String], _ rows: [[Value]]) { self.init(columns.map { Cell($0) }, rows) }
    }

    /// A line of a query plan.
    package struct PlanLine: Equatable, Sendable {
        /// From 1.
        package let depth: Int
        package let text: String
        /// Whether it reads all rows of a table.
        package let isScan: Bool
    }

    /// A change of an object.
    package struct Change: Equatable, Sendable {
        package let time: String
        package let author: String?
        package let title: String
        package let lines: [String]
    }

    /// The values of a property with the number of objects that have each.
    package struct Facet: Equatable, Sendable {
        package let name: String
        package let values: [(Cell, count: Int)]
        /// A remark, for example that there are more values.
        package let remark: String?

        package static func == (a: Facet, b: Facet) -> Bool {
            a.name == b.name && a.remark == b.remark && a.values.count == b.values.count
                && zip(a.values, b.values).allSatisfy { $0 == $1 }
        }
    }

    package enum Tone: String, Sendable {
        case info, good, warning
    }

    /// A part of a page.
    package enum Section: Equatable, Sendable {
        case heading(String)
        case note(String, Tone)
        /// Lines of text in a font of constant width.
        case lines([String])
        case table(Table)
        case links([Cell])
        case form(PageForm)
        /// A picture that the inspector draws.
        case drawing(path: String, description: String)
        case plan([PlanLine])
        case changes([Change])
        case facets([Facet])
        /// The list of changes of the file, which a script extends.
        case liveChanges
    }

    package let title: String
    /// The pages above this page.
    package let trail: [Cell]
    package let sections: [Section]

    init(title: String, trail: [Cell] = [], sections: [Section]) {
        self.title = title
        self.trail = trail
        self.sections = sections
    }
}

extension PageContent {
    /// The page that shows why there is no page.
    package init(problem: String) {
        self.init(title: "Not available", sections: [.note(problem, .warning)])
    }
}
