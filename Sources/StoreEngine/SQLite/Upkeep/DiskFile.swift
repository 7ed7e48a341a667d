#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Operations of the file system on files that SQLite does not have open.
enum DiskFile {
    /// The target of a symbolic link: the target is replaced, not the link.
    static func withoutLinks(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }

    /// The folder of a file.
    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Waits until a file, or the names in a folder, are on the disk.
    static func synchronize(_ path: String) throws(StoreError) {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        defer { if file >= 0 { _ = DiskFile.close(file) } }
        #if canImport(Darwin)
            // `fsync` alone does not make the drive write its cache.
            let isDone = file >= 0 && (fcntl(file, F_FULLFSYNC) == 0 || fsync(file) == 0)
        #else
            let isDone = file >= 0 && fsync(file) == 0
        #endif
        guard isDone else {
            throw StoreError(
                .inputOutput, "The copy cannot be flushed to disk at \(path): \(StoreLocation.systemMessage(errno))")
        }
    }

    /// Renames a file, which replaces another in one step.
    static func move(_ path: String, to target: String) throws(StoreError) {
        guard rename(path, target) == 0 else {
            throw StoreError(
                .inputOutput, "The copy cannot be moved to \(target): \(StoreLocation.systemMessage(errno))")
        }
        // If the name is not on the disk yet, the copy still exists.
        try? synchronize(folder(of: target))
    }

    /// Overwrites a file that no longer has a name with zeros, as far as the file system allows.
    static func overwrite(_ file: Int32) {
        var status = stat()
        guard file >= 0, fstat(file, &status) == 0 else { return }
        let zeros = [UInt8](repeating: 0, count: 1 << 20)
        var offset = 0
        while offset < Int(status.st_size) {
            let count = pwrite(file, zeros, min(zeros.count, Int(status.st_size) - offset), off_t(offset))
            guard count > 0 else { break }
            offset += count
        }
        fsync(file)
    }

    static func close(_ file: Int32) -> Int32 {
        #if canImport(Darwin)
            Darwin.close(file)
        #elseif canImport(Glibc)
            Glibc.close(file)
        #else
            Musl.close(file)
        #endif
    }
}
