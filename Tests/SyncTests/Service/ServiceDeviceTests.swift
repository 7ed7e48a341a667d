#if Sync
    import Foundation
    import PersistentObjects
    import PersistentObjectsTesting
    import PersistentSync
    import SyncService
    import TestSupport
    import Testing

    /// Two stores that meet through a service.
    @Suite(.ownProcesses) struct ServiceDeviceTests {
        private func device(_ name: String, _ transport: HTTPTransport, in folder: URL) throws -> (Store, Sync) {
            let store = try Store(folder.appending(path: "\(name).sqlite").path)
            try store.prepare(Memo.self)
            let settings = Sync.Configuration(
                stateFolder: folder.appending(path: "keys-\(name)"), interval: .seconds(3600))
            return (store, try Sync(store, through: transport, device: name, configuration: settings))
        }

        private func insert(_ title: String, _ store: Store, in group: SyncGroup) throws {
            try store.withSession { _ in
                let memo = Memo()
                memo.title = title
                try memo.save()
                try group.add(memo)
            }
        }

        private func titles(_ store: Store) throws -> [String] {
            try store.withSession { _ in try Memo.all().map(\.title).sorted() }
        }

        @Test func `two devices meet through a service, and a commit reaches the other one at once`() async throws {
            let served = try ServedFolder()
            let folder = served.folder.folder
            let (annStore, ann) = try device("Ann", try served.transport(), in: folder)
            let (bobStore, bob) = try device("Bob", try served.transport(), in: folder)
            let group = try await ann.makeGroup("Family")
            try insert("first", annStore, in: group)
            try await ann.meet()
            _ = try await bob.join(try await group.invitation())
            for sync in [ann, bob, ann] { expect(try await sync.meet().problems, []) }
            expect(try titles(bobStore), ["first"])

            // The interval is an hour: hints cause the rounds.
            try ann.start()
            try bob.start()
            try await Task.sleep(for: .seconds(1))
            try insert("second", annStore, in: group)
            // Among thousands of other tests, each step of a round waits for its turn.
            while try titles(bobStore) != ["first", "second"] { try await Task.sleep(for: .milliseconds(50)) }
            ann.stop()
            bob.stop()

            // The service has no words of the objects.
            for ending in ["", "-wal"] {
                let bytes = try? Data(contentsOf: URL(filePath: served.folder.path + ending))
                for word in ["first", "second", "memo", "Family", "Ann"] {
                    #expect(bytes?.range(of: Data(word.utf8)) == nil, "\(word) is in the file\(ending)")
                }
            }
        }

        @Test func `a service that is killed between an addition and a list has everything that it confirmed`()
            async throws
        {
            let file = try TemporaryStore()
            let token = try ServedFolder.command(file.path, "add", "Joe")
            // The system chooses greater ports for other tests, so none of them takes it while the service is away.
            let (process, port) = try await start(file.path, port: .random(in: 20_000..<32_000))
            let transport = HTTPTransport(try ServedFolder.url(port), account: token)
            let (annStore, ann) = try device("Ann", transport, in: file.folder)
            let (bobStore, bob) = try device("Bob", transport, in: file.folder)
            let group = try await ann.makeGroup("Family")
            try insert("before", annStore, in: group)
            try await ann.meet()
            let code = try await group.invitation()
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()

            try insert("meanwhile", annStore, in: group)
            let report = try await ann.meet()
            expect(report.problems.map(\.error.code), [.notReachable])
            await #expect(throws: SyncError.self) { try await bob.join(code) }

            let (second, _) = try await start(file.path, port: port)
            defer {
                second.terminate()
                second.waitUntilExit()
            }
            _ = try await bob.join(code)
            expect(try titles(bobStore), ["before"])
            for sync in [ann, bob, ann, bob] { expect(try await sync.meet().problems, []) }
            expect(try titles(bobStore), ["before", "meanwhile"])
        }

        private static var permitsManyFiles: Bool {
            var limit = rlimit()
            #if canImport(Darwin)
                return getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur > 2000
            #else
                return getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 && limit.rlim_cur > 2000
            #endif
        }

        // In a separate process: with 1,365 open files, Foundation's Process reads beyond a buffer when it starts a program.
        @Test(.enabled(if: permitsManyFiles, "the system permits few open files"))
        func `a service works in a process with more than 1,024 open files`() async throws {
            await #expect(processExitsWith: .success) {
                let files = (0..<1100).map { _ in open("/dev/null", O_RDONLY) }
                defer { for file in files { close(file) } }
                let served = try ServedFolder()
                let entry = try #require(SyncEntry(path: "\(String(repeating: "1f", count: 16))/members/a", size: 3))
                try await served.transport().write(entry, [1, 2, 3])
                let read = try await served.transport().read(entry, from: 0)
                try #require(files.allSatisfy { $0 >= 0 } && read == [1, 2, 3])
            }
        }

        /// Starts the program; returns the port that it prints.
        private func start(_ file: String, port: UInt16) async throws -> (Process, UInt16) {
            let (process, output) = (Process(), Pipe())
            process.executableURL = try BuiltProgram.url("sync-service")
            process.arguments = [file, "serve", "--port", "\(port)"]
            process.standardOutput = output
            try process.run()
            var text = ""
            while !text.contains("\n") {
                let data = output.fileHandleForReading.availableData
                if data.isEmpty { break }
                text += String(decoding: data, as: UTF8.self)
            }
            let address = text.split(separator: "\n").first.flatMap { URL(string: String($0)) }
            return (process, UInt16(try #require(address?.port, "\(text)")))
        }
    }
#endif
