public import Foundation

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// A folder that a service copies between devices, or that devices share.
///
/// Such services are iCloud Drive, Dropbox and Syncthing. Shared folders are on network volumes and memory sticks.
///
/// A group has the folders `log/<device>`, `members`, `snapshots` and `blobs`. A file is written under a temporary name,
/// synced and renamed, and never changed afterwards. Files with other names, conflicted copies, placeholders, empty files,
/// links and folders are not listed. A file that was cut short is listed, because a batch detects that itself.
///
/// ```swift
/// let sync = try Sync(store, through: .folder(url), device: "Joe's phone")
/// ```
public struct FolderTransport: SyncTransport {
    private static let suffix = ".posb"

    let root: URL

    /// Uses a folder, which is created when a device writes.
    public init(_ url: URL) { root = url.absoluteURL }

    package init(_ path: String) { self.init(URL(fileURLWithPath: path, isDirectory: true)) }

    /// Lists all files of a group, without a cursor.
    public func list(_ group: String, after cursor: String?) async throws -> SyncListing {
        try Task.checkCancellation()
        return SyncListing(try HexName.number(group).map { try entries(of: GroupID($0)) } ?? [])
    }

    /// Reads a file, or what a service has copied of it.
    public func read(_ entry: SyncEntry, from offset: Int) async throws -> [UInt8] {
        try Task.checkCancellation()
        let file = url(of: entry)
        return try reporting("read") {
            let handle = try FileHandle(forReadingFrom: file)
            defer { try? handle.close() }
            try handle.seek(toOffset: UInt64(max(0, offset)))
            return Array(try handle.readToEnd() ?? Data())
        }
    }

    /// Writes a file under a temporary name, syncs it, and gives it its name.
    public func write(_ entry: SyncEntry, _ bytes: [UInt8]) async throws {
        try Task.checkCancellation()
        let file = url(of: entry)
        let folder = file.deletingLastPathComponent()
        try reporting("written") {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        if try isWritten(bytes, to: file) { return }
        let partial = folder.appendingPathComponent(".\(entry.name).\(UInt64.random(in: .min ... .max)).partial")
        defer { try? FileManager.default.removeItem(at: partial) }
        try reporting("written") {
            try Data().write(to: partial, options: .withoutOverwriting)
            let handle = try FileHandle(forWritingTo: partial)
            defer { try? handle.close() }
            try handle.write(contentsOf: Data(bytes))
            try handle.synchronize()
        }
        try Task.checkCancellation()
        do {
            // A link does not replace a file that another device writes at the same time. Not all file systems have links.
            if link(partial.path, file.path) != 0 { try FileManager.default.moveItem(at: partial, to: file) }
        } catch {
            guard try isWritten(bytes, to: file) else { throw failure("written", error) }
        }
        synchronize(folder)
    }

    /// Removes a file.
    public func remove(_ entry: SyncEntry) async throws {
        let file = url(of: entry)
        try reporting("removed") {
            do {
                try FileManager.default.removeItem(at: file)
            } catch {
                // It was removed before, or another device has just removed it.
                if FileManager.default.fileExists(atPath: file.path) { throw error }
            }
        }
    }

    // MARK: Files

    private func url(of entry: SyncEntry) -> URL {
        folder(of: entry.groupID, entry.kind).appendingPathComponent(entry.name + Self.suffix)
    }

    func folder(of group: GroupID, _ kind: SyncEntry.Kind) -> URL {
        let folder = root.appendingPathComponent(HexName.text(group.number), isDirectory: true)
        return switch kind {
        case .log(let device):
            folder.appendingPathComponent("log", isDirectory: true)
                .appendingPathComponent(HexName.text(device.number), isDirectory: true)
        case .members: folder.appendingPathComponent("members", isDirectory: true)
        case .snapshots: folder.appendingPathComponent("snapshots", isDirectory: true)
        case .blobs: folder.appendingPathComponent("blobs", isDirectory: true)
        }
    }

    private func entries(of group: GroupID) throws(SyncError) -> [SyncEntry] {
        let log = folder(of: group, .log(DeviceID(0))).deletingLastPathComponent()
        let devices = try contents(of: log).compactMap { folder -> DeviceID? in
            HexName.number(folder.lastPathComponent).map { DeviceID($0) }
        }
        let kinds = devices.sorted().map { SyncEntry.Kind.log($0) } + [.members, .snapshots, .blobs]
        var entries: [SyncEntry] = []
        for kind in kinds {
            for file in try contents(of: folder(of: group, kind)) {
                guard file.lastPathComponent.hasSuffix(Self.suffix), let size = Self.size(of: file), size > 0
                else { continue }
                let name = String(file.lastPathComponent.dropLast(Self.suffix.count))
                if let entry = SyncEntry(group, kind, name: name, size: size) { entries.append(entry) }
            }
        }
        return entries
    }

    /// The visible contents of a folder, by name; none if the folder does not exist, or if it is a file.
    func contents(of folder: URL) throws(SyncError) -> [URL] {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder), isFolder.boolValue
        else { return [] }
        return try reporting("read") {
            try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.hasPrefix(".") }.sorted()
                .map { folder.appendingPathComponent($0) }
        }
    }

    /// The size of a regular file; nil for links and folders. (`resourceValues` also reads the list of users.)
    private static func size(of file: URL) -> Int? {
        var status = stat()
        guard lstat(file.path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }

    /// Whether a file exists with these bytes.
    private func isWritten(_ bytes: [UInt8], to file: URL) throws(SyncError) -> Bool {
        guard FileManager.default.fileExists(atPath: file.path) else { return false }
        let found = try reporting("read") { Array(try Data(contentsOf: file)) }
        guard found == bytes else {
            throw SyncError(
                .clonedDevice,
                "The file \(file.lastPathComponent) exists with other bytes, so it is damaged, or two devices use a copy "
                    + "of one file. It was not replaced. Reset the device")
        }
        return true
    }

    /// Makes a rename durable.
    private func synchronize(_ folder: URL) {
        let descriptor = open(folder.path, O_RDONLY)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    private func reporting<R>(_ verb: String, _ body: () throws -> R) throws(SyncError) -> R {
        do {
            return try body()
        } catch {
            throw failure(verb, error)
        }
    }

    private func failure(_ verb: String, _ error: any Error) -> SyncError {
        SyncError(
            .notReachable,
            "The folder \(root.lastPathComponent) cannot be \(verb): \(error.localizedDescription). Nothing was lost. "
                + "Check that it exists, and its permissions and space")
    }
}

extension SyncTransport where Self == FolderTransport {
    /// A folder that a service copies between devices, or that devices share.
    ///
    /// Files are written aside and renamed, and are never changed. Conflicted copies, placeholders and files of other
    /// programs are ignored.
    ///
    /// ```swift
    /// let sync = try Sync(store, through: .folder(url), device: "Joe's phone")
    /// ```
    public static func folder(_ url: URL) -> FolderTransport { FolderTransport(url) }
}
