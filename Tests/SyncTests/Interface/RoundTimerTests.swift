#if Sync
    import Foundation
    import PersistentObjects
    import Synchronization
    import TestSupport
    import Testing

    @testable import PersistentSync

    /// A machine whose waits end at once, and which sleeps during some of them.
    private final class Machine: Sendable {
        private let content: Mutex<(waits: [Duration], slept: Duration)>
        private let wait: Int

        /// A machine that sleeps for a time during one of its waits.
        init(sleepsFor time: Duration = .zero, in wait: Int = 0) {
            self.wait = wait
            content = Mutex(([], .zero))
            length = time
        }

        private let length: Duration
        var waits: [Duration] { content.withLock { $0.waits } }

        var timer: RoundTimer {
            RoundTimer(
                sleep: { part in
                    try Task.checkCancellation()
                    self.content.withLock { content in
                        if content.waits.count == self.wait { content.slept += self.length }
                        content.waits.append(part)
                    }
                }, slept: { self.content.withLock { $0.slept } })
        }
    }

    /// A transport that fails until it is allowed to work, and counts its lists.
    private final class AbsentTransport: SyncTransport {
        private let lists = Mutex(0)
        var count: Int { lists.withLock { $0 } }

        func list(_ group: String, after cursor: String?) async throws -> SyncListing {
            lists.withLock { $0 += 1 }
            throw SyncError(.notReachable, "There is no connection")
        }

        func read(_ entry: SyncEntry, from offset: Int) async throws -> [UInt8] { [] }
        func write(_ entry: SyncEntry, _ bytes: [UInt8]) async throws {}
        func remove(_ entry: SyncEntry) async throws {}
    }

    /// Rounds in the background begin at once after the machine has slept.
    @Suite struct RoundTimerTests {
        @Test(arguments: [1, 10, 60, 295])
        func `a wait ends at its time if the machine does not sleep`(_ seconds: Int) async throws {
            for slept in [Duration.zero, .milliseconds(900)] {
                let machine = Machine(sleepsFor: slept)
                expect(try await machine.timer.wait(for: .seconds(seconds)), .time)
                expect(machine.waits.reduce(.zero, +), .seconds(seconds))
            }
        }

        @Test func `a wait ends within ten seconds after the machine has slept`() async throws {
            for wait in [0, 3] {
                let machine = Machine(sleepsFor: .seconds(2), in: wait)
                expect(try await machine.timer.wait(for: .seconds(295)), .waking)
                expect(machine.waits.count, wait + 1)
                #expect(machine.waits.allSatisfy { $0 <= .seconds(10) })
            }
        }

        @Test func `a wait is cancelled`() async throws {
            let task = Task {
                while !Task.isCancelled { await Task.yield() }
                return try await Machine().timer.wait(for: .seconds(60))
            }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }

        @Test func `the system's timer waits, and no sleep of the machine is noticed while it is awake`() async throws {
            expect(try await RoundTimer.system.wait(for: .milliseconds(20)), .time)
        }

        /// Waits that a test ends.
        private final class Gate: Sendable {
            private let content = Mutex<(slept: Duration, end: AsyncStream<Void>.Continuation?)>((.zero, nil))
            /// The waits that began, in their order.
            let waits: AsyncStream<Duration>
            private let began: AsyncStream<Duration>.Continuation

            init() { (waits, began) = AsyncStream.makeStream() }

            /// Ends the current wait, in which the machine slept.
            func end(afterSleepOf time: Duration) {
                content.withLock { content in
                    content.slept += time
                    content.end?.finish()
                }
            }

            var timer: RoundTimer {
                RoundTimer(
                    sleep: { part in
                        let (stream, continuation) = AsyncStream<Void>.makeStream()
                        self.content.withLock { $0.end = continuation }
                        self.began.yield(part)
                        for await _ in stream {}
                        try Task.checkCancellation()
                    }, slept: { self.content.withLock { $0.slept } })
            }
        }

        @Test func `a round begins when the machine wakes, and later rounds are repeated soon`() async throws {
            let pair = try StorePair()
            let (gate, transport) = (Gate(), AbsentTransport())
            var settings = Sync.Configuration(stateFolder: pair.folder.appendingPathComponent("keys"))
            settings.timer = gate.timer
            let sync = try Sync(pair.ann, through: transport, device: "Ann", configuration: settings)
            _ = try await sync.makeGroup("Family")
            try sync.start()
            defer { sync.stop() }
            var waits = gate.waits.makeAsyncIterator()
            // After some failures, the round is repeated after more than ten seconds.
            while try #require(await waits.next()) < .seconds(10) { gate.end(afterSleepOf: .zero) }
            let before = transport.count
            gate.end(afterSleepOf: .seconds(3600))
            let next = try #require(await waits.next())
            #expect(transport.count > before)
            #expect(next < .seconds(2), "It is repeated after a second again.")
        }
    }
#endif
