#if Sync
    import Foundation
    import PersistentObjects
    import PersistentObjectsTesting
    import SyncService
    import TestSupport
    import Testing

    @testable import PersistentSync

    /// The signatures of requests, and what they permit.
    @Suite(.ownThreads) struct ServiceSignatureTests {
        private let group = String(repeating: "6a", count: 16)

        private func entry(_ name: String) throws -> SyncEntry {
            try #require(SyncEntry(path: "\(group)/members/\(name)", size: 1))
        }

        /// A device whose clock is wrong.
        private func signer(ahead seconds: Int64) -> RequestSigner {
            RequestSigner { Int64(Date().timeIntervalSince1970) + seconds }
        }

        @Test func `a request without the signature of exactly this request is refused`() throws {
            let served = try ServedFolder()
            let put = "PUT /v1/\(group)/members/a"
            func answer(_ signature: [String]) throws -> String {
                String(try served.exchange(put, "Content-Length: 1", body: [65], signature: signature).prefix(12))
            }
            let right = served.signed(put, body: [65])
            for missing in right.indices {
                expect(try answer(right.enumerated().filter { $0.offset != missing }.map(\.element)), "HTTP/1.1 401")
            }
            let key = SignedRequest.headers[0]
            let otherKey = served.signed(put, by: RequestSigner(), body: [65]).filter { $0.hasPrefix(key) }
            let others = [
                [], served.signed(put, body: [66]), served.signed("DELETE /v1/\(group)/members/a", body: [65]),
                served.signed("PUT /v1/\(group)/members/b", body: [65]), right.filter { !$0.hasPrefix(key) } + otherKey,
                served.signer.headers("PUT", "\(group)/members/a", account: "other", body: [65]).map { "\($0): \($1)" },
                right.map { $0.hasPrefix("X-Sync-Date") ? $0 + "0" : $0 },
            ]
            for signature in others { expect(try answer(signature), "HTTP/1.1 401") }
            #expect(try served.exchange("GET /v1/\(group)").contains(#""entries":[]"#))
            expect(try answer(right), "HTTP/1.1 201")
        }

        @Test func `a request that is repeated after five minutes is refused, and states the time`() throws {
            let served = try ServedFolder()
            let put = "PUT /v1/\(group)/members/a"
            for (seconds, status) in [(-600, "401"), (600, "401"), (-200, "201"), (200, "200"), (.max / 2, "401")] {
                let signature = served.signed(put, by: signer(ahead: Int64(seconds)), body: [65])
                let answer = try served.exchange(put, "Content-Length: 1", body: [65], signature: signature)
                #expect(answer.hasPrefix("HTTP/1.1 \(status)"), "\(seconds): \(answer)")
                expect(answer.contains("\r\nX-Sync-Time: "), status == "401")
            }
        }

        @Test func `a device with a wrong clock adopts the time of the service`() async throws {
            let served = try ServedFolder()
            let url = try ServedFolder.url(served.service.port)
            for seconds: Int64 in [86_400, -86_400] {
                let transport = HTTPTransport(url, account: served.token, signer: signer(ahead: seconds))
                try await transport.write(try entry("a"), [1])
                expect(try await transport.read(try entry("a"), from: 0), [1])
            }
        }

        @Test func `only the account or the device that wrote an entry removes it`() async throws {
            let served = try ServedFolder()
            let url = try ServedFolder.url(served.service.port)
            let ann = try ServedFolder.command(served.folder.path, "add", "Ann")
            let signer = RequestSigner()
            let joe = HTTPTransport(url, account: served.token, signer: signer)
            let (first, second, third) = (try entry("a"), try entry("b"), try entry("c"))
            for entry in [first, second, third] { try await joe.write(entry, [1]) }
            func refused(_ entry: SyncEntry) async -> SyncError.Code? {
                let stranger = HTTPTransport(url, account: ann)
                let error = await #expect(throws: SyncError.self) { try await stranger.remove(entry) }
                return error?.code
            }
            expect(await refused(first), .notAuthorised)
            try await HTTPTransport(url, account: ann, signer: signer).remove(first)
            try await HTTPTransport(url, account: served.token).remove(second)
            expect(try await joe.list(group, after: nil).entries, [third])
            expect(
                try ServedFolder.command(served.folder.path, "accounts").split(separator: "\n").sorted(),
                ["Ann: 0 of 1000000000 bytes", "Joe: 1 of 100000000 bytes"])
            // The entries of a removed account belong to its devices.
            try ServedFolder.command(served.folder.path, "remove", "Joe")
            expect(await refused(third), .notAuthorised)
            try await HTTPTransport(url, account: ann, signer: signer).remove(third)
        }

        @Test func `a device keeps its key for requests, and devices have different ones`() async throws {
            let served = try ServedFolder()
            let transport = try served.transport()
            let (ann, bob) = (
                try ServerDevice("Ann", transport, in: served.folder.folder),
                try ServerDevice("Bob", transport, in: served.folder.folder)
            )
            let group = try await ann.sync.makeGroup("Family")
            try await ann.sync.meet()
            let again = try ServerDevice("Ann", transport, in: served.folder.folder)
            try again.insert("second", in: try #require(try again.sync.groups.first { $0.id == group.id }))
            expect(try await again.sync.meet().problems, [])
            let signers = "SELECT count(DISTINCT signer) FROM transport_entry"
            expect(try served.folder.sqlite(signers), "1")
            _ = try await bob.sync.join(try await again.sync.groups[0].invitation())
            expect(try served.folder.sqlite(signers), "2")
        }
    }
#endif
