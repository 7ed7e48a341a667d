#if os(Linux)
    import Foundation
    import StoreEngine
    import TestSupport
    import Testing

    @testable import PersistentObjects

    /// A process is killed at one of its system calls, also in the middle of a write. The following recovery fails or
    /// is killed as well.
    @Suite(.ownThreads) struct KillTests {
        @Test(arguments: [JournalMode.wal, .rollback])
        func `a process killed at any system call leaves all acknowledged steps, and no partial ones`(
            _ journal: JournalMode
        ) async {
            await #expect(processExitsWith: .success) { [name = journal.rawValue as String] in
                let kills = try KillSweep(try #require(JournalMode(rawValue: name)))
                let points = kills.points(atMost: FaultPoint.triesAll ? nil : Scale.rounds(24), seed: 2)
                var killed = 0
                for (index, point) in points.enumerated() {
                    guard try kills.kill(at: point) else { continue }
                    killed += 1
                    // In some cases, recovery is disturbed as well.
                    try kills.check(point, disturbing: index % (FaultPoint.triesAll ? 20 : 6) == 0)
                }
                expect(killed, points.count)
                if FaultPoint.triesAll { print("\(name): killed at \(killed) of \(kills.callCount) calls, each twice") }
            }
        }

        @Test func `a save that the disk did not confirm is stored completely or not at all after a crash`() async {
            await #expect(processExitsWith: .success) {
                for journal in [JournalMode.wal, .rollback] {
                    let folder = try FaultyFolder()
                    try folder.file.fill(3)
                    let end = inCopyOfProcess {
                        let store = try KillProgram.open(folder, journal)
                        try store.withSession { session throws in
                            let people = try Person.all()
                            for person in people { person.age = 99 }
                            folder.arm(.failure, at: 1, of: .sync, isSticky: true)
                            let failure = code(of: { try session.save(people) })
                            guard failure == .inputOutput, people.allSatisfy(\.hasChanges) else {
                                throw CocoaError(.fileWriteUnknown)
                            }
                            kill(getpid(), SIGKILL)
                        }
                    }
                    expect(end, .signal(SIGKILL))
                    let dump = try FileDump(folder.file.path)
                    let changed = dump.lines.filter { $0.hasPrefix("person:") && $0.contains("| 99 |") }
                    #expect([0, 3].contains(changed.count), "\(dump)")
                }
            }
        }
    }

    /// Runs the steps of `KillProgram` in copies of the process, and checks the files that they leave.
    struct KillSweep {
        struct Point {
            let call: Int
            let fault: FileFault
        }

        private let journal: JournalMode
        private let folder: FaultyFolder
        /// The file in which the copies acknowledge their steps, outside the file system with faults.
        private let log: TemporaryStore
        private var acknowledged: String { log.path }
        private let calls: [FileCalls]
        /// The states of the file before the first step and after each step.
        private let states: [FileDump]

        var callCount: Int { calls.count }

        init(_ journal: JournalMode) throws {
            self.journal = journal
            let folder = try FaultyFolder()
            self.folder = folder
            log = try TemporaryStore()
            calls = try folder.calls(of: { try KillProgram(folder, journal).run { _ in } }).calls
            try KillSweep.removeFiles(folder)
            var states = [try FileDump(folder.file.path)]
            let program = try KillProgram(folder, journal)
            // The file of a store without classes.
            states.append(try FileDump(folder.file.path))
            try program.run { _ in states.append(try FileDump(folder.file.path)) }
            self.states = states
        }

        /// Returns the calls at which to kill: all or a sample.
        func points(atMost limit: Int?, seed: UInt64) -> [Point] {
            var points: [Point] = []
            for (index, call) in calls.enumerated() {
                points.append(Point(call: index + 1, fault: .kill))
                if call == .write { points.append(Point(call: index + 1, fault: .tear)) }
            }
            guard let limit else { return points }
            var generator = SeededGenerator(seed: seed)
            return Array(points.shuffled(using: &generator).prefix(limit))
        }

        /// Runs the program up to a system call. Returns false if the program ended before it.
        func kill(at point: Point) throws -> Bool {
            try KillSweep.removeFiles(folder)
            try Data().write(to: URL(filePath: acknowledged))
            let end = inCopyOfProcess {
                let log = open(acknowledged, O_WRONLY | O_APPEND)
                folder.arm(point.fault, at: point.call, of: .all)
                try KillProgram(folder, journal).run { _ in write(log, "+", 1) }
            }
            #expect(end != .failed, "\(point)")
            return end == .signal(SIGKILL)
        }

        private static func removeFiles(_ folder: FaultyFolder) throws {
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.file.folder.path) {
                try FileManager.default.removeItem(at: folder.file.folder.appending(path: name))
            }
        }

        /// Opens the remaining file and compares it with the acknowledged steps.
        func check(_ point: Point, disturbing: Bool) throws {
            if disturbing { try disturbRecovery(point) }
            try checkState(point, "at once")
            // The library opens the file as well, and continues to work.
            let store = try KillProgram.open(folder, journal)
            try store.withSession { _ throws in try Visitor().save() }
            store.close()
        }

        private func checkState(_ point: Point, _ when: String) throws {
            let count = try Data(contentsOf: URL(filePath: acknowledged)).count
            let dump = try FileDump(folder.file.path)
            // Before the first acknowledgment the file may be missing, empty, or the file of an empty store.
            let range = count == 0 ? 0...2 : count + 1...min(count + 2, states.count - 1)
            let isKnown = states[range].contains(dump)
            #expect(isKnown, "\(point), \(when): \(dump.difference(from: states[range.upperBound]))")
        }

        /// Makes each of the first calls of the recovery fail, and kills the recovery at some calls.
        private func disturbRecovery(_ point: Point) throws {
            let left = try files()
            for call in 1...20 {
                try put(left)
                if call % 5 == 0 {
                    _ = inCopyOfProcess {
                        folder.arm(.kill, at: call, of: .all)
                        try KillProgram.open(folder, journal).close()
                    }
                } else {
                    folder.arm(.failure, at: call, of: .all)
                    do { try KillProgram.open(folder, journal).close() } catch {
                        #expect(error is StoreError, "\(point), recovery \(call): \(error)")
                        let code = (error as? StoreError)?.code
                        #expect(code != .corrupt && code != .notADatabase, "\(point), recovery \(call): \(error)")
                    }
                    folder.disarm()
                }
                try checkState(point, "when call \(call) of the recovery had failed")
            }
            try put(left)
        }

        /// Returns all files except the shared memory of the dead process.
        private func files() throws -> [(name: String, data: Data)] {
            try FileManager.default.contentsOfDirectory(atPath: folder.file.folder.path)
                .filter { !$0.hasSuffix("-shm") }
                .map { ($0, try Data(contentsOf: folder.file.folder.appending(path: $0))) }
        }

        private func put(_ files: [(name: String, data: Data)]) throws {
            try KillSweep.removeFiles(folder)
            for (name, data) in files { try data.write(to: folder.file.folder.appending(path: name)) }
        }
    }
#endif
