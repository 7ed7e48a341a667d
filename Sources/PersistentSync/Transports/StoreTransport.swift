public import PersistentObjects

/// A store that keeps the entries of devices, above all on a PostgreSQL server.
///
/// The entries are rows of two tables of the store. Devices that can connect to the server need no other service. The
/// store contains encrypted entries, the names of groups and devices, and sizes.
///
/// ```swift
/// let sync = try Sync(store, through: .postgres("postgres://app@db.example.org/shop"), device: "Joe's phone")
/// ```
///
/// The devices' own stores are files. A store on a server cannot be a device.
public struct StoreTransport: SyncTransport {
    private let opened: OpenedStore
    private let bytesPerGroup: Int?

    /// Uses a store, which the devices must not synchronize.
    ///
    /// ```swift
    /// let server = try Store(.postgres("postgres://app@db.example.org/shop"), configuration: configuration)
    /// let sync = try Sync(store, through: StoreTransport(server), device: "Joe's phone")
    /// ```
    ///
    /// - Parameters:
    ///   - store: A store on a server, or in a file that the programs of one machine share.
    ///   - bytesPerGroup: How many bytes the entries of a group may have before this device adds no more to it; nil for no
    ///     limit.
    public init(_ store: Store, bytesPerGroup: Int? = nil) { self.init(bytesPerGroup) { store } }

    /// Opens a store at the first use, and again after a failure.
    init(_ bytesPerGroup: Int? = nil, opening open: @escaping @Sendable () throws -> Store) {
        (self.bytesPerGroup, opened) = (bytesPerGroup, OpenedStore(open))
    }

    /// Lists the entries of a group in the order in which they appeared.
    ///
    /// The cursor is the number of the latest entry in its group. Concurrent writers get their numbers one after
    /// another, so no entry appears before a cursor that was returned.
    public func list(_ group: String, after cursor: String?) async throws -> SyncListing {
        let start = cursor.flatMap { Int($0) } ?? 0
        let items = try await run { _ in try StoredEntries.list(group, after: start) }
        return SyncListing(
            items.compactMap { SyncEntry(path: $0.path, size: $0.size) }, cursor: "\(items.last?.number ?? start)")
    }

    /// Reads an entry.
    public func read(_ entry: SyncEntry, from offset: Int) async throws -> [UInt8] {
        let path = entry.path
        guard let bytes = try await run({ _ in try StoredEntries.bytes(of: path) }) else {
            throw SyncError(
                .notReachable,
                "The store of the transport does not have the file \(entry.name). It is read again in the next round")
        }
        return offset > 0 ? Array(bytes.dropFirst(offset)) : bytes
    }

    /// Writes an entry in a transaction, unless the store has it.
    public func write(_ entry: SyncEntry, _ bytes: [UInt8]) async throws {
        let (path, group, limit) = (entry.path, entry.group, bytesPerGroup)
        let addition = try await run { session in
            try StoredEntries.add(path, of: group, bytes, in: session) {
                // Records of members are small, and a member must be removable from a full group.
                guard let limit, entry.kind != .members else { return true }
                return try StoredEntries.space(ofGroup: group) + bytes.count <= limit
            }
        }
        switch addition {
        case .added, .present: return
        case .refused:
            throw SyncError(
                .quota,
                "The group's files in the store of the transport would have more than \(bytesPerGroup ?? 0) bytes. The "
                    + "changes were not sent, and are still here. Raise the limit bytesPerGroup of this device")
        case .differs:
            throw SyncError(
                .clonedDevice,
                "The store of the transport has the file \(entry.name) with other bytes, so two devices use a copy of one "
                    + "file. It was not replaced. Reset the device")
        }
    }

    /// Removes an entry.
    public func remove(_ entry: SyncEntry) async throws {
        let path = entry.path
        try await run { session in try StoredEntries.remove(path, in: session) }
    }

    // MARK: Hints

