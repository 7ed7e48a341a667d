#if Sync
    import Foundation
    import LoopbackHTTP
    import PersistentObjectsTesting
    import PersistentSync
    import SyncService
    import TestSupport
    import Testing

    /// A service on the loopback address, its client, and other clients.
    @Suite(.ownThreads) struct ServiceTests {
        private let group = String(repeating: "1f", count: 16)

        private func entry(_ name: String, _ size: Int) throws -> SyncEntry {
            try #require(SyncEntry(path: "\(group)/members/\(name)", size: size))
        }

        @Test func `a service and its client satisfy the rules of transports`() async throws {
            let served = try ServedFolder()
            try await checkTransport(try served.transport())
            // The service can receive a write that was cancelled as late as this, so the entries may have a size.
            let difference = "SELECT used - (SELECT coalesce(sum(size), 0) FROM transport_entry) FROM service_account"
            expect(try served.folder.sqlite(difference), "0")
        }

        @Test func `a wrong token, a removed account and an address without TLS are refused`() async throws {
            let served = try ServedFolder()
            let entry = try entry("a", 1)
            try await served.transport().write(entry, [1])
            for token in ["", "wrong", String(served.token.dropLast()), served.token + "0"] {
                let transport = try served.transport(account: token)
                let calls: [() async throws -> Void] = [
                    { _ = try await transport.list(group, after: nil) },
                    { _ = try await transport.read(entry, from: 0) },
                    { try await transport.write(try self.entry("b", 1), [1]) }, { try await transport.remove(entry) },
                ]
                for call in calls {
                    let error = await #expect(throws: SyncError.self) { try await call() }
                    expect(error?.code, .notAuthorised)
                    #expect(error?.message.contains(served.token) == false)
                }
            }
            expect(try await served.transport().list(group, after: nil).entries, [entry])
            let clear = HTTPTransport(try #require(URL(string: "http://example.org")), account: served.token)
            let error = await #expect(throws: SyncError.self) { try await clear.list(group, after: nil) }
            expect(error?.code, .notAuthorised)

            let ann = try ServedFolder.command(served.folder.path, "add", "Ann")
            let transport = try served.transport(account: ann)
            expect(try await transport.read(entry, from: 0), [1])
            expect(try ServedFolder.command(served.folder.path, "remove", "Ann"), "Removed Ann")
            let removed = await #expect(throws: SyncError.self) { try await transport.read(entry, from: 0) }
            expect(removed?.code, .notAuthorised)
        }

        @Test func `a body of 100 MB is refused before it is read, and the service goes on`() async throws {
            let served = try ServedFolder()
            let bytes = [UInt8](repeating: 7, count: 100_000_000)
            let transport = try served.transport()
            let error = await #expect(throws: SyncError.self) {
                try await transport.write(try entry("large", bytes.count), bytes)
            }
            #expect([.quota, .notReachable].contains(error?.code), "\(String(describing: error))")
            let path = "/v1/\(group)/members/large"
            #expect(try served.exchange("PUT \(path)", "Content-Length: 100000000").hasPrefix("HTTP/1.1 413"))
            #expect(try served.exchange("PUT \(path)", "Content-Length: 8388609").hasPrefix("HTTP/1.1 413"))
            #expect(try served.exchange("PUT \(path)", "Transfer-Encoding: chunked").hasPrefix("HTTP/1.1 411"))
            for length in ["-1", "x", "99999999999999999999"] {
                #expect(!(try served.exchange("PUT \(path)", "Content-Length: \(length)")).hasPrefix("HTTP/1.1 2"))
            }
            #expect(try served.exchange("GET \(path)", "Content-Length: 5", body: [1, 2, 3, 4, 5]).contains("413"))
            expect(try await transport.list(group, after: nil).entries, [])
        }

        @Test func `other requests are refused with a status, and none of them stores anything`() throws {
            let served = try ServedFolder()
            let requests = [
                ("GET /", "404"), ("GET /v2/\(group)", "404"), ("GET /v1/", "404"), ("GET /v1/..", "404"),
                ("GET /v1/\(group)/members/none", "404"), ("GET /v1/\(group)/members/a%2Fb", "404"),
                ("POST /v1/\(group)", "405"), ("POST /v1/\(group)/members/a", "405"), ("PUT /v1/\(group)", "405"),
                ("DELETE /v1/\(group)", "405"), ("GET /v1/\(group)?after=x", "400"),
                ("GET /v1/\(group)?after=-1", "400"),
                ("GET /v1/\(group)?wait=x", "400"), ("PUT /v1/\(group)/others/a", "404"),
                ("PUT /v1/\(group)/members/a.b", "404"),
            ]
            for (request, status) in requests {
                let answer = try served.exchange(request, "Content-Length: 0")
                #expect(answer.hasPrefix("HTTP/1.1 \(status)"), "\(request): \(answer)")
            }
            let put = try served.exchange("PUT /v1/\(group)/members/a", "Content-Length: 3", body: [65, 66, 67])
            #expect(put.hasPrefix("HTTP/1.1 201"), "\(put)")
            for (range, status) in [
                ("bytes=1-", "206"), ("bytes=3-", "416"), ("bytes=-1", "400"), ("bytes=0-1", "400"),
            ] {
                let answer = try served.exchange("GET /v1/\(group)/members/a", "Range: \(range)", "Content-Length: 0")
                #expect(answer.hasPrefix("HTTP/1.1 \(status)"), "\(range): \(answer)")
            }
            let long = try served.exchange("GET /v1/\(group)", "X: \(String(repeating: "a", count: 40_000))")
            #expect(!long.hasPrefix("HTTP/1.1 2"))
            #expect(try served.exchange("GET /v1/\(group)").contains(#""size":3"#))
        }

        @Test func `an account stores as much as it was granted, and removing gives space back`() async throws {
            let served = try ServedFolder(megabytes: 1)
            let transport = try served.transport()
            let (first, bytes) = (try entry("first", 600_000), [UInt8](repeating: 1, count: 600_000))
            try await transport.write(first, bytes)
            try await transport.write(first, bytes)
            let second = try entry("second", 600_000)
            let error = await #expect(throws: SyncError.self) { try await transport.write(second, bytes) }
            expect(error?.code, .quota)
            expect(try await transport.list(group, after: nil).entries, [first])
            try await transport.remove(first)
            try await transport.write(second, bytes)
            expect(try ServedFolder.command(served.folder.path, "accounts"), "Joe: 600000 of 1000000 bytes")
        }

        @Test func `a service whose disk is full refuses additions, answers other requests, and goes on later`()
            async throws
        {
            let disk = try FaultyFolder()
            let served = try ServedFolder(in: disk.file)
            let transport = try served.transport()
            let (first, second) = (try entry("first", 3), try entry("second", 20_000))
            let bytes = [UInt8](repeating: 1, count: 20_000)
            try await transport.write(first, [1, 2, 3])
            disk.arm(.fullDisk, at: 1, of: [.write, .sync], isSticky: true)
            let error = await #expect(throws: SyncError.self) { try await transport.write(second, bytes) }
            expect(error?.code, .quota)
            #expect(disk.hits > 0)
            expect(try await transport.list(group, after: nil).entries, [first])
            expect(try await transport.read(first, from: 0), [1, 2, 3])
            disk.disarm()
            try await transport.write(second, bytes)
            expect(try await transport.read(second, from: 19_998), [1, 1])
            expect(
                try ServedFolder.command(served.folder.path, "accounts"), "Joe: 20003 of 100000000 bytes")
        }

        @Test func `slow clients are disconnected, and others are answered meanwhile`() async throws {
            var limits = SyncService.limits
            // So long that a client is not slow because the machine is busy.
            (limits.idleSeconds, limits.bodySeconds, limits.threads) = (10, 20, 1)
            let served = try ServedFolder(limits: limits)
            func begin(_ head: String) throws -> RawConnection {
                let connection = try RawConnection(to: served.service.port)
                connection.send(Array("\(head)\r\nHost: a\r\n".utf8))
                return connection
            }
            let silent = try begin("GET /v1/\(group) HTTP/1.1")
            let head = "PUT /v1/\(group)/members/slow"
            let slow = try begin("\(head) HTTP/1.1")
            let headers = ["Authorization: Bearer \(served.token)", "Content-Length: 1000"] + served.signed(head)
            slow.send(Array((headers + ["", ""]).joined(separator: "\r\n").utf8))
            expect(try await served.transport().list(group, after: nil).entries, [])
            // All 1,000 bytes would take five minutes.
            var sent = 0
            while sent < 900, slow.send([1]) {
                sent += 1
                try await Task.sleep(for: .milliseconds(300))
            }
            #expect(sent < 900)
            #expect(!silent.received().hasPrefix("HTTP/1.1 2"))
            expect(try await served.transport().list(group, after: nil).entries, [])
        }

        @Test func `a request that waits is answered as soon as an entry was added, and at the end of its time`()
            async throws
        {
            var limits = SyncService.limits
            limits.waitSeconds = 1
            let served = try ServedFolder(limits: limits)
            let quick = try ServedFolder()
            // The entry of another group ends no request.
            let started = ContinuousClock.now
            #expect(try served.exchange("GET /v1/\(group)?wait=40").contains(#""entries":[]"#))
            #expect((.seconds(1)...(.seconds(39))).contains(started.duration(to: .now)))

            let transport = try quick.transport()
            let hinted = Task {
                // The first hint of each group says that the client listens.
                var count = 0
                for await _ in transport.hints([group, String(repeating: "2e", count: 16)]) {
                    count += 1
                    if count == 3 { break }
                }
                return count == 3
            }
            try await Task.sleep(for: .milliseconds(300))
            let adding = Task {
                // The first ones can arrive before the client listens, and a busy machine can be too slow for one.
                for number in 1...300 {
                    try? await transport.write(entry("n\(number)", 1), [1])
                    try await Task.sleep(for: .seconds(1))
                }
                hinted.cancel()
            }
            expect(await hinted.value, true)
            adding.cancel()
        }

        @Test func `a call that waits for a service that does not answer ends when its task is cancelled`()
            async throws
        {
            let server = try SilentServer()
            let transport = HTTPTransport(try ServedFolder.url(server.port), account: "token")
            let (entry, group) = (try entry("a", 1), group)
            let calls: [@Sendable () async throws -> Void] = [
                { _ = try await transport.list(group, after: nil) }, { _ = try await transport.read(entry, from: 0) },
                { try await transport.write(entry, [1]) }, { for await _ in transport.hints([group]) {} },
            ]
            for call in calls {
                let delay = try await cancellationDelay(start: .milliseconds(50)) { _ in try? await call() }
                #expect(delay <= .milliseconds(100))
            }
        }
    }
#endif
