internal import Foundation
package import PersistentObjects
internal import StoreEngine

/// Changes the objects of a store through the program's classes in a separate session. Validations, hooks and delete
/// rules run, and each edit can be undone.
package final class StoreEditor: InspectorEditor, @unchecked Sendable {  // the session is used under the lock
    private let store: Store
    private let path: String
    // Objects of the session do not leave the closures that use it.
    private let lock = NSLock()
    private var session: Session?

    package init(_ store: Store, path: String) {
        self.store = store
        self.path = path
    }

    package var remark: String? { nil }
    package var creates: Bool { true }
    package var undoName: String? { lock.withLock { session?.undoName } }

    private func withSession<R>(_ body: (Session) throws -> R) throws -> R {
        lock.lock()
        defer { lock.unlock() }
        let current = try session ?? Session(store)
        if session == nil {
            current.author = "inspector"
            current.recordsUndo = true
            session = current
        }
        do { return try current.use { try body(current) } } catch let error as InspectorError { throw error } catch {
            throw InspectorError("\(error)")
        }
    }

    package func save(_ change: ObjectChange) throws {
        let file = try InspectedFile(path)
        let stored = try file.object(file.description(of: change.className), "\(change.id)")
        try change.check(stored)
        let values = try change.fields.map { try (name: $0.name, json: json($0, stored.description, file)) }
        guard !values.isEmpty else { return }
        try withSession { session in
            guard let object = try type(named: stored.description.name).find(change.id) else {
                throw InspectorError("\(stored.name) does not exist any more.")
            }
            do {
                try set(values, of: object)
                try session.undoGroup("Change of \(stored.name)") { try object.save() }
            } catch {
                object.revert()
                throw error
            }
        }
    }

    package func create(_ change: ObjectChange) throws -> Int64 {
        let file = try InspectedFile(path)
        let description = try file.description(of: change.className)
        let values = try change.fields.map { try (name: $0.name, json: json($0, description, file)) }
        return try withSession { session in
            let map = try ClassMap.map(of: type(named: change.className))
            let object = try map.newObject()
            try set(values, of: object)
            try session.undoGroup("New \(change.className)") { try object.save() }
            return object.id ?? 0
        }
    }

    package func delete(_ className: String, _ id: Int64, seen: String) throws {
        let file = try InspectedFile(path)
        let stored = try file.object(file.description(of: className), "\(id)")
        guard stored.state == seen else {
            throw InspectorError("\(stored.name) was changed meanwhile. Nothing was deleted.")
        }
        try withSession { session in
            guard let object = try type(named: stored.description.name).find(id) else { return }
            try session.undoGroup("Deletion of \(stored.name)") { try object.delete() }
        }
    }

    package func undo() throws { _ = try withSession { try $0.undo() } }

    /// The class of the program.
    private func type(named name: String) throws -> PersistentObject.Type {
        guard let found = store.programClass(named: name) else {
            throw InspectorError("The program has not used its class \(name) yet, so it cannot be edited here.")
        }
        return found
    }

    private func set(_ values: [(name: String, json: JSONValue)], of object: PersistentObject) throws {
        let state = ObjectState(object)
        let map = try ClassMap.map(of: Swift.type(of: object))
        let names = Set(values.filter { $0.json != .null }.map(\.name))
        for (name, json) in values {
            guard let ordinal = map.ordinal(of: name) else {
                throw InspectorError("The program's class \(map.name) has no property \(name).")
            }
            if let reason = state.refusal(of: ordinal, isNil: json == .null, map, names) {
                throw InspectorError("\(map.name).\(name): \(reason).")
            }
            do {
                try state.set(map.properties[ordinal], json: json) { type, link in
                    guard let found = try ObjectState.linked(type, link) else {
                        throw InspectorError("There is no such object of \(type).")
                    }
                    return found
                }
            } catch let error as InspectorError { throw error } catch {
                throw InspectorError("\(map.name).\(name): \(error)")
            }
        }
    }

    /// The value of a field as JSON, in which the program's classes read it.
    private func json(
        _ field: ObjectChange.Field, _ description: ClassDescription, _ file: InspectedFile
    ) throws -> JSONValue {
        guard let property = description.properties.first(where: { $0.name == field.name }) else {
            throw InspectorError("\(description.name) has no property \(field.name).")
        }
        guard let text = field.text else { return .null }
        switch property.kind {
        case .value:
            do { return try JSONReader.value(of: Array(text.utf8)[...]) } catch {
                throw InspectorError("\(description.name).\(property.name): this is not valid JSON.")
            }
        case .reference:
            guard let target = property.target.flatMap({ file.classes.descriptions[$0] }) else { return .null }
            let object = try file.object(target, text)
            guard target.hasKey else { return .number("\(object.id)") }
            return ValueText.json(object.values["key"] ?? .null, type: target.identity == "uuid" ? "UUID" : nil)
        default:
            let literal = FinderText.literal(text, property)
            do {
                let value = try file.classes.stored(literal, property.name, of: description.name)
                return ValueText.json(value, type: property.shownType)
            } catch let error as StoreError { throw InspectorError("\(error)") }
        }
    }
}
