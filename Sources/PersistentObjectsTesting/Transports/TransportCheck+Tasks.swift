#if Sync
    internal import PersistentSync
    internal import Synchronization

    private final class Flag: Sendable {
        let isSet = Mutex(false)
    }

    /// Counts the turns of a task that sleeps for five milliseconds at a time. On a quiet machine, that is a clock. On a
    /// busy one it slows down as all tasks do.
    private final class Turns: Sendable {
        let count = Mutex(0)

        static let length = Duration.milliseconds(5)

        func run() async {
            while !Task.isCancelled {
                // One turn; its number shows how much time other tasks get.
                try? await Task.sleep(for: Self.length)
                count.withLock { $0 += 1 }
            }
        }
    }

    /// The time in which a call ends after its task was cancelled, measured in turns of another task. It is the shortest
    /// of some attempts, because what the call waits for may be busy.
    package func cancellationDelay(
        start: Duration, _ call: @escaping @Sendable (Int) async -> Void
    ) async throws -> Duration {
        let turns = Turns()
        let clock = Task { await turns.run() }
        defer { clock.cancel() }
        var least = Duration.seconds(3600)
        for number in 0..<10 where least > .milliseconds(100) {
            // The task itself reads the number of turns at its end, because this function can be resumed much later.
            let task = Task {
                await call(number)
                return turns.count.withLock { $0 }
            }
            // The call must be under way when it is cancelled.
            try await Task.sleep(for: start)
            let before = turns.count.withLock { $0 }
            task.cancel()
            let after = await task.value
            least = min(least, Turns.length * (after - before))
        }
        return least
    }

    // Checks with several tasks.
    extension TransportCheck {
        /// Of several tasks that write other bytes under one name, one succeeds.
        func checkRace() async throws {
            for round in 0..<8 {
                let name = "\(round)-\(round + 1)-race"
                let winners: [[UInt8]] = try await withThrowingTaskGroup(of: [UInt8]?.self) { tasks in
                    for number in 0..<8 {
                        let bytes = Self.bytes(20_000 + number % 2, number)
                        let entry = try log(name, bytes)
                        tasks.addTask { [transport] in
                            do {
                                try await transport.write(entry, bytes)
                                return bytes
                            } catch let error as SyncError {
                                guard error.code == .clonedDevice else { throw error }
                                return nil
                            }
                        }
                    }
                    var found: [[UInt8]] = []
                    for try await bytes in tasks { if let bytes { found.append(bytes) } }
                    return found
                }
                check(
                    winners.count == 1,
                    "\(winners.count) of 8 tasks that wrote other bytes under one name at once succeeded, instead of 1")
                let listed = try await list().entries.filter { $0.path.hasSuffix("/\(name)") }
                check(listed.count == 1, "An entry that was written at once is listed \(listed.count) times")
                guard let entry = listed.first else { continue }
                let read = try await transport.read(entry, from: 0)
                check(
                    winners.contains(read) && read.count == entry.size,
                    "An entry that was written at once has other bytes than its writer wrote")
            }
        }

        /// A reader of everything that is listed never meets a part of an entry.
        func checkPartial() async throws {
            let all = (0..<6).map { Self.bytes(1_500_000, $0) }
            let end = Flag()
            let writer = Task { [transport] in
                defer { end.isSet.withLock { $0 = true } }
                for (number, bytes) in all.enumerated() {
                    try await transport.write(try log("\(number)-\(number + 1)-whole", bytes), bytes)
                }
            }
            var (seen, isLast): (Set<SyncEntry>, Bool) = ([], false)
            while !isLast {
                isLast = end.isSet.withLock { $0 }
                let listed = try await list().entries.filter { $0.path.hasSuffix("-whole") }
                for entry in listed where seen.insert(entry).inserted {
                    let bytes = try await transport.read(entry, from: 0)
                    check(
                        entry.size == bytes.count && all.contains(bytes),
                        "An entry was listed before it was complete: \(bytes.count) of 1500000 bytes")
                }
                // The writers need the processor in between.
                try await Task.sleep(for: .milliseconds(1))
            }
            try await writer.value
            check(
                seen.count == all.count, "\(seen.count) of \(all.count) entries were listed after they had been written"
            )
        }

        /// A reader that follows cursors meets every entry, while several tasks write.
        func checkCursors() async throws {
            let names = (0..<4).map { writer in (0..<15).map { "\($0)-\($0 + 1)-cursor\(writer)" } }
            // The first cursor is from before the writers, which can be done before this task runs again.
            var cursor = try await list().cursor
            let end = Flag()
            let writers = Task { [transport] in
                defer { end.isSet.withLock { $0 = true } }
                try await withThrowingTaskGroup(of: Void.self) { tasks in
                    for names in names {
                        tasks.addTask {
                            for name in names {
                                let bytes = Self.bytes(50 + name.utf8.count * 300)
                                try await transport.write(try self.log(name, bytes), bytes)
                            }
                        }
                    }
                    try await tasks.waitForAll()
                }
            }
            let all = Set(try names.joined().map { name in try log(name, Self.bytes(50 + name.utf8.count * 300)) })
            var (seen, isLast): (Set<SyncEntry>, Bool) = ([], false)
            while !isLast {
                isLast = end.isSet.withLock { $0 }
                let listing = try await list(after: cursor)
                seen.formUnion(listing.entries)
                cursor = listing.cursor
                // The writers need the processor in between.
                try await Task.sleep(for: .milliseconds(1))
            }
            try await writers.value
            let missing = all.subtracting(seen)
            check(
                missing.isEmpty,
                "A reader that followed cursors was not given \(missing.count) of \(all.count) entries, for example "
                    + "\(missing.first?.path ?? "")")
            check(seen.allSatisfy { $0.group == group }, "Entries of another group are listed after a cursor")
        }

        /// Calls a function until the task is cancelled. Other tasks need the thread in between.
        private func repeated(_ call: () async throws -> Void) async throws {
            while !Task.isCancelled {
                try await call()
                await Task.yield()
            }
        }

        /// Each function ends soon after its task was cancelled, and a cancelled write is complete or not there.
        func checkCancellation() async throws {
            let bytes = Self.bytes(4 << 20)
            let present = try log("8-9-present", bytes)
            try await transport.write(present, bytes)
            let calls: [(String, @Sendable (Int) async throws -> Void)] = [
                ("list", { _ in try await self.repeated { _ = try await self.list() } }),
                ("read", { _ in try await self.repeated { _ = try await self.transport.read(present, from: 0) } }),
                (
                    "write",
                    { try await self.transport.write(try self.log("9-\($0 + 10)-cancelled", bytes), bytes) }
                ),
                ("hints", { _ in for await _ in self.transport.hints([self.group]) {} }),
            ]
            for (name, call) in calls {
                let delay = try await cancellationDelay(start: .milliseconds(10)) { try? await call($0) }
                check(
                    delay <= .milliseconds(100),
                    "\(name) ended \(delay) after its task was cancelled, instead of within 0.1 seconds")
            }
            // A store ends the cancelled writes of a group before it begins this one.
            try await transport.write(try log("9-10-after", [1]), [1])
            for entry in try await list().entries where entry.path.hasSuffix("-cancelled") {
                check(
                    try await transport.read(entry, from: 0) == bytes,
                    "An entry whose writing was cancelled is there in part")
            }
        }
    }
#endif
