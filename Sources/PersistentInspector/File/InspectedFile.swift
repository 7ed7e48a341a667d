// File: one file that is opened without changing it, its classes, and rows of its tables within limits. It knows the
// tables in which a file describes itself, and must not know commands or the form of the output.

internal import Foundation
internal import PersistentObjects
internal import StoreEngine

/// A file that is being inspected. It is closed when the object is released, and stays unchanged.
final class InspectedFile {
    /// The kind of program that wrote the file.
    enum Origin: Equatable {
        /// This library, with a description of the classes.
        case store
        /// This library, without a description of any class.
        case undescribedStore
        /// Another program.
        case foreign
    }

    /// The path, or the address of a server without its password.
    let path: String
    let connection: any Connection
    let origin: Origin
    /// The version of the file format; 0 for a file of another program.
    let format: Int64
    let classes: DescribedClasses
    private let descriptions: [ClassDescription]

    /// - Parameter isLimited: Whether statements have a time limit.
    init(_ path: String, isLimited: Bool = true) throws {
        self.path = ServerAddress.shown(path)
        if let server = try InspectedFile.server(path, isLimited) {
            (connection, format) = (server, 0)
            do {
                descriptions = try DescriptionReader(connection).classes()
            } catch let error as StoreError { throw InspectorError("\(error)") }
            origin = descriptions.isEmpty ? .undescribedStore : .store
            classes = DescribedClasses.classes(descriptions)
            return
        }
        try InspectedFile.check(path)
        do {
            connection = try InspectedFile.connect(path, isLimited)
            let (owner, version) = (
                try connection.value("PRAGMA application_id"), try connection.value("PRAGMA user_version")
            )
            let isStore = owner == .integer(SQLiteConnection.applicationID)
            format = if isStore, case .integer(let version)? = version { version } else { 0 }
            descriptions = try DescriptionReader(connection).classes()
            origin = !descriptions.isEmpty ? .store : isStore ? .undescribedStore : .foreign
            classes = DescribedClasses.classes(descriptions)
        } catch let error as StoreError { throw InspectorError(error, path: path) }
    }

    /// Whether the store is on a server.
    var isOnServer: Bool { !connection.capabilities.contains(.upkeep) }

    /// A read-only session on a server; nil for the path of a file.
    private static func server(_ path: String, _ isLimited: Bool) throws -> (any Connection)? {
        do { return try Store.serverConnection(path, timeout: isLimited ? Bounds.time : nil) } catch let error
            as StoreError
        {
            guard error.code == .unsupported, error.message.contains("built without") else {
                throw InspectorError("\(error)")
            }
            throw InspectorError(
                "This build cannot open a server. Build it with: swift build --traits PostgreSQL --product persistent.")
        }
    }

    private static func connect(_ path: String, _ isLimited: Bool) throws -> any Connection {
        var options = ConnectionOptions(
            queryTimeout: isLimited ? Bounds.time : nil, file: FileSettings(cacheSize: 16 << 20, isReadOnly: true))
        options.leavesNoTrace = true
        return try SQLiteEngine().connect(.file(path: absolute(path)), options: options, expecting: nil)
    }

    static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    }

    /// Finds problems before SQLite, which would report them in other words.
    private static func check(_ path: String) throws {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw InspectorError("\(path) does not exist.")
        }
        guard !isFolder.boolValue else { throw InspectorError("\(path) is a folder, not a file.") }
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        guard attributes?[.size] as? Int != 0 else {
            throw InspectorError("\(path) is empty. A program creates its tables when it first uses a class.")
        }
    }

    /// The classes in the order of their names.
    var sortedClasses: [ClassDescription] { descriptions.sorted { $0.name < $1.name } }

    /// The description of a class.
    func description(of name: String) throws -> ClassDescription {
        if let found = classes.descriptions[name] { return found }
        guard origin == .store else { throw InspectorError(noDescription) }
        let folded = name.lowercased()
        let near = sortedClasses.map(\.name).filter { other in
            other.lowercased().hasPrefix(folded.prefix(3)) || folded.hasPrefix(other.lowercased())
        }
        let names = near.isEmpty ? sortedClasses.map(\.name) : near
        throw InspectorError("\(path) has no class \(name). Its classes are \(InspectedFile.list(names)).")
    }

    /// The reason that there are no classes.
    var noDescription: String {
        if isOnServer {
            return "\(path) has no tables that describe classes in the first schema of its search_path. Open it once "
                + "with its program, or use the command sql."
        }
        return origin == .foreign
            ? "\(path) was not written by PersistentObjects, so it does not describe classes. Use the command sql."
            : "\(path) does not describe its classes, because its format is \(format). Open it once with its program, "
                + "which adds the description, or use the command sql."
    }

    static func list(_ names: [String]) -> String {
        names.prefix(20).joined(separator: ", ") + (names.count > 20 ? " and \(names.count - 20) more" : "")
    }
}
