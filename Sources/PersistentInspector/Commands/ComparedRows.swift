internal import PersistentObjects
internal import StoreEngine

/// The values of all objects of a table, with their collections, in the order of their keys or ids.
struct ComparedRows {
    struct Row {
        /// The key, or the id.
        let key: DatabaseValue
        let id: Int64
        /// The name of the row's class.
        let className: String
        let values: [DatabaseValue]
    }

    /// The names of the values.
    let names: [String]
    /// The properties of the values.
    let properties: [PropertyDescription]
    let sql: SQL

    private let className: String

    /// - Parameter shared: The names of the properties to compare; nil for all.
    init(_ description: ClassDescription, in file: InspectedFile, shared: Set<String>? = nil) throws {
        className = description.name
        properties = ComparedRows.properties(of: description, in: file).filter { shared?.contains($0.name) ?? true }
        names = properties.map(\.name)
        let key = description.hasKey ? "key" : "id"
        let id: SQL = "\(column: "id", of: description.table)"
        let values = properties.map { property -> SQL in
            guard property.kind.isCollection else { return "\(column: property.storage, of: description.table)" }
            return ComparedElements(property).sql(
                of: "\(description.table)_\(property.storage)", owner: id, onServer: file.isOnServer)
        }
        // Keys are compared by their bytes.
        let isText = file.isOnServer && description.identity == "string"
        let keyColumn: SQL = "\(column: key, of: description.table)\(isText ? " COLLATE \"C\"" : "")"
        let aClass: SQL = description.hasClassColumn ? "\(column: "class", of: description.table)" : "NULL"
        let source = try file.source(of: description)
        sql = "SELECT \(list: [keyColumn, id, aClass] + values) FROM \(source) ORDER BY 1"
    }

    /// The properties of a class and its subclasses.
    static func properties(of description: ClassDescription, in file: InspectedFile) -> [PropertyDescription] {
        let family = file.sortedClasses.filter {
            file.classes.isClass($0.name, description.name) && $0.table == description.table
        }
        var seen: Set<String> = []
        return ([description] + family).flatMap(\.properties).filter { property in
            property.kind != .inverse && property.name != "key" && seen.insert(property.storage).inserted
        }
    }

    func row(_ statement: Statement) -> Row {
        let row = InspectedFile.row(statement)
        let values = zip(properties, row[3...]).map { property, value in
            guard property.kind.isCollection, let json = value.text else { return value }
            return ComparedElements(property).text(json).map { .text($0) } ?? .null
        }
        return Row(key: row[0], id: row[1].integer ?? 0, className: row[2].text ?? className, values: values)
    }

    /// The differences between the values of two rows: `age: 39 → 40`.
    func changes(_ old: Row, _ new: Row) -> [String] {
        properties.indices.filter { old.values[$0] != new.values[$0] }.map { index in
            "\(names[index]): \(text(old.values[index], index)) → \(text(new.values[index], index))"
        }
    }

    private func text(_ value: DatabaseValue, _ index: Int) -> String {
        let property = properties[index]
        guard property.kind.isCollection else {
            return ValueText.quoted(value, type: property.shownType, isJSON: property.isJSON)
        }
        return "[\(value.text.map { VisibleText.of($0, Bounds.characters) } ?? "")]"
    }
}

extension DatabaseValue {
    /// Whether it comes before another value in the order of SQLite's keys.
    func precedes(_ other: DatabaseValue) -> Bool {
        switch (self, other) {
        case (.integer(let a), .integer(let b)): a < b
        case (.real(let a), .real(let b)): a < b
        case (.text(let a), .text(let b)): a.utf8.lexicographicallyPrecedes(b.utf8)
        case (.blob(let a), .blob(let b)): a.lexicographicallyPrecedes(b)
        default: rank < other.rank
        }
    }

    private var rank: Int {
        switch self {
        case .null: 0
        case .integer, .real: 1
        case .text: 2
        case .blob: 3
        }
    }
}
