internal import PersistentObjects
internal import StoreEngine

/// The classes of a file, or one class with its properties.
enum Classes {
    static func run(_ call: CommandCall) throws -> Bool {
        guard call.arguments.flags.count < 2 else {
            throw InspectorError("--dot, --sql and --json exclude each other.")
        }
        let file = try call.file()
        guard file.origin == .store else { throw InspectorError(file.noDescription) }
        let chosen = try call.words.first.map { [try file.description(of: $0)] } ?? file.sortedClasses
        if call.has("--dot") {
            try call.write(ClassDiagram.lines(chosen))
        } else if call.has("--sql") {
            try call.write(statements(of: chosen, in: file))
        } else if call.has("--json") {
            for aClass in chosen { try call.write(json(aClass).line) }
        } else if call.words.isEmpty {
            try call.write(list(of: chosen, in: file))
        } else {
            try call.write(details(of: chosen[0], in: file))
        }
        return false
    }

    private static func list(of classes: [ClassDescription], in file: InspectedFile) throws -> [String] {
        var table = TextTable(["class", "superclass", "table", "keys", "properties", "objects"], numbers: [4, 5])
        for aClass in classes {
            table.add([
                aClass.name, aClass.superclass ?? "", aClass.table, aClass.hasKey ? aClass.identity : "",
                "\(aClass.properties.count)", Bounds.shown(try file.count(of: aClass)),
            ])
        }
        return table.lines
    }

    private static func details(of aClass: ClassDescription, in file: InspectedFile) throws -> [String] {
        let parent = aClass.superclass.map { ": \($0)" } ?? ""
        let count = try file.count(of: aClass)
        let objects = "\(Bounds.shown(count)) \(count == 1 ? "object" : "objects")"
        var lines = ["class \(aClass.name)\(parent), table \(aClass.table), \(objects)"]
        var table = TextTable(["property", "type", "column", ""])
        for property in aClass.properties {
            let storage = property.kind.isCollection ? "\(aClass.table)_\(property.storage)" : property.storage
            table.add([property.name, property.spelledType, storage, rules(of: property).joined(separator: ", ")])
        }
        lines += table.lines.map { "  \($0)" }
        let indexes = try file.connection.schema.indexes(of: aClass.table).sorted { $0.name < $1.name }
        if !indexes.isEmpty { lines.append("indexes") }
        for index in indexes {
            let columns = index.columns.map { $0 ?? "(expression)" }.joined(separator: ", ")
            let traits = (index.isUnique ? " unique" : "") + (index.isPartial ? " partial" : "")
            lines.append("  \(index.name) (\(columns))\(traits)")
        }
        return lines
    }

    private static func rules(of property: PropertyDescription) -> [String] {
        var rules: [String] = []
        if property.isUnique { rules.append("unique") }
        if property.isIndexed { rules.append("indexed") }
        if property.isLazy { rules.append("lazy") }
        if property.isSearched { rules.append("searched") }
        if property.isEncrypted { rules.append("encrypted") }
        if let inverse = property.inverse { rules.append("inverse of \(inverse)") }
        if let rule = property.deleteRule, rule != "nullify" { rules.append("deletion: \(rule)") }
        if let initial = property.initial, initial != "NULL" {
            rules.append("initially \(VisibleText.of(initial, 40))")
        }
        if !property.cases.isEmpty {
            rules.append("values \(VisibleText.of(property.cases.joined(separator: ", "), Bounds.characters))")
        }
        return rules
    }

    /// The statements that created the tables of classes with their indexes and triggers.
    private static func statements(of classes: [ClassDescription], in file: InspectedFile) throws -> [String] {
        var tables: [String] = []
        for aClass in classes {
            tables.append(aClass.table)
            tables += aClass.properties.filter(\.kind.isCollection).map { "\(aClass.table)_\($0.storage)" }
        }
        var seen: Set<String> = []
        var lines: [String] = []
        if file.isOnServer {
            // A server has no statements. The columns, the indexes and the references are listed.
            return try file.connection.schema.definitions(of: tables, triggersBeginning: "\u{1}")
                .split(separator: "\n").map(String.init)
        }
        for table in tables where seen.insert(table).inserted {
            let found = try file.rows(
                """
                SELECT sql FROM sqlite_schema WHERE tbl_name = ? COLLATE NOCASE AND sql IS NOT NULL \
                ORDER BY CASE type WHEN 'table' THEN 0 WHEN 'index' THEN 1 ELSE 2 END, name
                """, [.text(table)])
            for case let sql? in found.rows.map({ $0[0].text }) {
                lines += (sql + ";").split(separator: "\n").map(String.init)
            }
        }
        return lines
    }

    private static func json(_ aClass: ClassDescription) -> JSONValue {
        func text(_ text: String?) -> JSONValue { text.map { .text($0) } ?? .null }
        let properties = aClass.properties.map { property in
            JSONValue.object([
                .init(name: "name", value: .text(property.name)),
                .init(name: "kind", value: .text(property.kind.rawValue)),
                .init(name: "type", value: .text(property.type)),
                .init(name: "optional", value: .bool(property.isOptional)),
                .init(name: "column", value: property.hasColumn ? .text(property.storage) : .null),
                .init(name: "target", value: text(property.target)),
                .init(name: "inverse", value: text(property.inverse)),
                .init(name: "deleteRule", value: text(property.deleteRule)),
                .init(name: "cases", value: .list(property.cases.map { .text($0) })),
                .init(name: "indexed", value: .bool(property.isIndexed)),
                .init(name: "unique", value: .bool(property.isUnique)),
                .init(name: "lazy", value: .bool(property.isLazy)),
            ])
        }
        return .object([
            .init(name: "name", value: .text(aClass.name)), .init(name: "table", value: .text(aClass.table)),
            .init(name: "superclass", value: text(aClass.superclass)),
            .init(name: "identity", value: .text(aClass.identity)), .init(name: "properties", value: .list(properties)),
        ])
    }
}
