internal import PersistentObjects
internal import StoreEngine

/// One row of a class, with the description of the row's own class.
struct StoredObject {
    let description: ClassDescription
    let id: Int64
    /// The values of the properties with columns, by name.
    let values: [String: DatabaseValue]

    /// `Person #1`.
    var name: String { "\(description.name) #\(id)" }
}

extension InspectedFile {
    /// The object of a class with an id, or with a key if the class has keys.
    ///
    /// - Parameter isWhole: Whether long bytes are read. Otherwise their value is their size as a string.
    func object(_ description: ClassDescription, _ text: String, isWhole: Bool = true) throws -> StoredObject {
        let found: StoredObject?
        if description.hasKey, let key = try? classes.stored(.text(text), "key", of: description.name),
            let object = try object(description, column: "key", key, isWhole)
        {
            found = object
        } else if let id = Int64(text) {
            found = try object(description, column: "id", .integer(id), isWhole)
        } else {
            let kind = description.hasKey ? "key or id" : "id"
            throw InspectorError("\(text) is not the \(kind) of an object of class \(description.name).")
        }
        guard let found else { throw InspectorError("\(path) has no \(description.name) #\(text).") }
        return found
    }

    func object(_ description: ClassDescription, id: Int64, isWhole: Bool = true) throws -> StoredObject? {
        try object(description, column: "id", .integer(id), isWhole)
    }

    private func object(
        _ description: ClassDescription, column: String, _ value: DatabaseValue, _ isWhole: Bool
    ) throws -> StoredObject? {
        let source = try source(of: description)
        let isSought: SQL = "\(name: column) = ?"
        var own = description
        if description.hasClassColumn {
            let name = try rows("SELECT \"class\" FROM \(source) WHERE \(isSought)", [value], limit: 1).rows.first?[0]
            guard let name else { return nil }
            own = name.text.flatMap { classes.descriptions[$0] } ?? description
        }
        let properties = own.properties.filter(\.hasColumn)
        let columns = ["\"id\"" as SQL] + properties.map { isWhole ? "\(name: $0.storage)" : shown($0) }
        let row = try rows("SELECT \(list: columns) FROM \(source) WHERE \(isSought)", [value], limit: 1).rows.first
        guard let row, case .integer(let id) = row[0] else { return nil }
        let values = Dictionary(zip(properties.map(\.name), row.dropFirst().map(InspectedFile.shown))) { first, _ in
            first
        }
        return StoredObject(description: own, id: id, values: values)
    }

    /// An object as the value of a reference: its class, its id, and its key or first string.
    func title(of id: Int64, _ className: String) throws -> String {
        guard let description = classes.descriptions[className] else { return "\(className) #\(id)" }
        guard let object = try object(description, id: id, isWhole: false) else {
            return "\(className) #\(id), which does not exist"
        }
        guard let named = object.description.titleProperty, case .text(let text)? = object.values[named.name],
            !text.isEmpty
        else { return object.name }
        return "\(object.name) \"\(VisibleText.of(text, 60))\""
    }

    /// The tables and columns in which other objects refer to objects of a class.
    func links(to description: ClassDescription) -> [StoredLink] {
        var links: [StoredLink] = []
        for aClass in sortedClasses {
            let inherited = aClass.superclass.flatMap { classes.descriptions[$0] }?.properties.map(\.name) ?? []
            for property in aClass.properties where property.kind != .inverse && !inherited.contains(property.name) {
                guard let target = property.target, classes.isClass(description.name, target) else { continue }
                links.append(StoredLink(owner: aClass, property: property))
            }
        }
        return links
    }
}

/// A reference, or a collection of objects, and the class that has it.
struct StoredLink {
    let owner: ClassDescription
    let property: PropertyDescription

    /// The property as an inverse names it, `\Person.employer`.
    var path: String { "\\\(owner.name).\(property.name)" }

    /// The ids of the objects that refer to an object, for a statement with the object's id as its value.
    var owners: SQL {
        if property.kind == .reference {
            return "SELECT \"id\" FROM \(name: owner.table) WHERE \(name: property.storage) = ?"
        }
        let table = "\(owner.table)_\(property.storage)"
        return "SELECT DISTINCT \"owner_id\" FROM \(name: table) WHERE \"value_id\" = ?"
    }
}
