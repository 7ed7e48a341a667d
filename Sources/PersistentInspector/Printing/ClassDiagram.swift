internal import PersistentObjects

/// A diagram of classes as DOT text, for Graphviz.
enum ClassDiagram {
    static func lines(_ classes: [ClassDescription]) -> [String] {
        var lines = [
            "digraph classes {",
            "    rankdir=LR;",
            "    node [shape=plain, fontname=\"Helvetica\"];",
            "    edge [fontname=\"Helvetica\", fontsize=10];",
        ]
        for aClass in classes {
            let rows = aClass.properties.filter { $0.kind != .inverse && $0.target == nil }.map { property in
                "<tr><td align=\"left\">\(escaped(property.name)): \(escaped(property.spelledType))</td></tr>"
            }
            let title = "<tr><td bgcolor=\"lightgray\"><b>\(escaped(aClass.name))</b></td></tr>"
            let table = "<table border=\"0\" cellborder=\"1\" cellspacing=\"0\">\(title)\(rows.joined())</table>"
            lines.append("    \(quoted(aClass.name)) [label=<\(table)>];")
        }
        for aClass in classes {
            for link in links(of: aClass, in: classes) {
                let edge = "    \(quoted(aClass.name)) -> \(quoted(link.target))"
                guard let name = link.name else {
                    lines.append("\(edge) [arrowhead=empty];")
                    continue
                }
                let many = link.isMany ? ", arrowhead=crow" : ""
                lines.append("\(edge) [label=\(quoted(name))\(many)];")
            }
        }
        return lines + ["}"]
    }

    /// A link from a class to another class.
    struct Link {
        /// The property; nil for the superclass.
        let name: String?
        let target: String
        let isMany: Bool
        let rule: String?
    }

    /// The links of a class, without those of its superclass.
    static func links(of aClass: ClassDescription, in classes: [ClassDescription]) -> [Link] {
        let names = Set(classes.map(\.name))
        var links: [Link] = []
        if let superclass = aClass.superclass, names.contains(superclass) {
            links.append(Link(name: nil, target: superclass, isMany: false, rule: nil))
        }
        let inherited = classes.first { $0.name == aClass.superclass }?.properties.map(\.name) ?? []
        for property in aClass.properties where property.kind != .inverse && !inherited.contains(property.name) {
            guard let target = property.target, names.contains(target) else { continue }
            links.append(
                Link(
                    name: property.name, target: target, isMany: property.kind.isCollection,
                    rule: property.deleteRule))
        }
        return links
    }

    static func quoted(_ text: String) -> String {
        "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }
}