    /// Reports the commits that add entries to the groups, of all clients of the store.
    public func hints(_ groups: Set<String>) -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task {
                var failures = 0
                while !Task.isCancelled {
                    do {
                        try await follow(groups, continuation)
                        break
                    } catch {
                        failures += 1
                        // A server that fails must not be asked again at once.
                        try? await Task.sleep(for: Backoff.delay(after: failures))
                    }
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// Follows the counters of groups until the store is closed.
    private func follow(_ groups: Set<String>, _ continuation: AsyncStream<Void>.Continuation) async throws {
        let events = try await run { _ in TransportGroup.events }
        var ids = try await ids(of: groups)
        // Entries may have arrived between the last list and now.
        continuation.yield()
        for await event in events {
            if event.kind != .updated { ids = try await self.ids(of: groups) }
            if event.id.map({ ids.contains($0.value) }) ?? true { continuation.yield() }
        }
    }

    private func ids(of groups: Set<String>) async throws -> Set<Int64> {
        let ids = try await run { _ in try TransportGroup.where { groups.contains($0.name) }.all().compactMap(\.id) }
        return Set(ids)
    }

    // MARK: Calls

    private func run<R: Sendable>(_ body: @escaping @Sendable (Session) throws -> R) async throws -> R {
        do {
            return try await withoutWaiting {
                let store = try await opened.store()
                let call: (Session) async throws -> R = { session in try Self.repeating { try body(session) } }
                // A call can wait for another writer, and must not keep a thread that all tasks share.
                return try await withTaskExecutorPreference(store.executor) { try await store.withSession(call) }
            }
        } catch let error as StoreError {
            throw Self.failure(error)
        }
    }

    /// Calls a function, and does not wait for its end if the task is cancelled, because a server may not answer.
    private func withoutWaiting<R: Sendable>(_ body: @escaping @Sendable () async throws -> R) async throws -> R {
        try Task.checkCancellation()
        let (results, continuation) = AsyncThrowingStream<R, any Error>.makeStream()
        let work = Task {
            do {
                continuation.yield(try await body())
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
        // It also ends the statement that is running.
        defer { work.cancel() }
        for try await result in results { return result }
        throw CancellationError()
    }

    /// Calls a function again if the connection was lost, for example because the server was restarted, or if it met a
    /// transaction of another client. All calls can be repeated.
    private static func repeating<R>(_ body: () throws -> R) throws -> R {
        do {
            return try body()
        } catch let error as StoreError {
            guard [.connectionLost, .commitUnknown, .busy, .notUnique].contains(error.code) else { throw error }
            return try body()
        }
    }

    private static func failure(_ error: StoreError) -> SyncError {
        let problem = "The store of the transport cannot be used: \(error.message)"
        return switch error.code {
        case .notPermitted, .readOnly: SyncError(.notAuthorised, "\(problem). Nothing was changed")
        case .diskFull, .tooBig: SyncError(.quota, "\(problem). The changes were not sent, and are still here")
        case .unsupported, .misuse: SyncError(.unsupported, "\(problem). Nothing was sent")
        default: SyncError(.notReachable, "\(problem). Nothing was lost. The call is repeated in the next round")
        }
    }
}

extension SyncTransport where Self == StoreTransport {
    /// A PostgreSQL server, which the transport opens as a separate store when it is first used.
    ///
    /// It requires a program built with the package traits `Sync` and `PostgreSQL`.
    ///
    /// ```swift
    /// let sync = try Sync(store, through: .postgres("postgres://app@db.example.org/shop"), device: "Joe's phone")
    /// ```
    ///
    /// If the server cannot be reached, the device continues offline, and its rounds report `notReachable`.
    ///
    /// - Parameters:
    ///   - address: The address. Keep passwords in `~/.pgpass` or `PGPASSWORD` rather than in the address.
    ///   - bytesPerGroup: How many bytes the entries of a group may have before this device adds no more to it; nil for no
    ///     limit.
    public static func postgres(_ address: String, bytesPerGroup: Int? = nil) -> StoreTransport {
        StoreTransport(bytesPerGroup) { try Store(.postgres(address), configuration: .init(concurrency: 4)) }
    }

    /// A store that the program has opened; see ``StoreTransport/init(_:bytesPerGroup:)``.
    ///
    /// ```swift
    /// let sync = try Sync(store, through: .store(server), device: "Joe's phone")
    /// ```
    public static func store(_ store: Store, bytesPerGroup: Int? = nil) -> StoreTransport {
        StoreTransport(store, bytesPerGroup: bytesPerGroup)
    }
}
