#if Inspector
    import Foundation
    import InspectorServer
    import PersistentObjects
    import TestSupport
    import Testing

    #if canImport(Glibc)
        import Glibc
    #endif

    /// The server at its port, with requests as bytes.
    @Suite(.ownThreads) struct ServerTests {
        private struct NoConnection: Error {}

        /// Sends bytes to a port of 127.0.0.1, and returns what is received until the connection ends.
        private func exchange(_ bytes: [UInt8], port: UInt16, ends: Bool = true) throws -> String {
            let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(socket) }
            var limit = timeval(tv_sec: 20, tv_usec: 0)
            setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = inet_addr("127.0.0.1")
            let connected = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            guard connected == 0 else { throw NoConnection() }
            var sent = 0
            while sent < bytes.count {
                let count = bytes[sent...].withUnsafeBytes {
                    send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { break }
                sent += count
            }
            if ends { shutdown(socket, Int32(SHUT_WR)) }
            var received: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 65536)
            while true {
                let count = recv(socket, &buffer, buffer.count, 0)
                guard count > 0 else { break }
                received += buffer[..<count]
            }
            return String(decoding: received, as: UTF8.self)
        }

        private func get(_ path: String, _ headers: [String], port: UInt16) -> [UInt8] {
            Array("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n".utf8)
                + headers.flatMap { Array("\($0)\r\n".utf8) } + Array("\r\n".utf8)
        }

        private func withServer(_ body: (_ port: UInt16, _ token: String) throws -> Void) throws {
            let file = try TemporaryStore()
            let inspector = try Inspector.serve(path: makeServedFile(file))
            defer { inspector.stop() }
            let url = try #require(URLComponents(string: inspector.address))
            let token = try #require(url.queryItems?.first { $0.name == "token" }?.value)
            try body(UInt16(try #require(url.port)), token)
        }

        @Test func `a browser opens the address, gets the cookie, and reads pages`() throws {
            try withServer { port, token throws in
                let first = try exchange(get("/?token=\(token)", [], port: port), port: port)
                #expect(first.hasPrefix("HTTP/1.1 303") && first.contains("SameSite=Strict"))
                let cookie = "Cookie: inspector=\(token)"
                let page = try exchange(get("/class/Gadget", [cookie], port: port), port: port)
                #expect(page.hasPrefix("HTTP/1.1 200") && page.contains("gadget 2"))
                #expect(page.contains("Content-Security-Policy: default-src 'none';"))
                #expect(page.contains("X-Content-Type-Options: nosniff"))
                let find = get("/find.json?q=Gadget.findByPrice%281%29", [cookie], port: port)
                #expect(try exchange(find, port: port).contains("gadget 1"))
                #expect(try exchange(get("/", [], port: port), port: port).hasPrefix("HTTP/1.1 403"))
                let evil = try exchange(get("/", [cookie, "Origin: http://evil.example"], port: port), port: port)
                #expect(evil.hasPrefix("HTTP/1.1 403"))
            }
        }

        @Test func `long heads and bodies are refused, and the server goes on`() throws {
            try withServer { port, token throws in
                let cookie = "Cookie: inspector=\(token)"
                let long = try exchange(
                    get("/", [cookie, "X: \(String(repeating: "a", count: 40_000))"], port: port), port: port)
                #expect(!long.hasPrefix("HTTP/1.1 200"))
                let post = Array("POST / HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nContent-Length: 5\r\n\r\nhello".utf8)
                #expect(!(try exchange(post, port: port)).hasPrefix("HTTP/1.1 200"))
                #expect(try exchange(get("/", [cookie], port: port), port: port).hasPrefix("HTTP/1.1 200"))
            }
        }

        @Test func `changed requests neither stop the server nor are answered without the token`() throws {
            try withServer { port, token throws in
                var random = SeededGenerator(seed: 47)
                let valid = get("/class/Gadget?after=1", ["Cookie: inspector=\(token)"], port: port)
                for _ in 0..<Scale.rounds(2000) {
                    var bytes = valid
                    for _ in 0..<Int.random(in: 1...8, using: &random) {
                        let place = Int.random(in: 0..<bytes.count, using: &random)
                        switch Int.random(in: 0..<4, using: &random) {
                        case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &random)
                        case 1: bytes.remove(at: place)
                        case 2: bytes.insert(UInt8.random(in: .min ... .max, using: &random), at: place)
                        default: bytes.removeSubrange(place..<min(bytes.count, place + 20))
                        }
                        if bytes.isEmpty { bytes = [0] }
                    }
                    let answer = try exchange(bytes, port: port)
                    if answer.hasPrefix("HTTP/1.1 200") {
                        #expect(String(decoding: bytes, as: UTF8.self).contains(token))
                    }
                }
                #expect(try exchange(valid, port: port).hasPrefix("HTTP/1.1 200"))
            }
        }

        @Test func `a store is served while it is open, and a taken port is refused`() throws {
            try withTemporaryStore { store, _ throws in
                try store.withSession { session in
                    let maker = Maker()
                    maker.name = "first"
                    try session.save(maker)
                }
                let inspector = try Inspector.serve(store)
                let port = UInt16(try #require(URLComponents(string: inspector.address)?.port))
                #expect(throws: (any Error).self) { try Inspector.serve(store, port: port) }
                let token = inspector.address.suffix(32)
                let page = try exchange(get("/class/Maker", ["Cookie: inspector=\(token)"], port: port), port: port)
                #expect(page.contains("first"))
                inspector.stop()
                inspector.stop()
                #expect(throws: NoConnection.self) { try exchange([0], port: port) }
            }
        }
    }
#endif
