public import Foundation

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Removes the permission to write files and folders, even for root.
public enum FileAccess {
    /// Whether `withoutWriting` works here. As root, it needs a file system with immutable files.
    public static let canRemoveWriting: Bool = {
        let probe = FileManager.default.temporaryDirectory.appending(path: "po-probe-\(UUID().uuidString)")
        let path = probe.path(percentEncoded: false)
        guard FileManager.default.createFile(atPath: path, contents: nil) else { return false }
        defer { try? FileManager.default.removeItem(at: probe) }
        return (try? withoutWriting(path) { open(path, O_WRONLY) == -1 }) ?? false
    }()

    /// Calls `body` while a file or folder cannot be written.
    public static func withoutWriting<R>(_ path: String, _ body: () throws -> R) throws -> R {
        try setWritable(path, false)
        defer { try? setWritable(path, true) }
        return try body()
    }

    private static func setWritable(_ path: String, _ isWritable: Bool) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            geteuid() == 0 ? ["chattr", isWritable ? "-i" : "+i", path] : ["chmod", isWritable ? "u+w" : "u-w", path]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.fileWriteNoPermission) }
    }
}

/// The files in a folder that this process has open; nil if the system does not report them.
public func openFiles(in folder: URL) -> [String]? {
    let descriptors = "/proc/self/fd"
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: descriptors) else { return nil }
    let start = folder.path(percentEncoded: false)
    return names.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "\(descriptors)/\($0)") }
        .filter { $0.hasPrefix(start) }
}
