package import Foundation

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// The file of a device's state, which only the user can read: it is locked for a round, and replaced as a whole.
package struct StateFile: Sendable {
    private let file: URL
    private let lockFile: URL

    package init(_ device: DeviceID, in folder: URL) {
        file = folder.appendingPathComponent("\(HexName.text(device.number)).json")
        lockFile = folder.appendingPathComponent("\(HexName.text(device.number)).lock")
    }

    /// The folder that programs use if they do not choose another one.
    package static var standardFolder: URL {
        #if canImport(Darwin)
            let base = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
        #else
            let state = ProcessInfo.processInfo.environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
            let base = state.map { URL(fileURLWithPath: $0, isDirectory: true) }
        #endif
        let home = FileManager.default.homeDirectoryForCurrentUser.appendingPathComponent(".local/state")
        return (base ?? home).appendingPathComponent("PersistentObjects", isDirectory: true)
    }

    /// A lock of the file, which ends with the object or with the process.
    package final class Lock: Sendable {
        private let descriptor: Int32

        fileprivate init(_ descriptor: Int32) { self.descriptor = descriptor }

        /// Ends the lock now.
        package func end() { flock(descriptor, LOCK_UN) }

        deinit { close(descriptor) }
    }

    /// Locks the file; nil if another round has it.
    package func lock() throws(SyncError) -> Lock? {
        do {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch { throw failure("created", error.localizedDescription) }
        let descriptor = open(lockFile.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("locked", String(cString: strerror(errno))) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let reason = errno
            close(descriptor)
            guard reason == EWOULDBLOCK || reason == EINTR else {
                throw failure("locked", String(cString: strerror(reason)))
            }
            return nil
        }
        return Lock(descriptor)
    }

    /// Reads the file; nil if there is none.
    package func read() throws(SyncError) -> DeviceState? {
        var status = stat()
        guard stat(file.path, &status) == 0 else { return nil }
        guard status.st_mode & 0o077 == 0 else {
            throw failure("read", "other users may access it. Run chmod 600, and consider its keys known")
        }
        do {
            return try JSONDecoder().decode(DeviceState.self, from: Data(contentsOf: file))
        } catch { throw failure("read", error.localizedDescription) }
    }

    /// Replaces the file.
    package func write(_ state: DeviceState) throws(SyncError) {
        let partial = file.appendingPathExtension("partial")
        do {
            let bytes = try RecordJSON.bytes(of: state)
            try? FileManager.default.removeItem(at: partial)
            let descriptor = open(partial.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw failure("written", String(cString: strerror(errno))) }
            let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            try handle.write(contentsOf: Data(bytes))
            try handle.synchronize()
            try handle.close()
        } catch let error as SyncError {
            throw error
        } catch { throw failure("written", error.localizedDescription) }
        guard rename(partial.path, file.path) == 0 else { throw failure("written", String(cString: strerror(errno))) }
        synchronizeFolder()
    }

    private func synchronizeFolder() {
        let descriptor = open(file.deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    private func failure(_ verb: String, _ problem: String) -> SyncError {
        SyncError(
            .stateUnavailable,
            "The state of the device in \(file.deletingLastPathComponent().path) cannot be \(verb): \(problem). Nothing "
                + "was sent or received. Check the folder's permissions and space")
    }
}
