internal import PersistentObjects
internal import StoreEngine

/// The classes with their links, drawn by Graphviz if it is installed, and as a table.
enum DiagramPage {
    /// The number of classes up to which a diagram can be read.
    static let limit = 60

    static func content(_ call: PageCall) throws -> PageContent {
        let file = try call.file()
        let classes = file.sortedClasses
        guard file.origin == .store else { throw InspectorError(file.noDescription) }
        var sections: [PageContent.Section] = []
        if classes.count > limit {
            sections.append(.note("The file has \(classes.count) classes, too many for a diagram.", .info))
        } else if Graphviz.path == nil {
            sections.append(.note("Install Graphviz, which draws the diagram.", .info))
        } else {
            sections.append(.drawing(path: "/classes.svg", description: "The classes and their links"))
        }
        let links = classes.flatMap { aClass in
            ClassDiagram.links(of: aClass, in: classes).map { link -> [PageContent.Value] in
                [
                    .cell(.aClass(aClass.name)), .text(link.name ?? "superclass", .code), .cell(.aClass(link.target)),
                    .text(link.isMany ? "many" : "one", .faint), .text(link.rule ?? "", .faint),
                ]
            }
        }
        sections.append(.table(.init(["class", "property", "target", "number", "on deletion"], links)))
        return PageContent(title: "Diagram", sections: sections)
    }

    static func drawing(_ call: PageCall) throws -> PageResource? {
        let file = try call.file()
        guard file.sortedClasses.count <= limit else { return nil }
        return try Graphviz.svg(of: ClassDiagram.lines(file.sortedClasses)).map { .drawing($0) }
    }
}
