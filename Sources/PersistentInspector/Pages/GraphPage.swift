internal import PersistentObjects
internal import StoreEngine

/// An object with the objects around it, drawn by Graphviz if it is installed, and as a table.
enum GraphPage {
    static func content(_ call: PageCall, _ className: String, _ id: String) throws -> PageContent {
        let file = try call.file()
        let graph = try graph(call, className, id, file)
        let name = graph.nodes[0].className
        var sections: [PageContent.Section] = [
            .links(
                (1...3).map { depth in
                    .init(
                        depth == self.depth(call) ? "\(depth) \(depth == 1 ? "step" : "steps") ✓" : "\(depth) steps",
                        link: PageLink.path("object", className, id, "graph", query: ["depth": "\(depth)"]))
                })
        ]
        if Graphviz.path != nil {
            let path = PageLink.path("graph.svg", className, id, query: ["depth": "\(depth(call))"])
            sections.append(.drawing(path: path, description: "The objects around \(graph.nodes[0].title)"))
        } else {
            sections.append(.note("Install Graphviz, which draws the graph.", .info))
        }
        if graph.isCut {
            sections.append(.note("Only the first \(ObjectGraph.limit) objects are shown.", .info))
        }
        let rows = graph.edges.map { edge -> [PageContent.Value] in
            [.cell(cell(graph.nodes[edge.from])), .text(edge.name, .code), .cell(cell(graph.nodes[edge.to]))]
        }
        sections.append(.table(.init(["object", "property", "object"], rows)))
        return PageContent(
            title: "Graph of \(name) #\(graph.nodes[0].id)",
            trail: [
                .aClass(name),
                .init("\(name) #\(graph.nodes[0].id)", link: PageLink.object(className, graph.nodes[0].id)),
            ],
            sections: sections)
    }

    static func drawing(_ call: PageCall, _ className: String, _ id: String) throws -> PageResource? {
        let file = try call.file()
        return try Graphviz.svg(of: graph(call, className, id, file).dot).map { .drawing($0) }
    }

    private static func depth(_ call: PageCall) -> Int {
        call["depth"].flatMap { Int($0) }.map { min(max($0, 1), 3) } ?? 1
    }

    private static func graph(
        _ call: PageCall, _ className: String, _ id: String, _ file: InspectedFile
    ) throws -> ObjectGraph {
        try ObjectGraph(
            around: file.object(file.description(of: className), id, isWhole: false), depth: depth(call), in: file)
    }

    private static func cell(_ node: ObjectGraph.Node) -> PageContent.Cell {
        .init(node.title, link: PageLink.object(node.className, node.id))
    }
}

/// An object and the objects that it links to, or that link to it, up to a number of steps.
struct ObjectGraph {
    struct Node {
        let className: String
        let id: Int64
        let title: String
    }

    struct Edge: Hashable {
        let from: Int
        let name: String
        let to: Int
    }

    static let limit = 80
    /// The number of objects that one link adds.
    private static let perLink = 10

    private(set) var nodes: [Node] = []
    private(set) var edges: [Edge] = []
    private(set) var isCut = false
    private var places: [String: Int] = [:]
    private var known: Set<Edge> = []

    init(around object: StoredObject, depth: Int, in file: InspectedFile) throws {
        var next = [try place(of: object, in: file)].compactMap { $0 }
        var objects: [Int: StoredObject] = next.first.map { [$0: object] } ?? [:]
        for _ in 0..<depth {
            var found: [Int] = []
            for from in next {
                guard let current = objects[from] else { continue }
                for (name, target, isIncoming) in try links(of: current, in: file) {
                    guard let description = file.classes.descriptions[target.className],
                        let other = try file.object(description, id: target.id, isWhole: false)
                    else { continue }
                    guard let to = try place(of: other, in: file) else {
                        isCut = true
                        continue
                    }
                    if objects[to] == nil {
                        objects[to] = other
                        found.append(to)
                    }
                    let edge = isIncoming ? Edge(from: to, name: name, to: from) : Edge(from: from, name: name, to: to)
                    if known.insert(edge).inserted { edges.append(edge) }
                }
            }
            next = found
        }
    }

    /// The place of an object, which is added; nil if there are too many.
    private mutating func place(of object: StoredObject, in file: InspectedFile) throws -> Int? {
        if let place = places[object.name] { return place }
        guard nodes.count < ObjectGraph.limit else { return nil }
        let title = try ObjectPage.title(of: object, in: file)
        nodes.append(Node(className: object.description.name, id: object.id, title: title))
        places[object.name] = nodes.count - 1
        return nodes.count - 1
    }

    private mutating func links(
        of object: StoredObject, in file: InspectedFile
    ) throws -> [(name: String, target: (className: String, id: Int64), isIncoming: Bool)] {
        var links: [(name: String, target: (className: String, id: Int64), isIncoming: Bool)] = []
        for property in object.description.properties {
            guard let target = property.target, property.kind != .inverse else { continue }
            var ids: [Int64] = []
            if property.kind == .reference {
                ids = object.values[property.name]?.integer.map { [$0] } ?? []
            } else {
                let value: SQL = """
                    SELECT DISTINCT "value_id" FROM \(name: "\(object.description.table)_\(property.storage)") \
                    WHERE "owner_id" = ? AND "value_id" IS NOT NULL ORDER BY 1
                    """
                let found = try file.rows(value, [.integer(object.id)], limit: ObjectGraph.perLink)
                if found.isCut { isCut = true }
                ids = found.rows.compactMap { $0[0].integer }
            }
            links += ids.map { (property.name, (target, $0), false) }
        }
        for link in file.links(to: object.description) {
            let found = try file.rows("\(link.owners) ORDER BY 1", [.integer(object.id)], limit: ObjectGraph.perLink)
            if found.isCut { isCut = true }
            links += found.rows.compactMap { row in
                row[0].integer.map { (link.property.name, (link.owner.name, $0), true) }
            }
        }
        return links
    }

    /// The graph as DOT text.
    var dot: [String] {
        var lines = [
            "digraph objects {", "    rankdir=LR;",
            "    node [shape=box, style=rounded, fontname=\"Helvetica\", fontsize=11];",
            "    edge [fontname=\"Helvetica\", fontsize=9];",
        ]
        for (index, node) in nodes.enumerated() {
            let bold = index == 0 ? ", penwidth=2" : ""
            lines.append("    n\(index) [label=\(ClassDiagram.quoted(VisibleText.of(node.title, 40)))\(bold)];")
        }
        for edge in edges {
            lines.append("    n\(edge.from) -> n\(edge.to) [label=\(ClassDiagram.quoted(edge.name))];")
        }
        return lines + ["}"]
    }
}
