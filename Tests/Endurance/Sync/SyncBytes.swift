#if Sync
    import Foundation
    import PersistentSync

    /// Reads hostile bytes, and measures each reading: at most a second of processor time, and 64 MiB of memory in addition
    /// to the bytes themselves.
    ///
    /// A reading beyond the memory that may be reserved ends the process. Memory is not limited under a sanitizer, which
    /// reserves terabytes, and not on systems without `/proc`. Without optimization, and under a sanitizer, a reading may
    /// take longer.
    struct SyncBytes {
        private static let memory = 64 << 20
        private static var seconds: Double {
            MemoryLimit.isSanitized || _isDebugAssertConfiguration() ? 30 : 1
        }

        let seed: UInt64
        let rounds: Range<Int>

        func run() throws -> String {
            let scratch = try Scratch()
            defer { scratch.remove() }
            let (note, result) = (URL(filePath: "\(scratch.path)/note"), URL(filePath: "\(scratch.path)/result"))
            do {
                try ChildProcess.run {
                    var worst = Worst()
                    for round in rounds { try read(round, &worst, note) }
                    try Data(worst.text(rounds.count).utf8).write(to: result)
                }
            } catch {
                let last = (try? String(contentsOf: note, encoding: .utf8)) ?? "the start"
                throw Failure("\(error), at \(last) (--seed \(seed))")
            }
            return try String(contentsOf: result, encoding: .utf8)
        }

        private struct Worst {
            var (rejected, large) = (0, 0)
            var (seconds, memory) = ((0.0, ""), (0, ""))

            func text(_ count: Int) -> String {
                "\(count) inputs, \(large) of them larger than 1 MiB, \(rejected) rejected; the longest reading took "
                    + "\(String(format: "%.3f", seconds.0)) s (\(seconds.1)), the largest \(memory.0 >> 20) MiB (\(memory.1))"
            }
        }

        private func read(_ round: Int, _ worst: inout Worst, _ note: URL) throws {
            var hostile = HostileBytes(seed: seed, round)
            let (name, bytes) = hostile.next()
            try Data("round \(round), \(name), \(bytes.count) bytes".utf8).write(to: note)
            let limit = try MemoryLimit(Self.memory)
            let start = SyncSpeedProcess.seconds
            let isRejected = hostile.isRejected(bytes)
            let isRejectedRecord = hostile.isRejectedRecord(bytes)
            let seconds = SyncSpeedProcess.seconds - start
            let memory = try limit.end()
            try require(isRejectedRecord, "round \(round): \(name) is a record")
            try require(seconds <= Self.seconds, "round \(round): \(name) took \(seconds) s")
            try require(memory <= Self.memory, "round \(round): \(name) took \(memory >> 20) MiB")
            if isRejected { worst.rejected += 1 }
            if bytes.count > 1 << 20 { worst.large += 1 }
            if seconds > worst.seconds.0 { worst.seconds = (seconds, name) }
            if memory > worst.memory.0 { worst.memory = (memory, name) }
        }
    }

    /// A limit of the memory that the process may take in addition to the memory that it has.
    private struct MemoryLimit {
        static let isSanitized = {
            let program = dlopen(nil, RTLD_LAZY)
            defer { if let program { dlclose(program) } }
            return ["__asan_init", "__tsan_init"].contains { (name: String) in dlsym(program, name) != nil }
        }()

        private let resident: Int

        #if os(Linux)
            init(_ memory: Int) throws {
                guard !Self.isSanitized else {
                    resident = 0
                    return
                }
                // The memory of earlier readings is returned, so that it is counted again.
                Self.trim()
                try Self.forgetPeak()
                resident = try Self.kilobytes("VmRSS") << 10
                try Self.limit(to: rlim_t(try Self.kilobytes("VmSize") << 10 + memory))
            }

            /// Ends the limit; returns the greatest memory since its start.
            func end() throws -> Int {
                guard !Self.isSanitized else { return 0 }
                try Self.limit(to: rlim_t.max)
                return max(0, try Self.kilobytes("VmHWM") << 10 - resident)
            }

            /// Returns memory that is not used to the system. The modules of Glibc do not have the function.
            private static func trim() {
                typealias Trim = @convention(c) (Int) -> CInt
                guard let program = dlopen(nil, RTLD_LAZY) else { return }
                defer { dlclose(program) }
                guard let function = dlsym(program, "malloc_trim") else { return }
                _ = unsafeBitCast(function, to: Trim.self)(0)
            }

            private static func forgetPeak() throws {
                let file = open("/proc/self/clear_refs", O_WRONLY)
                try require(file >= 0, "the peak of the memory cannot be reset: \(errno)")
                defer { close(file) }
                try require(write(file, "5", 1) == 1, "the peak of the memory was not reset: \(errno)")
            }

            private static func limit(to bytes: rlim_t) throws {
                var limit = rlimit(rlim_cur: bytes, rlim_max: rlim_t.max)
                try require(setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0, "no limit: \(errno)")
            }

            private static func kilobytes(_ name: String) throws -> Int {
                let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
                let line = status.split(separator: "\n").first { $0.hasPrefix("\(name):") }
                return try found(line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) }, "no \(name)")
            }
        #else
            init(_ memory: Int) throws { resident = 0 }
            func end() throws -> Int { 0 }
        #endif
    }
#endif
