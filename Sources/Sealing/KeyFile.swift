internal import StoreEngine

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// A keyring file on the disk: read as a whole, and replaced as a whole, so that it is complete at every moment.
struct KeyFile: Sendable {
    let path: String

    /// What identifies a version of the file.
    struct Version: Equatable {
        let number: UInt64
        let seconds: Int
        let nanoseconds: Int
    }

    /// The version of the current file; nil if there is none.
    var version: Version? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        return Version(
            number: UInt64(truncatingIfNeeded: status.st_ino), seconds: Int(time.tv_sec),
            nanoseconds: Int(time.tv_nsec))
    }

    /// Reads the file; nil if there is none.
    func read() throws(StoreError) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            guard errno != ENOENT else { return nil }
            throw failure(.cannotOpen, "cannot be read")
        }
        defer { _ = close(file) }
        return try read(file)
    }

    private func read(_ file: Int32) throws(StoreError) -> [UInt8] {
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw StoreError(.cannotOpen, "The keyring \(path) is not a file")
        }
        guard status.st_mode & 0o077 == 0 else {
            throw StoreError(
                .misuse, "Other users may access the keyring \(path). Run: chmod 600, and consider its keys known")
        }
        // A keyring has some hundred bytes.
        var bytes = [UInt8](repeating: 0, count: min(Int(status.st_size), 1 << 20))
        var count = 0
        while count < bytes.count {
            let part = bytes.withUnsafeMutableBytes {
                pread(file, $0.baseAddress.map { $0 + count }, $0.count - count, off_t(count))
            }
            guard part > 0 else { throw failure(.inputOutput, "cannot be read") }
            count += part
        }
        return bytes
    }

    /// Creates the file unless it exists; returns whether it was created.
    func create(_ bytes: [UInt8]) throws(StoreError) -> Bool {
        let partial = try writePartial(bytes)
        defer { _ = unlink(partial) }
        // A link does not replace a file that another process creates at the same moment.
        guard link(partial, path) == 0 else {
            guard errno == EEXIST else { throw failure(.cannotOpen, "cannot be created") }
            return false
        }
        synchronizeFolder()
        return true
    }

    /// Replaces the file while no other process does.
    func replace(_ body: ([UInt8]) throws -> [UInt8]) throws {
        let file = try lock()
        defer { _ = close(file) }
        let partial = try writePartial(body(try read(file)))
        guard rename(partial, path) == 0 else {
            let error = failure(.inputOutput, "cannot be replaced")
            unlink(partial)
            throw error
        }
        synchronizeFolder()
    }

    /// Locks the current file. The file that was locked may have been replaced meanwhile.
    private func lock() throws(StoreError) -> Int32 {
        while true {
            let file = open(path, O_RDWR | O_CLOEXEC)
            guard file >= 0 else { throw failure(.cannotOpen, "cannot be opened") }
            var (locked, current) = (stat(), stat())
            while flock(file, LOCK_EX) != 0 && errno == EINTR {}
            if fstat(file, &locked) == 0, stat(path, &current) == 0, locked.st_ino == current.st_ino { return file }
            _ = close(file)
        }
    }

    private func writePartial(_ bytes: [UInt8]) throws(StoreError) -> String {
        let partial = "\(path).partial-\(String(UInt64.random(in: .min ... .max), radix: 36))"
        let file = open(partial, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failure(.cannotOpen, "cannot be written") }
        defer { _ = close(file) }
        guard write(file, bytes, bytes.count) == bytes.count, fsync(file) == 0 else {
            let error = failure(errno == ENOSPC ? .diskFull : .inputOutput, "cannot be written")
            unlink(partial)
            throw error
        }
        return partial
    }

    private func synchronizeFolder() {
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let file = open(folder, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        fsync(file)
        _ = close(file)
    }

    private func failure(_ code: StoreError.Code, _ problem: String) -> StoreError {
        StoreError(code, "The keyring \(path) \(problem): \(String(cString: strerror(errno)))")
    }
}
