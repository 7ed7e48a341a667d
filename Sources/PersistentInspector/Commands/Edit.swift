internal import Foundation
internal import PersistentObjects
internal import StoreEngine

/// A change of one object's values, which is written only with `--yes`.
enum Edit {
    /// One property with its old and its new value.
    private struct Assignment {
        let property: PropertyDescription
        let old: DatabaseValue
        let new: DatabaseValue
    }

    static func run(_ call: CommandCall) throws -> Bool {
        let (object, assignments) = try assignments(call)
        let sql = statement(object, assignments)
        for assignment in assignments {
            let property = assignment.property
            func text(_ value: DatabaseValue) -> String { ValueText.quoted(value, type: property.shownType) }
            try call.write("\(object.name).\(property.name): \(text(assignment.old)) → \(text(assignment.new))")
        }
        try call.write(sql.text)
        guard call.has("--yes") else {
            try call.write("Nothing was changed. Add --yes to write")
            return false
        }
        try write(sql, object, assignments, call)
        try call.write("Written. The program's validations and hooks did not run")
        return false
    }

    private static func assignments(_ call: CommandCall) throws -> (StoredObject, [Assignment]) {
        let file = try call.file()
        let object = try file.object(file.description(of: call.words[0]), call.words[1])
        guard try file.connection.value("PRAGMA application_id") == .integer(SQLiteConnection.applicationID) else {
            throw InspectorError("\(file.path) belongs to another program. Change it with that program.")
        }
        var seen: Set<String> = []
        let assignments = try call.words[2...].map { word in
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2 else {
                throw InspectorError("A new value is written as PROPERTY=VALUE, not \(word).")
            }
            guard seen.insert(parts[0]).inserted else { throw InspectorError("\(parts[0]) is set twice.") }
            let property = try property(parts[0], of: object)
            let new = try value(parts[1], property, object, file)
            return Assignment(property: property, old: object.values[property.name] ?? .null, new: new)
        }
        return (object, assignments)
    }

    /// A property that can be changed here.
    private static func property(_ name: String, of object: StoredObject) throws -> PropertyDescription {
        let aClass = object.description
        guard let property = aClass.properties.first(where: { $0.name == name }) else {
            let names = aClass.properties.filter { $0.kind == .scalar || $0.kind == .reference }.map(\.name)
            throw InspectorError(
                "\(aClass.name) has no property \(name). Its properties are \(InspectedFile.list(names)).")
        }
        let reason: String?
        switch property.kind {
        case .scalar where name == "key" && aClass.hasKey: reason = "it is the key of the object"
        case .scalar, .reference: reason = nil
        case .array, .set, .dictionary: reason = "it is a collection"
        case .inverse: reason = "it is an inverse, which is derived from other objects"
        case .value: reason = "only its program can encode a value of type \(property.type)"
        }
        if let reason { throw InspectorError("\(aClass.name).\(name) cannot be edited here, because \(reason).") }
        return property
    }

    private static func value(
        _ text: String, _ property: PropertyDescription, _ object: StoredObject, _ file: InspectedFile
    ) throws -> DatabaseValue {
        // A string needs no quotation marks.
        let literal = (try? FinderText.value(text)) ?? .text(text)
        let isText = !["nil", "\"", "'"].contains { text.hasPrefix($0) } && property.columnType == "TEXT"
        let new: DatabaseValue
        do {
            new = try file.classes.stored(isText ? .text(text) : literal, property.name, of: object.description.name)
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
    private static func statement(_ object: StoredObject, _ assignments: [Assignment]) -> SQL {
        let count = assignments.count
        let sets = assignments.enumerated().map { index, assignment in
            "\(name: assignment.property.storage) = \(placeholder: index + 1)" as SQL
        }
        let conditions = assignments.enumerated().map { index, assignment in
            "\(name: assignment.property.storage) IS \(placeholder: count + 2 + index)" as SQL
        }
        return """
            UPDATE \(name: object.description.table) SET \(list: sets) \
            WHERE "id" = \(placeholder: count + 1) AND \(list: conditions, separator: " AND ")
            """
    }

    private static func write(
        _ sql: SQL, _ object: StoredObject, _ assignments: [Assignment], _ call: CommandCall
    ) throws {
        let path = InspectedFile.absolute(call.path)
        do {
            let journal = try call.file().connection.upkeep().facts().journal ?? .wal
            let options = ConnectionOptions(file: FileSettings(journal: journal))
            let connection = try SQLiteEngine().connect(.file(path: path), options: options, expecting: nil)
            let copy = path + ".before-edit"
            if FileManager.default.fileExists(atPath: copy) {
                try call.write("The earlier copy \(copy) is kept")
            } else {
                let request = CopyRequest(path: copy, replaces: false, permissions: 0o600)
                try connection.upkeep().copy(request) { _ in }
                try call.write("The file was copied to \(copy)")
            }
            try connection.begin()
            do {
                let statement = try connection.statement(sql)
                defer { statement.finish() }
                statement.beginBinding()
                let values =
                    assignments.map(\.new) + [.integer(object.id)] + assignments.map(\.old)
                for (index, value) in values.enumerated() { try statement.bind(value, at: Int32(index) + 1) }
                try statement.run()
                guard connection.changedRowCount == 1 else {
                    throw InspectorError("\(object.name) was changed meanwhile. Nothing was written.")
                }
                try connection.commit()
            } catch {
                connection.rollback()
                throw error
            }
        } catch let error as StoreError { throw InspectorError(error, path: call.path) }
    }
}
