internal import Foundation
internal import PersistentObjects
internal import StoreEngine

/// Writes one statement to a store. A file is copied before.
struct FileWriter {
    let path: String

    /// What happened to the copy of the file.
    enum Copy {
        case made(String)
        case kept(String)
        /// The store is on a server.
        case none
    }

    /// Runs a statement in a transaction, which is rolled back unless the statement changes one row of its table.
    ///
    /// - Parameters:
    ///   - object: The object that the statement changes.
    ///   - didCopy: Called before anything is written.
    func run(
        _ sql: SQL, _ values: [DatabaseValue], _ object: StoredObject, didCopy: (Copy) throws -> Void = { _ in }
    ) throws {
        do {
            let connection: any Connection
            if let server = try Store.serverConnection(path, timeout: Bounds.time, writes: true) {
                connection = server
                try didCopy(.none)
            } else {
                connection = try copied(didCopy)
            }
            try connection.begin()
            do {
                let statement = try connection.statement(sql)
                defer { statement.finish() }
                statement.beginBinding()
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
        } catch let error as StoreError { throw located(error, object) }
    }

    /// The error with the object, and with the properties in place of their columns.
    private func located(_ error: StoreError, _ object: StoredObject) -> InspectorError {
        guard let constraint = error.constraint, constraint.kind == .unique else {
            return InspectorError(error, path: ServerAddress.shown(path))
        }
        let columns = Set(constraint.columns.map { $0.lowercased() })
        let names = object.description.properties.filter { columns.contains($0.storage.lowercased()) }.map(\.name)
        let place = names.isEmpty ? object.name : "\(object.name).\(names.joined(separator: ", "))"
        return InspectorError(
            "\(place): another object has the value, which must be unique. Nothing was written. Choose another value.")
    }

    /// A connection to the file, after the file was copied.
    private func copied(_ didCopy: (Copy) throws -> Void) throws -> any Connection {
        let full = InspectedFile.absolute(path)
        let journal = try InspectedFile(path).connection.upkeep().facts().journal ?? .wal
        let options = ConnectionOptions(file: FileSettings(journal: journal))
        let connection = try SQLiteEngine().connect(.file(path: full), options: options, expecting: nil)
        let copy = full + ".before-edit"
        if FileManager.default.fileExists(atPath: copy) {
            try didCopy(.kept(copy))
        } else {
            let request = CopyRequest(path: copy, replaces: false, permissions: 0o600)
            try connection.upkeep().copy(request) { _ in }
            try didCopy(.made(copy))
        }
        return connection
    }
}
