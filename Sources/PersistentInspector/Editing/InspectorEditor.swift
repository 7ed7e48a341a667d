internal import PersistentObjects
internal import StoreEngine

/// Changes objects for the pages of the browser.
package protocol InspectorEditor: Sendable {
    /// What a user must know about the effects of edits; nil for nothing.
    var remark: String? { get }
    /// Whether new objects can be created.
    var creates: Bool { get }
    /// The name of the edit that `undo()` would undo; nil if there is none.
    var undoName: String? { get }

    /// Writes the changed values of an object.
    func save(_ change: ObjectChange) throws
    /// Creates an object, and returns its id.
    func create(_ change: ObjectChange) throws -> Int64
    /// Deletes an object that still has the values that its page has shown.
    func delete(_ className: String, _ id: Int64, seen: String) throws
    func undo() throws
}

/// The fields of a form about an object.
package struct ObjectChange: Sendable {
    package struct Field: Sendable {
        let name: String
        /// The text of the new value; nil for nil.
        let text: String?
        /// The fingerprint of the value that the form has shown; empty for a new object.
        let shown: String
    }

    let className: String
    /// 0 for a new object.
    let id: Int64
    /// The fields whose text differs from the value that the form has shown.
    let fields: [Field]
}

extension StoredObject {
    /// A short text that differs if any value of the object differs.
    var state: String {
        Fingerprint.of(
            values.keys.sorted().map { "\($0)=\(PlaceText.text(values[$0] ?? .null));" }.joined())
    }
}

extension ObjectChange {
    /// Throws if the object no longer has a value that the form has shown.
    func check(_ object: StoredObject) throws {
        for field in fields where Fingerprint.of(object.values[field.name] ?? .null) != field.shown {
            throw InspectorError("\(object.name) was changed meanwhile. Nothing was written.")
        }
    }
}

/// Changes the objects of a file without the classes of its program.
package struct FileEditor: InspectorEditor {
    private let path: String

    package init(path: String) { self.path = path }

    package var remark: String? {
        let copy =
            ServerAddress.isAddress(path)
            ? "A store on a server is not copied before an edit."
            : "Before the first edit, the file is copied to \(path.split(separator: "/").last ?? "").before-edit."
        return "The validations and hooks of the program do not run. \(copy)"
    }
    package var creates: Bool { false }
    package var undoName: String? { nil }

    package func save(_ change: ObjectChange) throws {
        guard let edit = try edit(change) else { return }
        try FileWriter(path: path).run(edit.sql, edit.values, edit.object)
    }

    /// The edit of a form; nil if nothing was changed. The file is closed afterwards, because reading a left-over log
    /// excludes writers.
    private func edit(_ change: ObjectChange) throws -> ObjectEdit? {
        let file = try InspectedFile(path)
        let object = try file.object(file.description(of: change.className), "\(change.id)")
        try change.check(object)
        let values = change.fields.map { field in
            // A string that looks like another value must stay this string.
            (name: field.name, text: field.text.map { FileEditor.text($0, field.name, object) } ?? "nil")
        }
        return values.isEmpty ? nil : try ObjectEdit(object, values, in: file)
    }

    private static func text(_ text: String, _ name: String, _ object: StoredObject) -> String {
        let property = object.description.properties.first { $0.name == name }
        guard property?.columnType == "TEXT", ["nil", "\"", "'"].contains(where: { text.hasPrefix($0) }) else {
            return text
        }
        return FinderText.text(.text(text))
    }

    package func create(_ change: ObjectChange) throws -> Int64 {
        throw InspectorError("Only its program can create a \(change.className).")
    }

    package func delete(_ className: String, _ id: Int64, seen: String) throws {
        let (sql, values, object) = try deletion(className, id, seen)
        try FileWriter(path: path).run(sql, values, object)
    }

    private func deletion(
        _ className: String, _ id: Int64, _ seen: String
    ) throws -> (sql: SQL, values: [DatabaseValue], object: StoredObject) {
        let file = try InspectedFile(path)
        let object = try file.object(file.description(of: className), "\(id)")
        guard object.state == seen else {
            throw InspectorError("\(object.name) was changed meanwhile. Nothing was deleted.")
        }
        if let refusal = try DeletionEffects(of: object, in: file).refusals.first { throw InspectorError(refusal) }
        let known = object.description.properties.filter { object.values[$0.name] != nil }
        let conditions = known.enumerated().map { index, property in
            "\(name: property.storage) \(file.connection.dialect.isSame) \(placeholder: index + 2)" as SQL
        }
        let isSame: SQL = conditions.isEmpty ? "" : " AND \(list: conditions, separator: " AND ")"
        let sql: SQL = "DELETE FROM \(name: object.description.table) WHERE \"id\" = ?1\(isSame)"
        let values = [.integer(object.id)] + known.map { object.values[$0.name] ?? .null }
        return (sql, values, object)
    }

    package func undo() throws {
        throw InspectorError("Edits without the program's classes cannot be undone. Use the copy of the file.")
    }
}
