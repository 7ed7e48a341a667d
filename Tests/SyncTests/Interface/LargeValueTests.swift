#if Sync
    import Foundation
    import PersistentObjects
    import PersistentSync
    import SyncService
    import TestSupport
    import Testing

    final class Film: PersistentObject {
        override class var identity: Identity { .uuid }
        override class var isSynced: Bool { true }
        var title = ""
        var picture = Data()
        @Lazy var sound = Data()
        var subtitles: String?
        var scenes: [Data] = []
    }

    /// Two stores with films, which meet through any transport.
    private final class FilmPair: Sendable {
        let folder: URL
        let (ann, bob): (Store, Store)
        let (annSync, bobSync): (Sync, Sync)

        /// - Parameter divides: Whether files have at most 20,000 bytes, and objects 200,000.
        init(_ folder: URL, _ transport: some SyncTransport, divides: Bool = true) throws {
            self.folder = folder
            func device(_ name: String) throws -> (Store, Sync) {
                let store = try Store(folder.appending(path: "\(name).sqlite").path)
                try store.prepare(Film.self)
                var settings = Sync.Configuration(stateFolder: folder.appending(path: "keys-\(name)"))
                if divides {
                    settings.limits.file = 20_000
                    settings.limits.piece = 7_000
                    settings.limits.object = 200_000
                }
                return (store, try Sync(store, through: transport, device: name, configuration: settings))
            }
            (ann, annSync) = try device("Ann")
            (bob, bobSync) = try device("Bob")
        }

        deinit {
            ann.close()
            bob.close()
        }

        func join() async throws -> SyncGroup {
            let group = try await annSync.makeGroup("Family")
            _ = try await bobSync.join(try await group.invitation())
            try await meet()
            return group
        }

        func meet() async throws {
            for sync in [annSync, bobSync, annSync, bobSync] { expect(try await sync.meet().problems, []) }
        }

        func add(to group: SyncGroup, _ body: (Film) -> Void) throws {
            try ann.withSession { _ in
                let film = Film()
                body(film)
                try film.save()
                try group.add(film)
            }
        }
    }

    /// Large values of real stores.
    @Suite(.ownThreads) struct LargeValueTests {
        static func data(_ count: Int, seed: UInt64 = 1) -> Data {
            var random = SeededGenerator(seed: seed)
            var data = Data(capacity: count + 8)
            while data.count < count { withUnsafeBytes(of: random.next()) { data.append(contentsOf: $0) } }
            return data.prefix(count)
        }

        /// Sends films with large values of all kinds, and others.
        private func exchange(_ pair: FilmPair) async throws {
            let group = try await pair.join()
            let (picture, sound, scene) = (Self.data(50_000), Self.data(60_000, seed: 2), Self.data(30_000, seed: 3))
            let text = String(repeating: "größer ", count: 9_000)
            try pair.add(to: group) {
                $0.title = "picture"; $0.picture = picture
            }
            try pair.add(to: group) { $0.title = "small" }
            try pair.add(to: group) {
                $0.title = "sound"; $0.sound = sound
            }
            try pair.add(to: group) {
                $0.title = "text"; $0.subtitles = text
            }
            try pair.add(to: group) {
                $0.title = "scenes"; $0.scenes = [scene, picture, scene]
            }
            try await pair.meet()
            try pair.bob.withSession { _ in
                let films = Dictionary(uniqueKeysWithValues: try Film.all().map { ($0.title, $0) })
                expect(films.keys.sorted(), ["picture", "scenes", "small", "sound", "text"])
                expect(films["picture"]?.picture, picture)
                expect(films["sound"]?.sound, sound)
                expect(films["text"]?.subtitles, text)
                expect(films["scenes"]?.scenes, [scene, picture, scene])
                films["scenes"]?.scenes.remove(at: 1)
                films["sound"]?.sound = picture
                for film in films.values { try film.save() }
            }
            try await pair.meet()
            try pair.ann.withSession { _ in
                expect(try Film.where { $0.title == "scenes" }.first()?.scenes, [scene, scene])
                expect(try Film.where { $0.title == "sound" }.first()?.sound, picture)
            }
        }

        @Test func `large values arrive through a folder`() async throws {
            let file = try TemporaryStore()
            try await exchange(FilmPair(file.folder, .folder(file.folder.appending(path: "shared"))))
        }

        @Test func `large values arrive through memory`() async throws {
            let file = try TemporaryStore()
            try await exchange(FilmPair(file.folder, MemoryTransport()))
        }

        @Test func `large values arrive through a service`() async throws {
            let served = try ServedFolder()
            try await exchange(FilmPair(served.folder.folder, try served.transport()))
        }

        @Test func `large values arrive through a store`() async throws {
            let file = try TemporaryStore()
            let store = try Store(file.path)
            defer { store.close() }
            try await exchange(FilmPair(file.folder, .store(store)))
        }

        @Test func `a picture of 20 MiB arrives in pieces of at most 4 MiB`() async throws {
            let file = try TemporaryStore()
            let shared = file.folder.appending(path: "shared")
            let pair = try FilmPair(file.folder, .folder(shared), divides: false)
            let group = try await pair.join()
            let picture = Data(repeating: 7, count: 20 << 20)
            try pair.add(to: group) { $0.picture = picture }
            try pair.add(to: group) { $0.title = "later" }
            try await pair.meet()
            try pair.bob.withSession { _ in
                expect(try Film.where { $0.title == "" }.first()?.picture == picture, true)
                expect(try Film.where { $0.title == "later" }.count(), 1)
            }
            let files = try FileManager.default.subpathsOfDirectory(atPath: shared.path).filter {
                $0.hasSuffix(".posb")
            }
            let sizes = try files.map {
                try shared.appending(path: $0).resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
            }
            expect(sizes.max(), 4 << 20)
        }

        @Test func `a value that is too large waits and is reported, and nothing else waits`() async throws {
            let file = try TemporaryStore()
            let pair = try FilmPair(file.folder, .folder(file.folder.appending(path: "shared")))
            let group = try await pair.join()
            try pair.add(to: group) {
                $0.title = "film"; $0.picture = Self.data(300_000)
            }
            try pair.add(to: group) { $0.title = "later" }
            let problems = try await pair.annSync.meet().problems
            let text = try pair.ann.withSession { _ in "\(try #require(try Film.where { $0.title == "film" }.first()))"
            }
            expect(problems.map(\.error.code), [.quota])
            expect(problems.map(\.className), ["Film"])
            let key = try #require(problems.first?.key)
            #expect(text.contains(key), "\(text) does not contain \(key)")
            #expect(problems.first?.error.message.contains("picture") == true)
            #expect(problems.first?.error.message.contains("300000 bytes") == true)
            expect(try await pair.bobSync.meet().problems, [])
            // The film is there without its picture.
            try pair.bob.withSession { _ in
                expect(try Film.all().map(\.title).sorted(), ["film", "later"])
                expect(try Film.all().map(\.picture), [Data(), Data()])
            }
            expect(try await pair.annSync.meet().problems.count, 1)
            try pair.ann.withSession { _ in
                let film = try #require(try Film.where { $0.title == "film" }.first())
                film.picture = Self.data(100_000)
                try film.save()
            }
            try await pair.meet()
            try pair.bob.withSession { _ in
                expect(try Film.where { $0.title == "film" }.first()?.picture, Self.data(100_000))
            }
        }
    }
#endif
