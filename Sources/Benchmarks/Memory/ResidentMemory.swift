import Foundation

#if canImport(Darwin)
    // `mach_task_self_` is a variable in C.
    @preconcurrency import Darwin
#endif

/// The memory that this process uses.
enum ResidentMemory {
    /// The current number of resident bytes.
    static func bytes() throws -> Int {
        #if canImport(Darwin)
            var info = mach_task_basic_info()
            var count = mach_msg_type_number_t(MemoryLayout<mach_task_basic_info>.size / MemoryLayout<natural_t>.size)
            let answer = withUnsafeMutablePointer(to: &info) { pointer in
                pointer.withMemoryRebound(to: integer_t.self, capacity: Int(count)) {
                    task_info(mach_task_self_, task_flavor_t(MACH_TASK_BASIC_INFO), $0, &count)
                }
            }
            guard answer == KERN_SUCCESS else { throw Unreadable(source: "task_info") }
            return Int(info.resident_size)
        #else
            let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
            guard fields.count > 1, let pages = Int(fields[1]) else { throw Unreadable(source: "/proc/self/statm") }
            return pages * sysconf(Int32(_SC_PAGESIZE))
        #endif
    }

    /// The error if the system did not report it.
    struct Unreadable: Error, CustomStringConvertible {
        let source: String

        var description: String { "\(source) does not tell the resident memory" }
    }
}
