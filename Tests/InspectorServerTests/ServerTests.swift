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
                let cookie = "Cookie: inspector-\(port)=\(token)"
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
                let cookie = "Cookie: inspector-\(port)=\(token)"
                let long = try exchange(
                    get("/", [cookie, "X: \(String(repeating: "a", count: 40_000))"], port: port), port: port)
                #expect(!long.hasPrefix("HTTP/1.1 200"))
                let post = Array("POST / HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nContent-Length: 5\r\n\r\nhello".utf8)
                #expect(!(try exchange(post, port: port)).hasPrefix("HTTP/1.1 200"))
                #expect(try exchange(get("/", [cookie], port: port), port: port).hasPrefix("HTTP/1.1 200"))
            }
        }

        @Test func `the server is at the loopback address only`() throws {
            try withServer { port, _ throws in
                let digits = String(port, radix: 16, uppercase: true)
                let place = ":" + String(repeating: "0", count: 4 - digits.count) + digits
                var listening: [String] = []
                for table in ["/proc/net/tcp", "/proc/net/tcp6"] {
                    let lines = try String(contentsOfFile: table, encoding: .utf8).split(separator: "\n").dropFirst()
                    let fields = lines.map { $0.split(separator: " ").map(String.init) }
                    // The state 0A is a socket that listens.
                    listening += fields.filter { $0[1].hasSuffix(place) && $0[3] == "0A" }.map { $0[1] }
                }
                #expect(listening == ["0100007F" + place])
            }
        }

        @Test func `bodies in chunks, with a wrong length or too long are refused`() throws {
            try withServer { port, token throws in
                func post(_ headers: String, _ body: String) throws -> String {
                    let head =
                        "POST /edit/Gadget/1 HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nCookie: inspector-\(port)=\(token)\r\n"
                    return try exchange(Array("\(head)\(headers)\r\n\r\n\(body)".utf8), port: port)
                }
                #expect(try post("Transfer-Encoding: chunked", "2\r\nab\r\n0\r\n\r\n").hasPrefix("HTTP/1.1 411"))
                #expect(try post("Content-Length: 1048577", "ab").hasPrefix("HTTP/1.1 413"))
                for length in ["-5", "x", "99999999999999999999"] {
                    let answer = try post("Content-Length: \(length)", "hello")
                    #expect(!answer.hasPrefix("HTTP/1.1 200") && !answer.hasPrefix("HTTP/1.1 303"), "\(answer)")
                }
                let page = get("/", ["Cookie: inspector-\(port)=\(token)"], port: port)
                #expect(try exchange(page, port: port).hasPrefix("HTTP/1.1 200"))
            }
        }

        @Test func `a connection that sends half a request is ended`() throws {
            try withServer { port, token throws in
                #expect(!(try exchange(Array("GET / HT".utf8), port: port, ends: false).hasPrefix("HTTP/1.1 200")))
                let page = get("/", ["Cookie: inspector-\(port)=\(token)"], port: port)
                #expect(try exchange(page, port: port).hasPrefix("HTTP/1.1 200"))
            }
        }

        @Test func `a form over a connection needs the token of its page`() throws {
            let file = try TemporaryStore()
            let path = try makeServedFile(file)
            let inspector = try Inspector.serve(path: path, mode: .editing)
            defer { inspector.stop() }
            let port = UInt16(try #require(URLComponents(string: inspector.address)?.port))
            let cookie = "Cookie: inspector-\(port)=\(inspector.address.suffix(32))"
            let page = try exchange(get("/edit/Gadget/1", [cookie], port: port), port: port)
            let token = try #require(page.firstMatch(of: /name="form" value="([0-9a-f]{32})"/)).1
            let shown = try #require(page.firstMatch(of: /name="s.price" value="([^"]*)"/)).1
            func post(_ token: Substring) throws -> String {
                let form = "form=\(token)&v.price=9&s.price=\(shown)"
                let head = """
                    POST /edit/Gadget/1 HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\(cookie)\r\nConnection: close\r\n\
                    Origin: http://127.0.0.1:\(port)\r\nContent-Type: application/x-www-form-urlencoded\r\n\
                    Content-Length: \(form.utf8.count)\r\n\r\n
                    """
                return try exchange(Array((head + form).utf8), port: port)
            }
            #expect(try post("0" + token.dropFirst(2) + "00").hasPrefix("HTTP/1.1 403"))
            #expect(try SQLiteTool.run(path, "SELECT price FROM gadget WHERE id = 1") == "7")
            #expect(try post(token).hasPrefix("HTTP/1.1 303"))
            #expect(try SQLiteTool.run(path, "SELECT price FROM gadget WHERE id = 1") == "9")
        }

        @Test func `requests that wait for changes are bounded, and end with the server`() throws {
            let file = try TemporaryStore()
            let inspector = try Inspector.serve(path: makeServedFile(file))
            let port = UInt16(try #require(URLComponents(string: inspector.address)?.port))
            let cookie = "Cookie: inspector-\(port)=\(inspector.address.suffix(32))"
            let first = try exchange(get("/changes", [cookie], port: port), port: port)
            #expect(first.hasSuffix("{\"version\":0,\"lines\":[]}") || first.hasSuffix("{\"lines\":[],\"version\":0}"))
            let request = get("/changes?since=0", [cookie], port: port)
            // More than can wait.
            let many = try (0..<20).map { _ in try connection(sending: request, port: port) }
            for socket in many {
                let answer = received(socket)
                #expect(answer.hasPrefix("HTTP/1.1 200") || answer.hasPrefix("HTTP/1.1 503"))
                close(socket)
            }
            let waiting = try connection(sending: request, port: port)
            usleep(200_000)  // usually enough for the request to wait; the expectations hold without it
            inspector.stop()
            let last = received(waiting)
            #expect(last.isEmpty || last.hasPrefix("HTTP/1.1 200") || last.hasPrefix("HTTP/1.1 503"))
            close(waiting)
        }

        @Test func `changed requests neither stop the server nor are answered without the token`() throws {
            try withServer { port, token throws in
                var random = SeededGenerator(seed: 47)
                let valid = get("/class/Gadget?after=1", ["Cookie: inspector-\(port)=\(token)"], port: port)
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

        @Test func `a client that hangs up within a request is not waited for`() throws {
            try withServer { port, _ throws in
                let part = Array("GET / HTTP/1.1\r\nHost:".utf8)
                // The server waits some seconds for the other client, and so can a busy machine.
                let isNoticed = try (0..<20).contains { _ in
                    let other = try connection(sending: part, port: port)
                    defer { close(other) }
                    #expect(try exchange(part, port: port).isEmpty)
                    var byte: UInt8 = 0
                    return recv(other, &byte, 1, Int32(MSG_DONTWAIT)) < 0 && errno == EAGAIN
                }
                #expect(isNoticed)
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
                let request = get("/class/Maker", ["Cookie: inspector-\(port)=\(token)"], port: port)
                #expect(try exchange(request, port: port).contains("first"))
                inspector.stop()
                inspector.stop()
                // Another test can have taken the port, and a process that a test has forked keeps it open.
                #expect((try? exchange(request, port: port))?.contains("first") != true)
            }
        }
    }
#endif
