public import Foundation

/// A service that keeps the entries of devices, such as the program `sync-service`.
///
/// The service receives encrypted entries, the names of groups and devices, and sizes. The account is the token that the
/// service printed when its operator added the account; it is stored nowhere by the library. `Sync` signs the requests
/// with a key of the device.
///
/// ```swift
/// let sync = try Sync(store, through: .http(url, account: token), device: "Joe's phone")
/// ```
public struct HTTPTransport: SyncTransport {
    /// How many seconds the service waits for news before it answers.
    private static let wait = 50
    /// The cursor after all entries that the service has.
    private static let newest = "newest"
    /// How often a call continues a download that is cut.
    private static let attempts = 8
    /// The most that the answer to a request for a list can have.
    private static let (pageBytes, pages) = (8 << 20, 1000)

    private let client: HTTPClient
    private let parts = PartialDownloads()

    /// Uses a service.
    ///
    /// - Parameters:
    ///   - url: The address of the service. It must begin with `https`, except on this machine.
    ///   - account: The token of the account.
    public init(_ url: URL, account: String) { self.init(url, account: account, signer: RequestSigner()) }

    package init(_ url: URL, account: String, signer: RequestSigner) {
        client = HTTPClient(url, account: account, signer: signer)
    }

    private init(_ client: HTTPClient) { self.client = client }

    /// Lists the entries of a group in the order in which they arrived.
    public func list(_ group: String, after cursor: String?) async throws -> SyncListing {
        var listing = SyncListing([], cursor: cursor)
        for _ in 0..<Self.pages {
            let page = try await page(group, after: listing.cursor)
            listing.entries += page.entries.compactMap { SyncEntry(path: $0.path, size: $0.size) }
                .filter { $0.group == group }
            listing.cursor = page.cursor
            if !page.hasMore { return listing }
        }
        throw client.failure("its list has no end")
    }

    /// Reads an entry.
    ///
    /// If the connection is cut, it continues with a range request where it stopped, also in a later call.
    public func read(_ entry: SyncEntry, from offset: Int) async throws -> [UInt8] {
        guard offset == 0 else { return try await rest(of: entry, from: offset) { _ in } }
        var bytes = parts.take(entry)
        var attempts = 0
        while true {
            attempts += 1
            var received: [UInt8] = []
            do {
                let rest = try await rest(of: entry, from: bytes.count) { received = $0 }
                return bytes + rest
            } catch {
                bytes += received
                // A service that sends nothing, or little, must not be asked again at once.
                guard !received.isEmpty, bytes.count < entry.size, attempts < Self.attempts, !Task.isCancelled else {
                    parts.keep(bytes, of: entry)
                    throw error
                }
            }
        }
    }

    /// - Parameter cut: Receives the bytes that arrived before a failure.
    private func rest(
        of entry: SyncEntry, from offset: Int, _ cut: ([UInt8]) -> Void
    ) async throws -> [UInt8] {
        let answer = try await client.send(
            "GET", entry.path, headers: offset > 0 ? ["Range": "bytes=\(offset)-"] : [:],
            limit: max(entry.size, 1 << 16), meter: HTTPClient.Meter(DownloadMeter.current, offset)
        ) { part in
            // A service without ranges sends all bytes again.
            if part.status == 206 || offset == 0 && part.status == 200 {
                cut(part.bytes)
            } else if part.status == 200 {
                cut(Array(part.bytes.dropFirst(offset)))
            }
        }
        switch answer.status {
        case 200: return Array(answer.bytes.dropFirst(offset))
        case 206: return answer.bytes
        case 416: return []
        case 404:
            throw SyncError(
                .notReachable,
                "The service \(client.name) does not have the file \(entry.name). It is read again in the next round")
        default: throw client.failure(answer)
        }
    }

    /// Writes an entry, unless the service has it.
    public func write(_ entry: SyncEntry, _ bytes: [UInt8]) async throws {
        let answer = try await client.send(
            "PUT", entry.path, headers: ["If-None-Match": "*", "Content-Type": "application/octet-stream"], body: bytes)
        switch answer.status {
        case 200, 201: return
        case 412:
            throw SyncError(
                .clonedDevice,
                "The service \(client.name) has the file \(entry.name) with other bytes, so two devices use a copy of one "
                    + "file. It was not replaced. Reset the device")
        default: throw client.failure(answer)
        }
    }

    /// Removes an entry that the account or the device has written.
    public func remove(_ entry: SyncEntry) async throws {
        let answer = try await client.send("DELETE", entry.path)
        guard answer.status != 403 else {
            throw SyncError(
                .notAuthorised,
                "The service \(client.name) permits only the account and the device that wrote the file \(entry.name) to "
                    + "remove it. It was not removed")
        }
        guard [200, 204, 404].contains(answer.status) else { throw client.failure(answer) }
    }

    /// Waits for new entries with a request for each group, and reports them.
    public func hints(_ groups: Set<String>) -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task {
                await withTaskGroup(of: Void.self) { tasks in
                    for group in groups { tasks.addTask { await follow(group, continuation) } }
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    private func follow(_ group: String, _ continuation: AsyncStream<Void>.Continuation) async {
        var (cursor, failures) = (Self.newest, 0)
        while !Task.isCancelled {
            let (started, isFirst) = (ContinuousClock.now, cursor == Self.newest)
            do {
                let page = try await page(group, after: cursor, wait: isFirst ? 0 : Self.wait)
                // The first time, entries may have arrived between the last list and this answer.
                if isFirst || failures > 0 || !page.entries.isEmpty { continuation.yield() }
                (cursor, failures) = (page.cursor, 0)
                // A service that does not wait is asked every second.
                if !isFirst, page.entries.isEmpty, started.duration(to: .now) < .seconds(1) {
                    try await Task.sleep(for: .seconds(1))
                }
            } catch {
                failures += 1
                // A service that fails must not be asked again at once.
                try? await Task.sleep(for: Backoff.delay(after: failures))
            }
        }
    }

    /// What the service answers to a request for a list.
    private struct Page: Decodable {
        struct Item: Decodable {
            let path: String
            let size: Int
        }

        let entries: [Item]
        let cursor: String
        let hasMore: Bool
    }

    private func page(_ group: String, after cursor: String?, wait: Int = 0) async throws -> Page {
        var query: [URLQueryItem] = []
        if let cursor { query.append(URLQueryItem(name: "after", value: cursor)) }
        if wait > 0 { query.append(URLQueryItem(name: "wait", value: "\(wait)")) }
        let answer = try await client.send("GET", group, query: query, limit: Self.pageBytes, wait: wait)
        guard answer.status == 200 else { throw client.failure(answer) }
        do {
            return try JSONDecoder().decode(Page.self, from: Data(answer.bytes))
        } catch {
            throw client.failure("its answer is not a list of entries")
        }
    }
}

extension HTTPTransport: SigningTransport {
    func signing(with signer: RequestSigner) -> any SyncTransport { HTTPTransport(client.signing(with: signer)) }
}

extension SyncTransport where Self == HTTPTransport {
    /// A service that keeps the entries of devices, such as the program `sync-service`.
    ///
    /// ```swift
    /// let sync = try Sync(store, through: .http(url, account: token), device: "Joe's phone")
    /// ```
    ///
    /// - Parameters:
    ///   - url: The address of the service. It must begin with `https`, except on this machine.
    ///   - account: The token of the account.
    public static func http(_ url: URL, account: String) -> HTTPTransport { HTTPTransport(url, account: account) }
}
