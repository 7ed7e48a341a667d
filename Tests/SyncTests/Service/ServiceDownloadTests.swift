#if Sync
    import Foundation
    import SyncService
    import TestSupport
    import Testing

    @testable import PersistentSync

    /// Downloads over connections that are cut.
    @Suite(.ownThreads) struct ServiceDownloadTests {
        private let size = 500_000
        private var bytes: [UInt8] { (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) } }

        private func entry() throws -> SyncEntry {
            try #require(SyncEntry(path: "\(String(repeating: "1f", count: 16))/members/a", size: size))
        }

        private func transport(_ proxy: CuttingProxy, _ served: ServedFolder) throws -> HTTPTransport {
            .http(try ServedFolder.url(proxy.port), account: served.token)
        }

        @Test func `a download that is cut continues where it stopped`() async throws {
            let served = try ServedFolder()
            try await served.transport().write(try entry(), bytes)
            let proxy = try CuttingProxy(to: served.service.port, after: 150_000)
            expect(try await transport(proxy, served).read(try entry(), from: 0) == bytes, true)
            // Four connections, with a head each.
            #expect((size..<size + 4000).contains(proxy.sentCount), "\(proxy.sentCount)")
        }

        @Test func `a call continues the download of an earlier call that failed`() async throws {
            let served = try ServedFolder()
            try await served.transport().write(try entry(), bytes)
            let proxy = try CuttingProxy(to: served.service.port, after: 40_000)
            let transport = try transport(proxy, served)
            let error = await #expect(throws: SyncError.self) { try await transport.read(try entry(), from: 0) }
            expect(error?.code, .notReachable)
            expect(try await transport.read(try entry(), from: 0) == bytes, true)
            #expect((size..<size + 10_000).contains(proxy.sentCount), "\(proxy.sentCount)")
            // Nothing is kept of an entry that was read.
            let other = try CuttingProxy(to: served.service.port, after: 1 << 30)
            let again = try self.transport(other, served)
            for _ in 1...2 { expect(try await again.read(try entry(), from: 0) == bytes, true) }
            #expect(other.sentCount > 2 * size)
        }

        @Test func `the progress of a download grows up to its size`() async throws {
            let served = try ServedFolder()
            try await served.transport().write(try entry(), bytes)
            let proxy = try CuttingProxy(to: served.service.port, after: 200_000, pause: 50_000)
            let transport = try transport(proxy, served)
            let reports = Recorder<[Int]>()
            let meter = DownloadMeter { received, total in reports.add([received, total]) }
            try await DownloadMeter.$current.withValue(meter) {
                meter.expect([try entry()])
                _ = try await transport.read(try entry(), from: 0)
            }
            let received = reports.all.map { $0[0] }
            #expect(received.contains { $0 > 0 } && received == received.sorted(), "\(received)")
            // If the machine is busy, the announcement can be reported before the first byte arrives.
            #expect(received.allSatisfy { (0...size).contains($0) }, "\(received)")
            expect(Set(reports.all.map { $0[1] }), [size])
        }
    }
#endif
