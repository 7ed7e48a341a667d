import Foundation

/// A folder of this process, in memory where the system has that: a killed process and a power cut that is replayed need
/// no disk.
struct Scratch {
    let path: String

    init() throws {
        let root = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : FileManager.default.temporaryDirectory.path
        // The observer sees paths without links.
        guard let real = realpath(root, nil) else { throw Failure("no folder \(root)") }
        defer { free(real) }
        path = String(cString: real) + "/endurance-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    func remove() { try? FileManager.default.removeItem(atPath: path) }

    /// A folder inside that is empty.
    func folder(_ name: String) throws -> String {
        let folder = path + "/" + name
        try? FileManager.default.removeItem(atPath: folder)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        return folder
    }
}
