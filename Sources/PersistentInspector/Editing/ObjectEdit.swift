// Editing: changes of objects and their effects. It knows files, and must know neither commands nor pages.

internal import PersistentObjects
internal import StoreEngine

/// New values of an object, checked against the file's description.
struct ObjectEdit {
    /// One property with its old and its new value.
    struct Assignment {
        let property: PropertyDescription
        let old: DatabaseValue
        let new: DatabaseValue
    }

    let object: StoredObject
    let assignments: [Assignment]
    /// The comparison in which nil equals nil.
    private let isSame: SQL

    /// - Parameter values: The names of properties with the texts of their new values.
    init(_ object: StoredObject, _ values: [(name: String, text: String)], in file: InspectedFile) throws {
        self.object = object
        isSame = file.connection.dialect.isSame
        let isOwn =
            try file.isOnServer
            || file.connection.value("PRAGMA application_id") == .integer(SQLiteConnection.applicationID)
        guard isOwn else {
            throw InspectorError("\(file.path) belongs to another program. Change it with that program.")
        }
        var seen: Set<String> = []
        assignments = try values.map { name, text in
            guard seen.insert(name).inserted else { throw InspectorError("\(name) is set twice.") }
            let property = try ObjectEdit.property(name, of: object)
            let new = try ObjectEdit.value(text, property, object.description, file)
            if new == .null, object.description.optionalEmbedding(of: property) != nil {
                throw InspectorError(
                    "\(object.description.name).\(name) cannot be set to nil here, because the file does not record "
                        + "whether the field can be nil.")
            }
            return Assignment(property: property, old: object.values[name] ?? .null, new: new)
        }
    }

    /// A property that can be changed without its program.
    private static func property(_ name: String, of object: StoredObject) throws -> PropertyDescription {
        let aClass = object.description
        guard let property = aClass.properties.first(where: { $0.name == name }) else {
            let names = aClass.properties.filter { $0.kind == .scalar || $0.kind == .reference }.map(\.name)
            throw InspectorError(
                "\(aClass.name) has no property \(name). Its properties are \(InspectedFile.list(names)).")
        }
        if let reason = refusal(of: property, in: aClass) ?? refusal(of: property, embeddedIn: object) {
            throw InspectorError("\(aClass.name).\(name) cannot be edited here, because \(reason).")
        }
        return property
    }

    /// The reason that a property cannot be changed without its program; nil if it can.
    static func refusal(of property: PropertyDescription, in aClass: ClassDescription) -> String? {
        switch property.kind {
        case .scalar where property.name == "key" && aClass.hasKey: "it is the key of the object"
        case .scalar where property.isEncrypted: "the values are encrypted"
        case .scalar, .reference: nil
        case .array, .set, .dictionary: "it is a collection"
        case .inverse: "it is an inverse, which is derived from other objects"
        case .value: "only its program can encode a value of type \(property.type)"
        }
    }

    /// The reason that a field of an optional embedded value cannot be changed without its program; nil if it can.
    static func refusal(of property: PropertyDescription, embeddedIn object: StoredObject) -> String? {
        guard let embedding = object.description.optionalEmbedding(of: property) else { return nil }
        if property.name == embedding.presence.name {
            return "it marks whether \(embedding.name) is nil, and only its program can make or remove the value"
        }
        let isNil = object.values[embedding.presence.name] == .null
        return isNil ? "\(embedding.name) is nil, and only its program can make the value" : nil
    }

    /// The value of a column for a text.
    static func value(
        _ text: String, _ property: PropertyDescription, _ description: ClassDescription, _ file: InspectedFile
    ) throws -> DatabaseValue {
        // A string needs no quotation marks, and neither do the digits of bytes.
        let literal = (try? FinderText.value(text)) ?? .text(text)
        let isText =
            !["nil", "\"", "'"].contains { text.hasPrefix($0) }
            && (property.columnType == "TEXT" || property.columnType == "BLOB")
        let new: DatabaseValue
        do {
            new = try file.classes.stored(isText ? .text(text) : literal, property.name, of: description.name)
        } catch let error as StoreError { throw InspectorError("\(error)") }
        if case .integer(let id) = new, property.kind == .reference, let target = property.target,
            let description = file.classes.descriptions[target]
        {
            guard try file.object(description, id: id) != nil else {
                throw InspectorError("\(file.path) has no \(target) #\(id).")
            }
        }
        return new
    }

    /// The update, which changes the row only if it still has the old values.
    var sql: SQL {
        let count = assignments.count
        let sets = assignments.enumerated().map { index, assignment in
            "\(name: assignment.property.storage) = \(placeholder: index + 1)" as SQL
        }
        let conditions = assignments.enumerated().map { index, assignment in
            "\(name: assignment.property.storage) \(isSame) \(placeholder: count + 2 + index)" as SQL
        }
        return """
            UPDATE \(name: object.description.table) SET \(list: sets) \
            WHERE "id" = \(placeholder: count + 1) AND \(list: conditions, separator: " AND ")
            """
    }

    /// The values of the update's placeholders.
    var values: [DatabaseValue] { assignments.map(\.new) + [.integer(object.id)] + assignments.map(\.old) }
}
