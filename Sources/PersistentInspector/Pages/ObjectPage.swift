internal import PersistentObjects
internal import StoreEngine

/// An object with its properties, and the objects that refer to it.
enum ObjectPage {
    static func content(_ call: PageCall, _ className: String, _ id: String) throws -> PageContent {
        let file = try call.file()
        let object = try file.object(file.description(of: className), id, isWhole: false)
        let name = object.description.name
        let rows = try object.description.properties.map { property -> [PageContent.Value] in
            [
                .text(property.name, .code), try PropertyValues.value(property, object, in: file),
                .text(property.spelledType, .faint),
            ]
        }
        var links = [PageContent.Cell("graph", link: PageLink.path("object", name, "\(object.id)", "graph"))]
        if call.editor != nil {
            links.append(.init("edit", link: PageLink.path("edit", name, "\(object.id)")))
            links.append(.init("delete", link: PageLink.path("delete", name, "\(object.id)")))
        }
        if try HistoryPage.exists(for: object, in: file) {
            links.append(.init("history", link: PageLink.path("object", name, "\(object.id)", "history")))
        }
        var sections: [PageContent.Section] = [.links(links), .table(.init(["property", "value", "type"], rows))]
        let referring = try referring(to: object, in: file)
        if !referring.isEmpty {
            sections += [.heading("Referred to by"), .table(.init(["property", "objects"], referring))]
        }
        return PageContent(
            title: try title(of: object, in: file), trail: [.aClass(name)], sections: sections)
    }

    static func title(of object: StoredObject, in file: InspectedFile) throws -> String {
        let text = try file.titles(of: [object.id], object.description.name)[object.id] ?? object.name
        return text == object.name ? text : "\(object.name) · \(text)"
    }

    /// The objects that refer to an object by properties that are not the other side of an inverse of the object.
    private static func referring(to object: StoredObject, in file: InspectedFile) throws -> [[PageContent.Value]] {
        let inverses = Set(object.description.properties.compactMap(\.inverse))
        return try file.links(to: object.description).filter { !inverses.contains($0.path) }.compactMap { link in
            let linked = try LinkedElements(link, to: object, in: file)
            guard linked.count > 0 else { return nil }
            let name = "\(link.owner.name).\(link.property.name)"
            let more = PageContent.Cell(
                "\(linked.count > 10 ? "all " : "")\(Bounds.shown(linked.count))",
                link: PageLink.path("linked", object.description.name, "\(object.id)", name))
            return [
                .text(name, .code),
                .list(try linked.page(after: nil, limit: 10).elements.map(\.cell), more: linked.count > 3 ? more : nil),
            ]
        }
    }
}
