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
        let names = Set(classes.map(\.name))
        for aClass in classes {
            let rows = aClass.properties.filter { $0.kind != .inverse && $0.target == nil }.map { property in
                "<tr><td align=\"left\">\(escaped(property.name)): \(escaped(property.spelledType))</td></tr>"
            }
            let title = "<tr><td bgcolor=\"lightgray\"><b>\(escaped(aClass.name))</b></td></tr>"
            let table = "<table border=\"0\" cellborder=\"1\" cellspacing=\"0\">\(title)\(rows.joined())</table>"
            lines.append("    \(quoted(aClass.name)) [label=<\(table)>];")
        }
        for aClass in classes {
            if let superclass = aClass.superclass, names.contains(superclass) {
                lines.append("    \(quoted(aClass.name)) -> \(quoted(superclass)) [arrowhead=empty];")
            }
            for property in aClass.properties where property.kind != .inverse {
                guard let target = property.target, names.contains(target) else { continue }
                let isInherited = aClass.superclass.map { name in
                    classes.first { $0.name == name }?.properties.contains { $0.name == property.name } ?? false
                }
                if isInherited == true { continue }
                let many = property.kind.isCollection ? ", arrowhead=crow" : ""
                lines.append(
                    "    \(quoted(aClass.name)) -> \(quoted(target)) [label=\(quoted(property.name))\(many)];")
            }
        }
        return lines + ["}"]
    }

    private static func quoted(_ text: String) -> String {
        "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }
}
