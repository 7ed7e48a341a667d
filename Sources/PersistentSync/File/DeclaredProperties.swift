internal import PersistentObjects

/// The properties of a class as the file records them: they can be those of an earlier version of the program.
struct DeclaredProperties {
    private struct Property: Hashable {
        /// "value", or the kind of a collection.
        let kind: Substring
        var name: Substring
        /// The types of a collection's keys and elements.
        let types: Substring
    }

    private let properties: Set<Property>
    /// The table of the class.
    let table: String

    /// The properties of a class as text: a line for each.
    static func text(_ shape: SyncedShape) -> String {
        ([title + "\t" + shape.table] + shape.fields.map { line("value", $0.name) } + shape.collections.map(line))
            .joined(separator: "\n")
    }

    /// What a declaration contains, under the current names of the properties; nil if the version of the library that
    /// recorded it did not list them.
    init?(in declaration: String, renamedBy shape: ClassShape?) {
        let lines = declaration.split(separator: "\n")
        guard let start = lines.firstIndex(where: { $0.hasPrefix(Self.title + "\t") }) else { return nil }
        table = String(lines[start].dropFirst(Self.title.count + 1))
        var properties: Set<Property> = []
        for line in lines[start...].dropFirst() {
            let parts = line.split(separator: "\t", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { continue }
            let current = shape?.currentName(of: Text(String(parts[1])))?.string[...]
            properties.insert(Property(kind: parts[0], name: current ?? parts[1], types: parts[2]))
        }
        self.properties = properties
    }

    private static var title: String { "properties:" }
    private static func line(_ kind: String, _ name: String, _ types: String = "") -> String {
        "\(kind)\t\(name)\t\(types)"
    }
    private static func line(_ collection: SyncedShape.Collection) -> String {
        line("\(collection.style)", collection.name, types(of: collection))
    }
    private static func types(of collection: SyncedShape.Collection) -> String {
        "\(collection.keyType.map { "\($0) " } ?? "")\(collection.valueType)"
    }

    /// Whether the class had a property with a column.
    func contains(_ field: SyncedShape.Field) -> Bool {
        properties.contains(Property(kind: "value", name: field.name[...], types: ""))
    }

    /// Whether the class had a collection of the same kind, with elements of the same type.
    func contains(_ collection: SyncedShape.Collection) -> Bool {
        properties.contains(
            Property(
                kind: "\(collection.style)", name: collection.name[...], types: Self.types(of: collection)[...]))
    }

    /// Whether the class had a collection of the same kind.
    func containsKind(of collection: SyncedShape.Collection) -> Bool {
        properties.contains { $0.kind == "\(collection.style)" && $0.name == collection.name }
    }
}
