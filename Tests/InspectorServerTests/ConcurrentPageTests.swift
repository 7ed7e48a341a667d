#if Inspector
    import Foundation
    import LoopbackHTTP
    import PersistentInspector
    import PersistentObjects
    import TestSupport
    import Testing

    @testable import InspectorServer

    #if canImport(Glibc)
        import Glibc
    #endif

    final class Album: PersistentObject {
        var name = ""
        var cover = Data()
    }

    /// Several requests at once, several inspectors of one file, and long values.
    @Suite(.ownThreads, .serialized) struct ConcurrentPageTests {
        @Test(.hangLimit) func `slow pages do not keep other requests waiting`() async throws {
            let server = try #require(LoopbackServer(port: 0, limits: Inspector.limits))
            defer { server.stop() }
            let (started, start) = AsyncStream.makeStream(of: Void.self)
            let end = DispatchSemaphore(value: 0)
            server.start { request in
                if request.path == "/slow" {
                    start.yield()
                    end.wait()
                }
                return .answered(Response(status: 200, text: "page \(request.path)"))
            }
            // One thread remains.
            let count = Int(Inspector.limits.threads) - 1
            let port = server.port
            var starts = started.makeAsyncIterator()
            var slow: [Int32] = []
            for _ in 0..<count {
                slow.append(try connection(sending: get("/slow", [], port: port), port: port))
                _ = await starts.next()
            }
            for number in 0..<20 {
                let answer = try exchange(get("/quick\(number)", [], port: port), port: port)
                #expect(answer.hasSuffix("page /quick\(number)"))
            }
            for _ in 0..<count { end.signal() }
            for socket in slow {
                #expect(received(socket).hasSuffix("page /slow"))
                close(socket)
            }
        }

        /// Runs `body`, and returns what the program prints meanwhile.
        private func printed(_ body: () throws -> Void) throws -> String {
            let file = FileManager.default.temporaryDirectory.appending(path: "printed-\(UUID())")
            defer { try? FileManager.default.removeItem(at: file) }
            fflush(nil)
            let output = dup(1)
            let copy = open(file.path(percentEncoded: false), O_RDWR | O_CREAT | O_TRUNC, 0o600)
            try #require(output >= 0 && copy >= 0)
            dup2(copy, 1)
            defer {
                close(output)
                close(copy)
            }
            do {
                defer {
                    fflush(nil)
                    dup2(output, 1)
                }
                try body()
            }
            let data = try Data(contentsOf: file)
            // Other tests may have printed, too.
            FileHandle.standardOutput.write(data)
            return String(decoding: data, as: UTF8.self)
        }

        @Test func `serving a store prints its address once`() throws {
            try withTemporaryStore { store, _ throws in
                try store.withSession { try $0.save([Maker()]) }
                var address = ""
                let text = try printed {
                    let inspector = try Inspector.serve(store)
                    address = inspector.address
                    inspector.stop()
                }
                #expect(address.hasPrefix("http://127.0.0.1:") && address.contains("/?token="))
                let lines = text.split(separator: "\n").filter { $0.hasSuffix("Inspector: \(address)") }
                #expect(lines.count == 1, "\(text)")
            }
        }

        private func page(_ path: String, of address: String) throws -> String {
            let port = UInt16(try #require(URLComponents(string: address)?.port))
            return try exchange(get(path, ["Cookie: inspector-\(port)=\(address.suffix(32))"], port: port), port: port)
        }

        @Test func `two inspectors of a process serve one file, each with its own token`() throws {
            let file = try TemporaryStore()
            let path = try makeServedFile(file)
            let first = try Inspector.serve(path: path)
            let second = try Inspector.serve(path: path)
            defer { second.stop() }
            #expect(first.address != second.address)
            for inspector in [first, second] {
                #expect(try page("/class/Gadget", of: inspector.address).contains("gadget 2"))
            }
            let port = UInt16(try #require(URLComponents(string: second.address)?.port))
            let foreign = get("/", ["Cookie: inspector-\(port)=\(first.address.suffix(32))"], port: port)
            #expect(try exchange(foreign, port: port).hasPrefix("HTTP/1.1 403"))
            first.stop()
            #expect(try page("/class/Gadget", of: second.address).contains("gadget 2"))
        }

        @Test func `a file of another program is served, and an encrypted one is not`() throws {
            let file = try TemporaryStore()
            _ = try SQLiteTool.run(file.path, "CREATE TABLE a (b); INSERT INTO a VALUES ('text of a')")
            let output = Pipe()
            let process = Process()
            process.executableURL = try BuiltProgram.url("persistent")
            process.arguments = [file.path, "serve"]
            process.standardOutput = output
            try process.run()
            // The threads of tests block other signals, and processes inherit that.
            defer { kill(process.processIdentifier, SIGKILL) }
            var text = ""
            while !text.contains("\n") {
                let data = output.fileHandleForReading.availableData
                guard !data.isEmpty else { break }
                text += String(decoding: data, as: UTF8.self)
            }
            let address = try #require(text.split(separator: "\n").first.map(String.init))
            #expect(try page("/", of: address).contains("Use the command sql"))
            #expect(try page("/sql?q=SELECT+b+FROM+a", of: address).contains("text of a"))
            #if Encryption
                let sealed = try TemporaryStore()
                let keys = try Keyring.file(sealed.folder.appending(path: "keys.po").path)
                let store = try sealed.open(configuration: .init(encryption: .file(keys)))
                defer { store.close() }
                let error = #expect(throws: InspectorError.self) { try Inspector.serve(store) }
                #expect(error?.description.contains("is encrypted, and the inspector has no keys") == true)
            #endif
        }

        @Test func `inspectors of two processes serve one file`() throws {
            let file = try TemporaryStore()
            let path = try makeServedFile(file)
            var processes: [Process] = []
            // The threads of tests block other signals, and processes inherit that.
            defer { for process in processes { kill(process.processIdentifier, SIGKILL) } }
            var addresses: [String] = []
            for _ in 0..<2 {
                let output = Pipe()
                let process = Process()
                process.executableURL = try BuiltProgram.url("persistent")
                process.arguments = [path, "serve"]
                process.standardOutput = output
                try process.run()
                processes.append(process)
                var text = ""
                while !text.contains("\n") {
                    let data = output.fileHandleForReading.availableData
                    guard !data.isEmpty else { break }
                    text += String(decoding: data, as: UTF8.self)
                }
                addresses.append(String(try #require(text.split(separator: "\n").first)))
            }
            let own = try Inspector.serve(path: path)
            defer { own.stop() }
            for address in addresses + [own.address] {
                #expect(try page("/class/Gadget", of: address).contains("gadget 2"), "\(address)")
            }
        }

        @Test func `pages do not read long bytes`() throws {
            let file = try TemporaryStore()
            let store = try file.open(configuration: .init(journal: .rollback))
            try store.withSession { session in
                let album = Album()
                album.name = "Blue"
                album.cover = Data(repeating: 7, count: 50_000_000)
                try session.save([album])
            }
            store.close()
            // Without the pages in the middle, the value can be measured, but it cannot be read.
            let handle = try FileHandle(forUpdating: URL(filePath: file.path))
            try handle.seek(toOffset: 10_000_000)
            try handle.write(contentsOf: Data(count: 20_000_000))
            try handle.close()
            let inspector = try Inspector.serve(path: file.path)
            defer { inspector.stop() }
            for path in [
                "/class/Album", "/object/Album/1", "/object/Album/1.json", "/object/Album/1/graph",
                "/find?q=Album.findByName%28%22Blue%22%29", "/find?q=Album.findFirstByOrderByName%28%29",
                "/sql?q=SELECT%20name,%20cover%20FROM%20album%3B%20",
            ] {
                let text = try page(path, of: inspector.address)
                #expect(text.hasPrefix("HTTP/1.1 200") && text.contains("Blue"), "\(path): \(text)")
                #expect(text.contains("50,000,000 bytes") || path.hasSuffix("graph"), "\(path): \(text)")
            }
            #expect(try page("/data/Album/1/cover", of: inspector.address).hasPrefix("HTTP/1.1 404"))
        }
    }
#endif
