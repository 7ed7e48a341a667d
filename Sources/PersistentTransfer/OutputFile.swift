internal import Foundation
internal import StoreEngine

/// A file that is written piece by piece and appears at its path only when it is complete.
final class OutputFile {
    private let url: URL
    private let temporary: URL
    private let handle: FileHandle
    private var bytes: [UInt8] = []
    private var isDone = false

    private static let pieceSize = 1 << 18

    init(_ url: URL, permissions: UInt16) throws {
        guard url.isFileURL else {
            throw TransferError("An export writes to a file URL, not to a \(url.scheme ?? "") URL")
        }
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder), isFolder.boolValue {
            throw TransferError("\(url.path) is a folder. Export to a file in it")
        }
        self.url = url
        temporary = url.deletingLastPathComponent().appending(path: ".\(url.lastPathComponent).\(UUID().uuidString)")
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: NSNumber(value: permissions)]
        guard FileManager.default.createFile(atPath: temporary.path, contents: nil, attributes: attributes) else {
            throw TransferError("No file can be created in the folder \(url.deletingLastPathComponent().path)")
        }
        do { handle = try FileHandle(forWritingTo: temporary) } catch { throw OutputFile.failure(error, url) }
        bytes.reserveCapacity(OutputFile.pieceSize + (1 << 12))
    }

    /// Calls `body` to append bytes, and writes them to disk once there are enough.
    func write(_ body: (inout [UInt8]) throws -> Void) throws {
        try body(&bytes)
        if bytes.count >= OutputFile.pieceSize { try flush() }
    }

    private func flush() throws {
        do { try handle.write(contentsOf: Data(bytes)) } catch { throw OutputFile.failure(error, url) }
        bytes.removeAll(keepingCapacity: true)
    }

    /// The `StoreError` for an error of Foundation.
    private static func failure(_ error: any Error, _ url: URL) -> StoreError {
        var reason: NSError? = error as NSError
        while let known = reason {
            let isFull =
                known.domain == NSPOSIXErrorDomain
                ? [ENOSPC, EDQUOT, EFBIG].contains(Int32(clamping: known.code))
                : known.domain == NSCocoaErrorDomain && known.code == CocoaError.fileWriteOutOfSpace.rawValue
            if isFull {
                return StoreError(
                    .diskFull,
                    "There is not enough space for the export \(url.path). The incomplete file was deleted. Free "
                        + "space and export again")
            }
            reason = known.userInfo[NSUnderlyingErrorKey] as? NSError
        }
        return StoreError(
            .inputOutput,
            "The export \(url.path) cannot be written: \(error). The incomplete file was deleted. Export again")
    }

    /// Moves the file to its path, replacing an existing file.
    func finish() throws {
        try flush()
        do {
            try handle.synchronize()
            try handle.close()
        } catch { throw OutputFile.failure(error, url) }
        // The rename is atomic, so no reader finds an incomplete file.
        guard rename(temporary.path, url.path) == 0 else {
            throw TransferError("The export cannot be moved to \(url.path)")
        }
        isDone = true
    }

    deinit {
        guard !isDone else { return }
        try? handle.close()
        try? FileManager.default.removeItem(at: temporary)
    }
}
