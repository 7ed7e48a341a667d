#if Sync
    import Foundation
    import PersistentObjects
    import PersistentSync
    import TestSupport
    import Testing

    final class OwnedNote: PersistentObject {
        override class var identity: Identity { .uuid }
        override class var isSynced: Bool { true }
        var text = ""
        var board: OwningBoard?
    }

    final class OwningBoard: PersistentObject {
        override class var identity: Identity { .uuid }
        override class var isSynced: Bool { true }
        var name = ""
        @Inverse(\OwnedNote.board, onDelete: .cascade) var notes: [OwnedNote]
    }

    /// The group of an object: before its first save, afterwards, and after rollbacks.
    @Suite struct ObjectGroupTests {
        private func new(_ title: String, in group: SyncGroup?) throws -> SharedNote {
            let note = SharedNote()
            note.title = title
            try note.setSyncGroup(group)
            return note
        }

        @Test func `the group of an unsaved object is written with its first save`() async throws {
            let pair = try StorePair()
            let group = try await pair.makeGroup()
            try pair.ann.withSession { session in
                let note = try new("one", in: group)
                expect(try pair.annSync.group(of: note)?.name, "Family")
                expect(try session.rows("SELECT * FROM po_sync_chosen").count, 0)
                try note.save()
                expect(try pair.annSync.group(of: note)?.name, "Family")
                // Several new objects in one save, with other groups.
                let others = [try new("two", in: group), try new("private", in: nil), try new("three", in: group)]
                try session.save(others)
                expect(try others.map { try pair.annSync.group(of: $0)?.name }, ["Family", nil, "Family"])
                let last = try new("four", in: group)
                try last.setSyncGroup(nil)
                expect(try pair.annSync.group(of: last)?.name, nil)
                try last.save()
            }
            try await pair.meet()
            expect(try pair.titles(pair.bob), ["one", "three", "two"])
        }

        @Test func `a rollback of the first save keeps the group for the next one`() async throws {
            let pair = try StorePair()
            let group = try await pair.makeGroup()
            try pair.ann.withSession { session in
                let note = try new("one", in: group)
                try? session.transaction {
                    try note.save()
                    try note.setSyncGroup(nil)
                    throw CancellationError()
                }
                #expect(note.isNew)
                expect(try pair.annSync.group(of: note)?.name, "Family")
                try session.transaction {
                    try? session.transaction {
                        try note.save()
                        throw CancellationError()
                    }
                    try note.save()
                }
                expect(try pair.annSync.group(of: note)?.name, "Family")
            }
            try await pair.meet()
            expect(try pair.titles(pair.bob), ["one"])
        }

        @Test func `a saved object moves at once, with nil back to its device, and not after a rollback`()
            async throws
        {
            let pair = try StorePair()
            let group = try await pair.makeGroup()
            try pair.insert("one", in: group)
            try await pair.meet()
            try pair.ann.withSession { session in
                let note = try #require(try SharedNote.all().first)
                try? session.transaction {
                    try note.setSyncGroup(nil)
                    throw CancellationError()
                }
                expect(try pair.annSync.group(of: note)?.name, "Family")
                try note.setSyncGroup(nil)
                expect(try pair.annSync.group(of: note)?.name, nil)
            }
            try await pair.meet()
            expect(try pair.titles(pair.ann) + pair.titles(pair.bob), ["one"])
            try pair.ann.withSession { _ in try #require(try SharedNote.all().first).setSyncGroup(group) }
            try await pair.meet()
            expect(try pair.titles(pair.bob), ["one"])
        }

        @Test func `objects that an unsaved owner owns by cascade follow it into its group`() async throws {
            let pair = try StorePair()
            for store in [pair.ann, pair.bob] { try store.prepare(OwningBoard.self, OwnedNote.self) }
            let group = try await pair.makeGroup()
            try pair.ann.withSession { _ in
                let (board, note) = (OwningBoard(), OwnedNote())
                (board.name, note.text, note.board) = ("board", "note", board)
                try board.setSyncGroup(group)
                try note.save()
                expect(try pair.annSync.group(of: note)?.name, "Family")
            }
            try await pair.meet()
            try pair.bob.withSession { _ in
                expect(try OwningBoard.all().flatMap(\.notes).map(\.text), ["note"])
            }
        }

        @Test func `a deletion that is undone after a round returns the object to its group`() async throws {
            let pair = try StorePair()
            let group = try await pair.makeGroup()
            try pair.insert("one", in: group)
            try await pair.meet()
            let session = try Session(pair.ann)
            defer { session.close() }
            session.recordsUndo = true
            // With the second count of rounds, all devices have forgotten the object.
            for rounds in [1, 3] {
                try session.use { try SharedNote.all().forEach { try $0.delete() } }
                for _ in 0..<rounds {
                    for sync in [pair.annSync, pair.bobSync] { expect(try await sync.meet().problems, []) }
                }
                expect(try pair.titles(pair.bob), [])
                expect(try session.use { try session.undo() }, true)
                try await pair.meet()
                expect(try pair.titles(pair.ann) + pair.titles(pair.bob), ["one", "one"])
            }
        }

        @Test func `a class that is not synced, a deleted object and a group of another store are refused`()
            async throws
        {
            let (pair, other) = (try StorePair(), try StorePair())
            let group = try await pair.makeGroup()
            let foreign = try await other.makeGroup()
            let plain = #expect(throws: SyncError.self) { try PrivateNote().setSyncGroup(group) }
            expect(plain?.code, .needsKey)
            try pair.ann.withSession { _ in
                let note = try new("one", in: foreign)
                let refused = #expect(throws: SyncError.self) { try note.save() }
                expect(refused?.code, .notAuthorised)
                #expect(note.isNew)
                expect(try SharedNote.count(), 0)
                try note.setSyncGroup(group)
                try note.save()
                let error = #expect(throws: SyncError.self) { try foreign.add(note) }
                expect(error?.code, .notAuthorised)
                try note.delete()
                let deleted = #expect(throws: SyncError.self) { try note.setSyncGroup(group) }
                expect(deleted?.code, .needsKey)
            }
        }

        @Test func `thousands of unsaved objects that end leave nothing, and later objects have no group of theirs`()
            async throws
        {
            let pair = try StorePair()
            let group = try await pair.makeGroup()
            for _ in 0..<3000 { _ = try new("ended", in: group) }
            try pair.ann.withSession { session in
                let notes = (0..<3000).map { _ in SharedNote() }
                expect(try notes.count { try pair.annSync.group(of: $0) != nil }, 0)
                try session.save(notes)
                expect(try session.rows("SELECT * FROM po_sync_chosen").count, 0)
            }
        }
    }
#endif
