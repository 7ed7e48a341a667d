internal import CFaultVFS
internal import Foundation
public import PersistentObjectsTesting

/// A fault of SQLite's calls to the file system.
public enum FileFault: Sendable, CaseIterable {
    /// The call is not made, and fails as on a defective disk.
    case failure
    /// No space is left, so writes, syncs and new files fail. Other calls are made.
    case fullDisk
    /// Half of a write is made, and then it fails.
    case shortWrite
    /// The process is killed before the call.
    case kill
    /// Half of a write is made, and then the process is killed.
    case tear
    /// A read returns zeros without an error, like a transient disk fault.
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

    /// The calls that it affects.
    public var calls: FileCalls {
        switch self {
        case .failure, .kill: .all
        case .fullDisk: [.write, .sync, .open, .sharedMemory]
        case .shortWrite, .tear: .write
        case .garble: .read
        }
    }
}

/// Kinds of SQLite's calls to the file system.
public struct FileCalls: OptionSet, Sendable {
    /// The bits of the file system in C.
    public let rawValue: UInt32

    /// Creates calls from bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    private init(_ call: po_call) { rawValue = call.rawValue }

    /// A file is opened.
    public static let open = FileCalls(PO_OPEN)
    /// Bytes are read.
    public static let read = FileCalls(PO_READ)
    /// Bytes are written.
    public static let write = FileCalls(PO_WRITE)
    /// Written bytes are flushed to the disk.
    public static let sync = FileCalls(PO_SYNC)
    /// A lock is acquired.
    public static let lock = FileCalls(PO_LOCK)
    /// Shared memory of a write-ahead log is mapped.
    public static let sharedMemory = FileCalls(PO_SHARED_MEMORY)
    /// All calls.
    public static let all = FileCalls(PO_ANY)
}

/// A folder with a store's file, in which a test can inject faults into SQLite's calls to the file system.
///
/// It affects connections that are opened after it was created. Other folders are not affected, so tests can run
/// concurrently.
public final class FaultyFolder {
    /// The file and its folder.
    public let file: TemporaryStore
    private let watch: OpaquePointer

    /// Creates a folder without faults.
    public init() throws {
        file = try TemporaryStore()
        watch = po_watch_folder(file.folder.path(percentEncoded: false))
    }

    deinit { po_watch_end(watch) }

    /// The calls that `body` makes without faults, in order.
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

    /// Starts to count calls, and makes one of them fail.
    ///
    /// - Parameters:
    ///   - fault: The fault.
    ///   - number: The number of the failing call, from 1; 0 for none.
    ///   - calls: The counted calls; nil for the calls that the fault affects.
    ///   - isSticky: Whether all later calls fail, too.
    public func arm(_ fault: FileFault, at number: Int, of calls: FileCalls? = nil, isSticky: Bool = false) {
        let number = number == 0 ? Int.max : number
        po_arm(watch, (calls ?? fault.calls).rawValue, number, fault.value, isSticky)
    }

    /// Ends the faults.
    public func disarm() { po_disarm(watch) }

    /// The number of counted calls since `arm`.
    public var count: Int { po_count(watch) }

    /// The number of faults since `arm`.
    public var hits: Int { po_hits(watch) }
}

/// The logged calls, which the file system appends under its lock.
private final class CallLog {
    var calls: [FileCalls] = []
}
