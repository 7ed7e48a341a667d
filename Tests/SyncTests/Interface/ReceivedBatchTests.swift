#if Sync
    import Foundation
    import PersistentObjects
    import PersistentSync
    import TestSupport
    import Testing

    final class GuardedNote: PersistentObject {
        override class var identity: Identity { .uuid }
        override class var isSynced: Bool { true }
        static let calls = Recorder<String>()
        @Searchable var text = ""

        override func validate(_ problems: inout Problems) { Self.calls.add("validate") }
        override func willSave() { Self.calls.add("willSave") }
        override func willInsert() { Self.calls.add("willInsert") }
        override func willUpdate() { Self.calls.add("willUpdate") }
        override func willDelete() { Self.calls.add("willDelete") }
        override func didInsert() { Self.calls.add("didInsert") }
        override func didUpdate() { Self.calls.add("didUpdate") }
        override func didSave() { Self.calls.add("didSave") }
        override func didDelete() { Self.calls.add("didDelete") }
        override func didCommit() { Self.calls.add("didCommit") }
    }

    /// What a batch does to a store, besides its rows.
    @Suite struct ReceivedBatchTests {
        @Test func `a batch runs no hooks, no validation and no triggers of the program, and its words are found`()
            async throws
        {
            let pair = try StorePair()
            for store in [pair.ann, pair.bob] { try store.prepare(GuardedNote.self) }
            try pair.bob.withSession { session in
                try session.execute("CREATE TABLE log (event TEXT)")
                for event in ["INSERT", "UPDATE", "DELETE"] {
                    let work = "BEGIN INSERT INTO log VALUES ('x'); END"
                    try session.execute("CREATE TRIGGER on_\(event) AFTER \(event) ON guarded_note \(work)")
                }
            }
            let group = try await pair.makeGroup()
            func meetQuietly() async throws {
                _ = GuardedNote.calls.take()
                try await pair.meet()
                expect(GuardedNote.calls.take(), [])
            }
            func edit(_ body: (GuardedNote) throws -> Void) throws {
                try pair.ann.withSession { _ in try body(try #require(try GuardedNote.all().first)) }
            }
            try pair.ann.withSession { _ in
                let note = GuardedNote()
                note.text = "milk and bread"
                try note.setSyncGroup(group)
                try note.save()
            }
            #expect(GuardedNote.calls.all.contains("validate") && GuardedNote.calls.all.contains("didInsert"))
            try await meetQuietly()
            func found(_ word: String) throws -> Int {
                try pair.bob.withSession { _ in try GuardedNote.search(word).count() }
            }
            expect(try found("bread"), 1)
            try edit { note in
                note.text = "butter"
                try note.save()
            }
            try await meetQuietly()
            expect([try found("bread"), try found("butter")], [0, 1])
            try edit { try $0.delete() }
            try await meetQuietly()
            expect(try found("butter"), 0)
            let triggered = try pair.bob.withSession { session in try session.rows("SELECT * FROM log").count }
            expect(triggered, 0)
        }
    }
#endif
