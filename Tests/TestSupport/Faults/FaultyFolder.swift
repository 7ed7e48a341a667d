internal import CFaultVFS
internal import Foundation
public import PersistentObjectsTesting

/// What goes wrong with a call of SQLite's to the system.
public enum FileFault: Sendable, CaseIterable {
    /// The call is not made, and fails as on a broken disk.
    case failure
    /// There is no space left: writes, syncs and new files fail, all else goes well.
    case fullDisk
    /// Half of a write is made, then it fails.
    case shortWrite
    /// The process is killed before the call.
    case kill
    /// Half of a write is made, then the process is killed.
    case tear
    /// A read gives zeros, without an error: a disk that is wrong once.
    case garble

    fileprivate var value: po_fault {
        switch self {
        case .failure: PO_FAIL
        case .fullDisk: PO_FULL
        case .shortWrite: PO_SHORT
        case .kill: PO_KILL
        case .tear: PO_TEAR
        case .garble: PO_GARBLE
        }
    }

    /// The calls that it changes anything about.
    public var calls: FileCalls {
        switch self {
        case .failure, .kill: .all
        case .fullDisk: [.write, .sync, .open, .sharedMemory]
        case .shortWrite, .tear: .write
        case .garble: .read
        }
    }
}

/// Kinds of calls of SQLite's to the system.
public struct FileCalls: OptionSet, Sendable {
    /// As the file system in C has them.
    public let rawValue: UInt32

    /// From bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    private init(_ call: po_call) { rawValue = call.rawValue }

    /// A file is opened.
    public static let open = FileCalls(PO_OPEN)
    /// Bytes are read.
    public static let read = FileCalls(PO_READ)
    /// Bytes are written.
    public static let write = FileCalls(PO_WRITE)
    /// What was written is brought to the disk.
    public static let sync = FileCalls(PO_SYNC)
    /// A lock is taken.
    public static let lock = FileCalls(PO_LOCK)
    /// The memory that the processes with a write-ahead log share.
    public static let sharedMemory = FileCalls(PO_SHARED_MEMORY)
    /// All calls.
    public static let all = FileCalls(PO_ANY)
}

/// A folder with a store's file in which calls of SQLite's to the system go wrong where a test says; other folders are
/// left alone, so tests run beside each other.
///
/// It counts for connections that are opened after it was made.
public final class FaultyFolder {
    /// The file and its folder.
    public let file: TemporaryStore
    private let watch: OpaquePointer

    /// Makes a folder where all goes well.
    public init() throws {
        file = try TemporaryStore()
        watch = po_watch_folder(file.folder.path(percentEncoded: false))
    }

    deinit { po_watch_end(watch) }

    /// The calls that `body` makes, in their order, when all goes well.
    public func calls<R>(of body: () throws -> R) rethrows -> (calls: [FileCalls], result: R) {
        let log = CallLog()
        po_observe(
            watch,
            { context, call, _, _, _, _ in
                guard let context else { return }
                Unmanaged<CallLog>.fromOpaque(context).takeUnretainedValue().calls.append(
                    FileCalls(rawValue: call.rawValue))
            }, Unmanaged.passUnretained(log).toOpaque())
        defer { po_observe(watch, nil, nil) }
        let result = try body()
        return (log.calls, result)
    }

    /// Begins to count calls, and has one of them go wrong; the first is 1.
    ///
    /// - Parameters:
    ///   - fault: What goes wrong.
    ///   - number: Which of the calls; 0 for none.
    ///   - calls: What is counted; nil for those that the fault changes anything about.
    ///   - isSticky: Whether all that follow go wrong as well.
    public func arm(_ fault: FileFault, at number: Int, of calls: FileCalls? = nil, isSticky: Bool = false) {
        let number = number == 0 ? Int.max : number
        po_arm(watch, (calls ?? fault.calls).rawValue, number, fault.value, isSticky)
    }

    /// From now on all goes well.
    public func disarm() { po_disarm(watch) }

    /// How many of the calls have been made since `arm`.
    public var count: Int { po_count(watch) }

    /// How many of them have gone wrong.
    public var hits: Int { po_hits(watch) }
}

/// Written by the file system under its lock.
private final class CallLog {
    var calls: [FileCalls] = []
}
