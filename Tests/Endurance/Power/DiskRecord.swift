import CFaultVFS
import Foundation

/// A program's operations on the files in a folder, and its acknowledged steps, in order.
final class DiskRecord {
    enum Operation {
        /// Creates a new file.
        case create(String)
        case write(String, at: Int, [UInt8])
        case truncate(String, to: Int)
        case sync(String)
        /// Writes the names of all files to the disk.
        case syncFolder
        case delete(String)
        /// The program knows that a step is saved.
        case acknowledge(Int)
        /// The second version of the program starts.
        case secondVersion
    }

    private(set) var operations: [Operation] = []
    private var names: Set<String> = []
    /// Journals and logs whose first synchronisation also writes their name, as in SQLite's own file system.
    private var unsyncedNames: Set<String> = []

    func note(_ operation: Operation) { operations.append(operation) }

    /// Records all operations of `body` on files in the folder. `body` must stay on this thread.
    func observe(_ folder: String, _ body: () throws -> Void) rethrows {
        let watch = po_watch_folder(folder)
        defer { po_watch_end(watch) }
        let observer: po_observer = { context, call, name, offset, bytes, length in
            guard let context, let path = name else { return }
            let name = URL(filePath: String(cString: path)).lastPathComponent
            let written = UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : Int(length))
            // The object exists until `observe` returns.
            Unmanaged<DiskRecord>.fromOpaque(context).takeUnretainedValue()
                .hear(call, name, Int(offset), written, Int(length))
        }
        po_observe(watch, observer, Unmanaged.passUnretained(self).toOpaque())
        defer { po_observe(watch, nil, nil) }
        try withExtendedLifetime(self) { try body() }
    }

    private func hear(_ call: po_call, _ name: String, _ offset: Int, _ bytes: UnsafeRawBufferPointer, _ length: Int) {
        switch call {
        case PO_OPEN where length == 1:
            if names.insert(name).inserted { note(.create(name)) }
            if name.hasSuffix("-journal") || name.hasSuffix("-wal") { unsyncedNames.insert(name) }
        case PO_WRITE: note(.write(name, at: offset, Array(bytes)))
        case PO_TRUNCATE: note(.truncate(name, to: length))
        case PO_SYNC:
            note(.sync(name))
            if unsyncedNames.remove(name) != nil { note(.syncFolder) }
        case PO_DELETE:
            if names.remove(name) != nil { note(.delete(name)) }
            if length == 1 { note(.syncFolder) }
        default: break
        }
    }
}
