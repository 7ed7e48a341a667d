internal import PersistentObjects
internal import StoreEngine

/// All elements of a collection, or all objects that refer to an object, in pages.
enum LinkedPage {
    /// - Parameter name: The name of a property, or `Person.employer` for the objects that refer to the object.
    static func content(_ call: PageCall, _ className: String, _ id: String, _ name: String) throws -> PageContent {
        let file = try call.file()
        let object = try file.object(file.description(of: className), id, isWhole: false)
        let property = object.description.properties.first { $0.name == name }
        let link = file.links(to: object.description).first { link in
            property.map { $0.inverse == link.path } ?? (link.path == "\\" + name)
        }
        let linked: LinkedElements?
        if let property, property.kind.isCollection || property.kind == .inverse {
            linked = try LinkedElements.of(property, object, in: file)
        } else if property == nil, let link {
            linked = try LinkedElements(link, to: object, in: file)
        } else {
            throw InspectorError("\(object.description.name) has no collection or inverse \(name).")
        }
        guard let linked else { throw InspectorError("\(object.name).\(name) is nil.") }
        let page = try linked.page(after: call["after"], limit: call.limit)
        let isNamed = page.elements.contains { $0.name != nil }
        let rows = page.elements.map { element -> [PageContent.Value] in
            (isNamed ? [.text(element.name ?? "")] : []) + [.cell(element.cell)]
        }
        var links: [PageContent.Cell] = []
        if let next = page.next {
            let path = PageLink.path("linked", className, id, name, query: ["after": next])
            links.append(.init("next \(call.limit)", link: path))
        }
        if let link, link.property.kind == .reference {
            let path = PageLink.path(
                "class", link.owner.name, query: ["p1": link.property.name, "o1": "is", "v1": "\(object.id)"])
            links.append(.init("as a table of \(link.owner.name)", link: path))
        }
        return PageContent(
            title: "\(name) of \(object.name)",
            trail: [.aClass(object.description.name), .init(object.name, link: PageLink.object(className, object.id))],
            sections: [
                .note("\(Bounds.shown(linked.count)) \(linked.count == 1 ? "element" : "elements")", .info),
                .table(.init((isNamed ? ["key"] : []) + [linked.target ?? "element"], rows)), .links(links),
            ])
    }
}
