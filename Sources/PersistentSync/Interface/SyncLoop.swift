internal import PersistentObjects
internal import Synchronization

/// The rounds in the background.
final class SyncLoop: Sendable {
    private enum Cause { case hint, commit, time, waking }

    private let task = Mutex<Task<Void, Never>?>(nil)
    /// How long a round waits after a commit, for more of them.
    private static let pause = Duration.seconds(1)

    func start(_ sync: Sync) {
        let current: @Sendable () -> Sync? = { [weak sync] in sync }
        task.withLock { task in
            guard task == nil else { return }
            task = Task { await Self.run(current) }
        }
    }

    func stop() {
        let running = task.withLock { task in
            defer { task = nil }
            return task
        }
        running?.cancel()
    }

    /// Follows the hints of the device's groups.
    private struct Listener {
        private(set) var groups: Set<String> = []
        private(set) var task = Task<Void, Never> {}

        init(_ sync: Sync?, _ causes: AsyncStream<Cause>.Continuation) { follow(sync, causes) }

        /// Begins again if the device entered or left a group.
        mutating func follow(_ sync: Sync?, _ causes: AsyncStream<Cause>.Continuation) {
            guard let sync, let state = try? sync.device.currentState() else { return }
            let current = Set(state.groups.map { HexName.text($0.id.number) })
            guard current != groups else { return }
            task.cancel()
            groups = current
            task = Task { [transport = sync.transport] in
                for await _ in transport.hints(current) { causes.yield(.hint) }
            }
        }
    }

    private static func run(_ sync: @escaping @Sendable () -> Sync?) async {
        guard let roundTimer = sync()?.configuration.timer else { return }
        let (causes, continuation) = AsyncStream<Cause>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let token = sync()?.store.onChange { _ in continuation.yield(.commit) }
        var listener = Listener(sync(), continuation)
        var failures = 0
        var timer = Task<Void, Never> {}
        continuation.yield(.time)
        for await cause in causes {
            timer.cancel()
            // Commits that follow each other share a round.
            if cause == .commit { try? await Task.sleep(for: pause) }
            guard !Task.isCancelled else { break }
            // The connection may have been away only because the machine slept, and needs some seconds now.
            if cause == .waking { failures = 0 }
            guard let delay = await meet(sync, &failures) else { break }
            listener.follow(sync(), continuation)
            timer = Task {
                // The next round after a failure, or after the interval without a hint.
                guard let end = try? await roundTimer.wait(for: delay), !Task.isCancelled else { return }
                continuation.yield(end == .waking ? .waking : .time)
            }
        }
        timer.cancel()
        listener.task.cancel()
        token?.cancel()
    }

    /// Runs a round; returns the time to the next one, nil if the `Sync` has ended.
    private static func meet(_ sync: () -> Sync?, _ failures: inout Int) async -> Duration? {
        guard let sync = sync() else { return nil }
        let report = try? await sync.meet()
        // A value that is too large does not become smaller by another round.
        failures = report?.problems.allSatisfy { $0.key != nil } == true ? 0 : failures + 1
        return failures == 0 ? sync.configuration.interval : Backoff.delay(after: failures)
    }
}
