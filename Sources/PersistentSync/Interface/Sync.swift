// Interface: what programs use of synchronization. It knows stores, devices and transports.

public import Foundation
public import PersistentObjects
internal import StoreEngine

/// A store that exchanges its synced objects with other devices, encrypted from device to device.
///
/// ```swift
/// let sync = try Sync(store, through: .folder(url), device: "Joe's phone")
/// let family = try await sync.makeGroup("Family")
/// try family.add(note)
/// print(try await family.invitation())        // a code, which the other device passes to join(_:)
/// try sync.start()
/// ```
///
/// It can be used from any thread or task. Prepare or use the synced classes before you create it. The keys of the device
/// are stored in the configuration's state folder, not in the store's file.
public final class Sync: Sendable {
    /// The store.
    public let store: Store
    let device: SyncDevice
    let replica: StoredReplica
    let transport: any SyncTransport
    let configuration: Configuration
    let listeners = SyncListeners()
    let loop = SyncLoop()

    /// Creates a device for a store. Nothing is sent or received before `start()` or `meet()`.
    ///
    /// - Parameters:
    ///   - store: A store in a file or in memory.
    ///   - transport: Where the devices exchange files: `.folder(url)`, `.http(url, account: token)`,
    ///     `.postgres(address)`, or your own `SyncTransport`.
    ///   - device: The name that other members see.
    ///   - configuration: The settings.
    /// - Throws: `SyncError` with the code `unsupported` for a store on a server, which cannot be a device; `StoreError`
    ///   if the file cannot be read or written.
    public init(
        _ store: Store, through transport: some SyncTransport, device: String,
        configuration: Configuration = Configuration()
    ) throws {
        let isServer = try store.withSession { $0.connection.capabilities.contains(.concurrentWriters) }
        guard !isServer else {
            throw SyncError(
                .unsupported,
                "The store is on a server (\(store)), which cannot be a device of a group. Nothing was changed. Use a store "
                    + "in a file")
        }
        self.store = store
        self.configuration = configuration
        replica = try StoredReplica(store)
        let made = SyncDevice(
            replica, through: transport, name: device, stateFolder: configuration.stateFolder,
            retirement: UInt64(configuration.retirement.components.seconds) * 1000,
            snapshotThreshold: configuration.snapshotThreshold, limits: configuration.limits,
            time: { StoredReplica.systemTime })
        // The transport signs its requests with the key of the device.
        (self.device, self.transport) = (made, made.transport)
    }

    deinit { loop.stop() }

    /// Sends and receives in the background until `stop()`.
    ///
    /// A round begins at once, a second after each commit, when the transport reports files, and otherwise in the
    /// configuration's interval. After a failure it is repeated after 1, 2, 4 seconds, and so on up to 5 minutes, and at
    /// once after the machine has slept. Failures are reported by `problems` and `states`.
    ///
    /// ```swift
    /// try sync.start()
    /// ```
    ///
    /// A second call does nothing.
    public func start() throws { loop.start(self) }

    /// Ends the exchange in the background.
    ///
    /// A round in progress is cancelled; everything that it received is kept.
    public func stop() { loop.stop() }

    /// Sends and receives once, and returns what was done.
    ///
    /// ```swift
    /// let report = try await sync.meet()
    /// print(report.sentObjects, report.receivedBatches, report.problems)
    /// ```
    ///
    /// - Throws: `SyncError` if the transport or the state folder cannot be used; `StoreError`; `CancellationError`.
    ///   The problems of single devices and groups are not thrown, but part of the report.
    @discardableResult
    public func meet() async throws -> Report {
        do {
            return finish(try await metering { try await device.meet() })
        } catch {
            fail(error)
            throw error
        }
    }

    /// Calls a function of the device, and reports what it downloads.
    func metering<R>(_ body: () async throws -> R) async throws -> R {
        let meter = DownloadMeter { [listeners] received, total in
            listeners.deliver(Download(receivedBytes: received, totalBytes: total))
        }
        defer { listeners.deliver(nil) }
        return try await DownloadMeter.$current.withValue(meter) { try await body() }
    }

    /// Delivers what a round did.
    func finish(_ round: RoundReport) -> Report {
        let groups = (try? self.groups) ?? []
        let names = Dictionary(groups.map { ($0.id, $0.name) }) { first, _ in first }
        let conflicts = round.conflicts.map { Conflict($0, replica) }
        let problems = round.problems.map { Problem($0, names, replica) }
        let state = State(waiting: unsentCount(groups), lastMeeting: Date(), problems: problems)
        listeners.deliver(round.changed, conflicts, state)
        return Report(round, conflicts, problems)
    }

    private func fail(_ error: any Error) {
        guard !(error is CancellationError) else { return }
        let last = listeners.state
        let problem = Problem(
            error as? SyncError ?? SyncError(.notReachable, "\(error)"), group: nil, device: nil, file: nil)
        let groups = (try? self.groups) ?? []
        listeners.deliver(
            [], [], State(waiting: unsentCount(groups), lastMeeting: last.lastMeeting, problems: [problem]))
    }

    private func unsentCount(_ groups: [SyncGroup]) -> Int {
        groups.reduce(0) { $0 + ((try? device.unsentCount(in: $1.id)) ?? 0) }
    }
}

extension Sync {
    /// The settings of a device.
    public struct Configuration: Sendable {
        /// The folder of the device's keys, which only this user may read.
        public var stateFolder: URL
        /// The time between two rounds if nothing else causes one. At least a second; a minute by default.
        public var interval: Duration
        /// How long a member may be without a change before it is retired; 180 days by default.
        ///
        /// A retired member returns as a new device, with its unsent edits.
        public var retirement: Duration
        /// Waits between rounds.
        var timer = RoundTimer.system
        /// Into what files batches are divided.
        package var limits = BatchLimits()
        /// The size of the logs, in bytes, from which a snapshot is written.
        package var snapshotThreshold = SyncDevice.standardThreshold

        /// Creates settings.
        ///
        /// - Parameters:
        ///   - stateFolder: The folder of the device's keys. By default `PersistentObjects` in the user's folder for
        ///     application support, or on Linux in `$XDG_STATE_HOME` or `~/.local/state`.
        ///   - interval: The time between two rounds if nothing else causes one.
        ///   - retirement: How long a member may leave changes unreceived before it is retired.
        public init(
            stateFolder: URL? = nil, interval: Duration = .seconds(60), retirement: Duration = .seconds(180 * 86_400)
        ) {
            self.stateFolder = stateFolder ?? StateFile.standardFolder
            self.interval = max(.seconds(1), interval)
            self.retirement = max(.seconds(86_400), retirement)
        }
    }
}
