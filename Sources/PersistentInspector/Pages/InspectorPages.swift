internal import Foundation
internal import PersistentObjects
internal import StoreEngine

/// The pages of a file, by their paths.
package struct InspectorPages: Sendable {
    private let path: String

    package init(path: String) { self.path = path }

    /// The page at a path such as `/object/Person/1`; nil if there is no such page.
    ///
    /// - Throws: `InspectorError` with the reason that the page cannot be shown.
    package func page(_ address: String, _ query: [String: String]) throws -> PageContent? {
        let parts = address.split(separator: "/").map(String.init)
        do {
            switch (parts.first, parts.count) {
            case (nil, _): return try classes()
            case ("class", 2): return try aClass(parts[1], after: query["after"].flatMap { Int64($0) })
            case ("object", 3): return try object(parts[1], parts[2])
            case ("find", 1): return try results("find", "Finder", query["q"])
            case ("sql", 1): return try results("sql", "SELECT statement", query["q"])
            case ("sizes", 1), ("check", 1), ("history", 1):
                return PageContent(title: parts[0], sections: [.lines(try lines([parts[0]]))])
            default: return nil
            }
        } catch let error as StoreError { throw InspectorError("\(error)") }
    }

    /// The output of a command.
    private func lines(_ words: [String]) throws -> [String] {
        let output = OutputLines()
        try InspectorCommand([path] + words).run { output.lines.append($0) }
        return output.lines
    }

    private func classes() throws -> PageContent {
        let file = try InspectedFile(path)
        guard file.origin == .store else {
            return PageContent(title: "classes", sections: [.note(file.noDescription)])
        }
        let rows = try file.sortedClasses.map { aClass in
            [
                PageContent.Cell(aClass.name, link: link("class", aClass.name)), .init(aClass.superclass ?? ""),
                .init(aClass.table), .init(Bounds.shown(try file.count(of: aClass))),
            ]
        }
        return PageContent(
            title: "classes",
            sections: [
                .table(columns: ["class", "superclass", "table", "objects"], rows: rows),
                .heading("File"), .lines(try lines(["summary"]).split(separator: "").first.map(Array.init) ?? []),
            ])
    }

    private func aClass(_ name: String, after: Int64?) throws -> PageContent {
        let file = try InspectedFile(path)
        let description = try file.description(of: name)
        let properties = description.properties.filter { $0.hasColumn && !$0.kind.isCollection && !$0.isLazy }
        let columns = ["id"] + properties.map(\.storage)
        let source = try file.source(of: description)
        let found = try file.rows(
            "SELECT \(names: columns) FROM \(source) WHERE \"id\" > ? ORDER BY \"id\"",
            [.integer(after ?? Int64.min)], limit: Bounds.rows)
        let rows = found.rows.map { row in
            zip(row, [nil] + properties.map { Optional($0) }).map { value, property -> PageContent.Cell in
                guard let property else {
                    let id = ValueText.cell(value, type: nil)
                    return .init(id, link: link("object", name, id))
                }
                let text = ValueText.cell(value, type: property.shownType, isJSON: property.isJSON)
                guard property.kind == .reference, case .integer = value, let target = property.target else {
                    return .init(text)
                }
                return .init("\(target) #\(text)", link: link("object", target, text))
            }
        }
        var sections: [PageContent.Section] = [
            .form(path: "/find", label: "Finder", text: "\(name).all()"),
            .table(columns: ["id"] + properties.map(\.name), rows: rows),
        ]
        if found.isCut, case .integer(let last)? = found.rows.last?.first {
            sections.append(.link(.init("next \(Bounds.rows)", link: link("class", name) + "?after=\(last)")))
        }
        return PageContent(
            title: name, sections: sections + [.heading("Class"), .lines(try lines(["classes", name]))])
    }

    private func object(_ className: String, _ id: String) throws -> PageContent {
        let file = try InspectedFile(path)
        let object = try file.object(file.description(of: className), id)
        let show = Show(file)
        let rows = try object.description.properties.map { property -> [PageContent.Cell] in
            let (text, targets) = try show.text(of: property, object)
            let target = property.target ?? ""
            return [
                .init(property.name),
                .init(text, link: targets.count == 1 ? link("object", target, "\(targets[0])") : nil),
            ]
        }
        var sections: [PageContent.Section] = [.table(columns: ["property", "value"], rows: rows)]
        let linked = try show.linked(of: object)
        if !linked.isEmpty {
            sections.append(.heading("Linked objects"))
            let cells = linked.map {
                [PageContent.Cell($0.property), .init($0.title, link: link("object", $0.className, "\($0.id)"))]
            }
            sections.append(.table(columns: ["property", "object"], rows: cells))
        }
        return PageContent(title: object.name, sections: sections)
    }

    private func results(_ command: String, _ label: String, _ text: String?) throws -> PageContent {
        let form = PageContent.Section.form(path: "/\(command)", label: label, text: text ?? "")
        guard let text, !text.isEmpty else { return PageContent(title: command, sections: [form]) }
        do {
            let found = try lines([command, "--", text])
            let plan = try lines([command, "--plan", "--", text])
            return PageContent(title: command, sections: [form, .lines(found), .heading("Plan"), .lines(plan)])
        } catch let error as InspectorError {
            return PageContent(title: command, sections: [form, .note(error.description)])
        }
    }

    private func link(_ parts: String...) -> String {
        "/" + parts.map { $0.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? $0 }.joined(separator: "/")
    }
}

/// Collects the lines of a command.
private final class OutputLines {
    var lines: [String] = []
}
