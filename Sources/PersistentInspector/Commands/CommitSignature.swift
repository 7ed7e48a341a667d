internal import Foundation
internal import PersistentObjects
internal import StoreEngine

/// Notices that a store may have changed, without reading its objects.
struct CommitSignature {
    private let path: String
    /// Nil for a server.
    private var file: FileSignature?
    /// The session on a server; nil if it must be opened.
    private var server: (any Connection)?
    private var version: Int64?

    /// - Parameter path: The path of the file, or the address of a server.
    init(_ path: String) {
        self.path = path
        // A server that cannot be reached now is a change later.
        if ServerAddress.isAddress(path) { _ = try? isServerChanged() } else { file = FileSignature(path) }
    }

    /// The seconds between two looks. On a server, commits of other databases are noticed, too.
    var interval: TimeInterval { file == nil ? 1 : 0.25 }

    /// Whether the store may have changed since the last look.
    mutating func isChanged() throws -> Bool {
        guard let file else { return try isServerChanged() }
        let current = FileSignature(path)
        self.file = current
        return current != file
    }

    private mutating func isServerChanged() throws -> Bool {
        do {
            let connection = try server ?? Store.serverConnection(path, timeout: Bounds.time)
            server = connection
            let current = try connection?.polledDataVersion(waits: false)
            defer { version = current }
            return current != version
        } catch {
            // Commits may be missed until the next session is open.
            (server, version) = (nil, nil)
            throw error
        }
    }
}

/// The sizes and times of a file and its log.
struct FileSignature: Equatable {
    private let parts: [String]

    init(_ path: String) {
        let path = URL(filePath: path).resolvingSymlinksInPath().path(percentEncoded: false)
        parts = ["", "-wal"].map { suffix in
            let attributes = try? FileManager.default.attributesOfItem(atPath: path + suffix)
            // Reading a file can create an empty log for this time.
            guard let size = attributes?[.size] as? Int, size > 0 else { return "" }
            let time = (attributes?[.modificationDate] as? Date)?.timeIntervalSinceReferenceDate
            return "\(size) \(time ?? 0) \(attributes?[.systemFileNumber] ?? 0)"
        }
    }
}
