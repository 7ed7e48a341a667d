internal import PersistentObjects
internal import StoreEngine

/// An object with its values, and the objects that refer to it.
final class Show {
    private let file: InspectedFile
    private var shown: Set<String> = []

    init(_ file: InspectedFile) { self.file = file }

    static func run(_ call: CommandCall) throws -> Bool {
        let file = try call.file()
        let depth = try call.arguments.number("--depth", in: 1...10) ?? 1
        let object = try file.object(file.description(of: call.words[0]), call.words[1])
        try Show(file).write(object, call, depth: depth, indent: "")
        return false
    }

    private func write(_ object: StoredObject, _ call: CommandCall, depth: Int, indent: String) throws {
        shown.insert(object.name)
        try call.write(indent + object.name)
        var table = TextTable([])
        var next: [(className: String, id: Int64)] = []
        for property in object.description.properties {
            let (text, targets) = try text(of: property, object)
            table.add([property.name, text])
            next += targets.map { (property.target ?? "", $0) }
        }
        try call.write(table.lines.dropFirst().map { "\(indent)  \($0)" })
        if indent.isEmpty { try writeReferring(to: object, call) }
        guard depth > 1 else { return }
        for (className, id) in next {
            guard shown.count < Bounds.rows, let description = file.classes.descriptions[className],
                let target = try file.object(description, id: id), !shown.contains(target.name)
            else { continue }
            try write(target, call, depth: depth - 1, indent: indent + "  ")
        }
    }

    /// The text of a property, and the ids of the objects that it refers to.
    func text(of property: PropertyDescription, _ object: StoredObject) throws -> (String, [Int64]) {
        switch property.kind {
        case .scalar, .value:
            let value = object.values[property.name] ?? .null
            return (ValueText.quoted(value, type: property.shownType, isJSON: property.isJSON), [])
        case .reference:
            guard case .integer(let id)? = object.values[property.name], let target = property.target else {
                return ("nil", [])
            }
            return (try file.title(of: id, target), [id])
        case .array, .set, .dictionary: return try elements(of: property, object)
        case .inverse: return try inverse(property, object)
        }
    }

    private func elements(of property: PropertyDescription, _ object: StoredObject) throws -> (String, [Int64]) {
        let isNil = property.hasColumn && object.values[property.name] == .null
        if isNil { return ("nil", []) }
        let table = "\(object.description.table)_\(property.storage)"
        let ownerID = DatabaseValue.integer(object.id)
        let count = try file.count("\(name: table) WHERE \"owner_id\" = ?", [ownerID])
        let value = property.target == nil ? "value" : "value_id"
        let order = property.kind == .array ? "position" : property.kind == .dictionary ? "key" : value
        let rows = try file.rows(
            "SELECT \(names: [order, value]) FROM \(name: table) WHERE \"owner_id\" = ? ORDER BY 1",
            [ownerID], limit: Bounds.rows
        ).rows
        var targets: [Int64] = []
        let texts = try rows.map { row in
            var text: String
            if let target = property.target, case .integer(let id) = row[1] {
                targets.append(id)
                text = try file.title(of: id, target)
            } else {
                text = ValueText.quoted(row[1], type: property.elementType, isJSON: property.hasJSONElements)
            }
            if property.kind == .dictionary {
                text = ValueText.quoted(row[0], type: property.parts.first) + ": " + text
            }
            return text
        }
        return (Show.list(texts, count), targets)
    }

    private func inverse(_ property: PropertyDescription, _ object: StoredObject) throws -> (String, [Int64]) {
        guard let target = property.target,
            let link = file.links(to: object.description).first(where: { $0.path == property.inverse })
        else { return ("?", []) }
        let id = DatabaseValue.integer(object.id)
        let count = try file.count("(\(link.owners)) AS \"owners\"", [id])
        let ids = try file.rows("\(link.owners) ORDER BY 1 LIMIT 10", [id]).rows.compactMap { row in
            if case .integer(let id) = row[0] { id } else { nil }
        }
        return (Show.list(try ids.map { try file.title(of: $0, target) }, count), [])
    }

    /// The objects that an object refers to, and the first objects that refer to it.
    func linked(of object: StoredObject) throws -> [(property: String, className: String, id: Int64, title: String)] {
        var linked: [(property: String, className: String, id: Int64, title: String)] = []
        for property in object.description.properties {
            guard let target = property.target, property.kind != .inverse else { continue }
            for id in try text(of: property, object).1 {
                linked.append((property.name, target, id, try file.title(of: id, target)))
            }
        }
        for link in file.links(to: object.description) {
            for case let id? in try file.rows("\(link.owners) ORDER BY 1 LIMIT 10", [.integer(object.id)]).rows.map({
                $0[0].integer
            }) {
                let name = link.owner.name
                linked.append(("\(name).\(link.property.name)", name, id, try file.title(of: id, name)))
            }
        }
        return linked
    }

    private static func list(_ texts: [String], _ count: Int) -> String {
        guard count > 0 else { return "empty" }
        let more = count > texts.count ? ", …" : ""
        return "\(Bounds.shown(count)): \(texts.joined(separator: ", "))\(more)"
    }

    private func writeReferring(to object: StoredObject, _ call: CommandCall) throws {
        var table = TextTable([])
        let inverses = Set(object.description.properties.compactMap(\.inverse))
        // The objects of an inverse were already written.
        for link in file.links(to: object.description) where !inverses.contains(link.path) {
            let id = DatabaseValue.integer(object.id)
            let count = try file.count("(\(link.owners)) AS \"owners\"", [id])
            guard count > 0 else { continue }
            let ids = try file.rows("\(link.owners) ORDER BY 1 LIMIT 10", [id]).rows.compactMap { row in
                if case .integer(let id) = row[0] { "#\(id)" } else { nil }
            }
            table.add(["\(link.owner.name).\(link.property.name)", Show.list(ids, count)])
        }
        let lines = table.lines.dropFirst()
        guard !lines.isEmpty else { return }
        try call.write("referred to by")
        try call.write(lines.map { "  \($0)" })
    }
}

extension PropertyDescription {
    /// The type of a collection's elements, without the `?` of an optional; nil if they are objects.
    var elementType: String? {
        guard target == nil, let last = parts.last else { return nil }
        return last.hasPrefix("Optional<") ? String(last.dropFirst("Optional<".count).dropLast()) : last
    }

    /// Whether the elements are stored as JSON.
    var hasJSONElements: Bool { columnType == "BLOB" && elementType != "Data" && elementType != "UUID" }
}
