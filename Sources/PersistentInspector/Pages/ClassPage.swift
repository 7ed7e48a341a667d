internal import PersistentObjects
internal import StoreEngine

/// The objects of a class: those that meet conditions, in pages.
enum ClassPage {
    static func content(_ call: PageCall, _ name: String) throws -> PageContent {
        let file = try call.file()
        let description = try file.description(of: name)
        let conditions = PageConditions(name, call)
        var sections: [PageContent.Section] = []
        do {
            sections = try objects(of: description, conditions, call, file)
        } catch let error as InspectorError {
            sections = [.note(error.description, .warning)]
        }
        let finder = (try? conditions.finder(in: file).text) ?? ""
        let box = PageForm(
            "/find", .box,
            [
                [
                    .init(
                        name: "q", label: "finder", value: conditions.isEmpty ? "\(name).all()" : finder,
                        kind: .line(hint: "\(name).findBy…(…)"))
                ]
            ], button: "Find")
        var links = [
            PageContent.Cell("description", link: PageLink.path("class", name, "description")),
            PageContent.Cell("search", link: PageLink.path("search", query: ["class": name])),
        ]
        if call.editor?.creates == true { links.append(.init("new \(name)", link: PageLink.path("new", name))) }
        let removals = conditions.conditions.enumerated().map { index, condition in
            PageContent.Cell(
                "✕ \(condition.path) \(condition.operation.label)"
                    + (condition.operation.hasValue ? " \(VisibleText.of(condition.value, 40))" : ""),
                link: conditions.without(index).address())
        }
        return PageContent(
            title: name, trail: [],
            sections: [.links(links), .form(box), .form(conditions.form(description, file))]
                + (removals.isEmpty ? [] : [.links(removals)]) + sections)
    }

    private static func objects(
        of description: ClassDescription, _ conditions: PageConditions, _ call: PageCall, _ file: InspectedFile
    ) throws -> [PageContent.Section] {
        let name = description.name
        // Pages in the order of the ids start after an id; pages in another order are limited to the first rows.
        let after = conditions.order == nil ? call["after"].flatMap { Int64($0) } : nil
        let skipped = conditions.order == nil ? 0 : min(max(call["skip"].flatMap { Int($0) } ?? 0, 0), 950)
        let finder = try conditions.finder(after: after, in: file).compiled(in: file)
        // The ids are read first, so that the values of other rows are not read for sorting.
        let ids = try conditions.finder("ids", after: after, in: file).compiled(in: file)
        let found = try file.rows(ids.sql, ids.values, limit: skipped + call.limit)
        let shown = try file.rows(
            found.rows.dropFirst(skipped).compactMap { $0[0].integer }, finder.columns, of: description)
        let described = Dictionary(description.properties.map { ($0.name, $0) }) { first, _ in first }
        let properties = finder.columns.map { described[$0] }
        let names = ["id"] + finder.columns
        let columns = zip(names, [nil] + properties).map { name, property -> PageContent.Cell in
            let isSorted = conditions.order == name || (name == "id" && conditions.order == nil)
            let mark = isSorted ? (conditions.isDescending ? " ↓" : " ↑") : ""
            let isNumber = name == "id" || PropertyValues.isNumber(property)
            // The class of a row is a column, and not a property.
            let link = name == "id" || property != nil ? conditions.ordered(by: name).address() : nil
            return .init(name + mark, link: link, isNumber ? .number : .plain)
        }
        let count = try Facets.count(conditions, description, file)
        var sections: [PageContent.Section] = [.note(summary(count, name, conditions), .info)]
        let rows = try PropertyValues.rows(shown, properties, of: name, in: file)
        if !rows.isEmpty { sections.append(.table(.init(columns, rows))) }
        if found.isCut {
            if conditions.order == nil, let last = shown.last?[0].integer {
                sections.append(
                    .links([.init("next \(call.limit)", link: conditions.address(("after", "\(last)")))]))
            } else if skipped + call.limit < 1000 {
                let next = conditions.address(("skip", "\(skipped + call.limit)"))
                sections.append(.links([.init("next \(call.limit)", link: next)]))
            } else {
                sections.append(
                    .note("Sorted pages end after 1,000 objects. Add a condition to see more objects.", .info))
            }
        }
        sections += try Facets.sections(conditions, description, count: count, call, file)
        if !conditions.isEmpty {
            sections.append(.heading("Plan"))
            sections += try PlanSections.sections(of: finder, in: file)
        }
        return sections
    }

    private static func summary(_ count: Int, _ name: String, _ conditions: PageConditions) -> String {
        let objects = "\(Bounds.shown(count)) \(count == 1 ? "object" : "objects")"
        return conditions.conditions.isEmpty ? objects : "\(objects) that meet the conditions"
    }
}
