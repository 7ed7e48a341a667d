import Foundation

/// A temporary folder of this process, in memory if the system supports it. Neither a kill nor a simulated power cut
/// needs a disk.
struct Scratch {
    let path: String

    init() throws {
        let root = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : FileManager.default.temporaryDirectory.path
        // The observer receives paths without symbolic links.
        guard let real = realpath(root, nil) else { throw Failure("no folder \(root)") }
        defer { free(real) }
        path = String(cString: real) + "/endurance-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    func remove() { try? FileManager.default.removeItem(atPath: path) }

    /// Creates an empty subfolder, and returns its path.
    func folder(_ name: String) throws -> String {
        let folder = path + "/" + name
        try? FileManager.default.removeItem(atPath: folder)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        return folder
    }
}
