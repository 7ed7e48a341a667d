#if Sync
    import Foundation
    import PersistentObjects
    import PersistentSync
    import TestSupport
    import Testing

    final class SharedLine: PersistentObject {
        override class var identity: Identity { .uuid }
        override class var isSynced: Bool { true }
        var text = ""
    }

    final class SharedNote: PersistentObject {
        override class var identity: Identity { .uuid }
        override class var isSynced: Bool { true }
        var title = ""
        var tags: Set<String> = []
        var lines: [SharedLine] = []
        @Merged(.counter) var stars = 0
    }

    final class PrivateNote: PersistentObject {
        var title = ""
    }

    /// Two stores in files, and their devices.
    final class StorePair: Sendable {
        let folder: URL
        let (ann, bob): (Store, Store)
        let (annSync, bobSync): (Sync, Sync)

        init() throws {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sync-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            self.folder = folder
            func store(_ name: String) throws -> Store {
                let store = try Store(folder.appendingPathComponent("\(name).sqlite").path)
                try store.prepare(SharedNote.self, SharedLine.self)
                return store
            }
            (ann, bob) = (try store("Ann"), try store("Bob"))
            annSync = try Self.sync(ann, "Ann", in: folder)
            bobSync = try Self.sync(bob, "Bob", in: folder)
        }

        func sync(_ store: Store, _ name: String) throws -> Sync { try Self.sync(store, name, in: folder) }

        private static func sync(_ store: Store, _ name: String, in folder: URL) throws -> Sync {
            try Sync(
                store, through: .folder(folder.appendingPathComponent("shared")), device: name,
                configuration: .init(stateFolder: folder.appendingPathComponent("keys")))
        }

        deinit {
            annSync.stop()
            bobSync.stop()
            ann.close()
            bob.close()
            try? FileManager.default.removeItem(at: folder)
        }

        /// Founds a group, in which both are members.
        func makeGroup() async throws -> SyncGroup {
            let group = try await annSync.makeGroup("Family")
            _ = try await bobSync.join(try await group.invitation())
            try await meet()
            return group
        }

        func meet() async throws {
            for sync in [annSync, bobSync, annSync, bobSync] {
                let report = try await sync.meet()
                #expect(report.problems.isEmpty, "\(report.problems)")
            }
        }

        func insert(_ title: String, in group: SyncGroup, lines: [String] = []) throws {
            try ann.withSession { _ in
                let note = SharedNote()
                note.title = title
                note.lines = lines.map { text in
                    let line = SharedLine()
                    line.text = text
                    return line
                }
                try note.save()
                try group.add(note)
                for line in note.lines { try group.add(line) }
            }
        }

        /// Edits the only note of a store.
        func edit(_ store: Store, _ body: (SharedNote) -> Void) throws {
            try store.withSession { _ in
                let note = try #require(try SharedNote.all().first)
                body(note)
                try note.save()
            }
        }

        func titles(_ store: Store) throws -> [String] {
            try store.withSession { _ in try SharedNote.all().map(\.title).sorted() }
        }
    }
#endif
