#if Sync
    import Foundation
    import PersistentObjects
    import PersistentSync
    import TestSupport
    import Testing

    final class CodedNote: PersistentObject {
        override class var identity: Identity { .string }
        override class var isSynced: Bool { true }
        @Unique var code: String?
    }

    final class NumberedNote: PersistentObject {
        override class var identity: Identity { .string }
        override class var isSynced: Bool { true }
        @Unique var number = 0
    }

    /// What a user decides about a conflict.
    @Suite struct ConflictTests {
        @Test func `giving up a value that is shown shows the value of the other device on both`() async throws {
            let pair = try StorePair()
            let group = try await pair.makeGroup()
            try pair.insert("Shopping", in: group)
            try await pair.meet()
            // Bob's edit gets the earlier time.
            try pair.edit(pair.bob) { $0.title = "Bob's" }
            _ = try pair.bobSync.waiting()
            try pair.edit(pair.ann) { $0.title = "Ann's" }
            _ = try await pair.bobSync.meet()
            let conflicts = try await pair.annSync.meet().conflicts
            let conflict = try #require(conflicts.first)
            expect(conflicts.map(\.isMineShown), [true])
            try conflict.restore()
            expect(try pair.titles(pair.ann), ["Ann's"])
            try conflict.giveUp()
            expect(try pair.titles(pair.ann), ["Bob's"])
            try await pair.meet()
            expect(try pair.titles(pair.ann) + pair.titles(pair.bob), ["Bob's", "Bob's"])
            // A later edit is not given up.
            try pair.edit(pair.ann) { $0.title = "Groceries" }
            try conflict.giveUp()
            expect(try pair.titles(pair.ann), ["Groceries"])
        }

        private func insert(_ key: String, _ store: Store, in group: SyncGroup) throws {
            try store.withSession { _ in
                let note = try CodedNote(key: key)
                note.code = "x"
                try note.setSyncGroup(group)
                try note.save()
            }
        }

        private func codes(_ store: Store) throws -> [String] {
            try store.withSession { _ in
                try CodedNote.all().map { "\($0.key ?? "") \($0.code ?? "-")" }.sorted()
            }
        }

        @Test func `a unique value that another object has is a conflict, and does not return if it is given up`()
            async throws
        {
            for isGivenUp in [true, false] {
                let pair = try StorePair()
                for store in [pair.ann, pair.bob] { try store.prepare(CodedNote.self) }
                let group = try await pair.makeGroup()
                let bobs = try #require(try pair.bobSync.groups.first)
                try insert("a", pair.ann, in: group)
                _ = try await pair.annSync.meet()
                try insert("b", pair.bob, in: bobs)
                let conflicts = try await pair.bobSync.meet().conflicts
                expect(conflicts.map(\.rule), [.unique])
                let conflict = try #require(conflicts.first)
                expect([conflict.className, conflict.key, conflict.property], ["CodedNote", "b", "code"])
                expect(conflict.mine, .text("x"))
                expect(try codes(pair.bob), ["a x", "b -"])
                // The owner of the value has no conflict, and the same one is not reported again.
                expect(try await pair.annSync.meet().conflicts.count, 0)
                expect(try await pair.bobSync.meet().conflicts.count, 0)
                try conflict.restore()
                expect(try codes(pair.bob), ["a x", "b -"])
                if isGivenUp { try conflict.giveUp() }
                try await pair.meet()
                expect(try pair.bobSync.waiting(for: CodedNote.self).count, isGivenUp ? 0 : 1)
                try pair.ann.withSession { _ in try #require(try CodedNote.find("a")).delete() }
                try await pair.meet()
                for store in [pair.ann, pair.bob] { expect(try codes(store), [isGivenUp ? "b -" : "b x"]) }
            }
        }

        @Test func `an object that is not shown because of a required unique value is a conflict of its device`()
            async throws
        {
            let pair = try StorePair()
            for store in [pair.ann, pair.bob] { try store.prepare(NumberedNote.self) }
            let group = try await pair.makeGroup()
            let bobs = try #require(try pair.bobSync.groups.first)
            for (key, store, sync, group) in [
                ("a", pair.ann, pair.annSync, group), ("b", pair.bob, pair.bobSync, bobs),
            ] {
                try store.withSession { _ in
                    let note = try NumberedNote(key: key)
                    note.number = 7
                    try note.setSyncGroup(group)
                    try note.save()
                }
                _ = try await key == "a" ? sync.meet().sentObjects : 0
            }
            let conflicts = try await pair.bobSync.meet().conflicts
            expect(conflicts.map(\.rule), [.unique])
            expect(conflicts.map(\.property), [nil])
            expect(conflicts.map(\.key), ["b"])
            try conflicts.first?.giveUp()
            expect(try pair.bob.withSession { _ in try NumberedNote.all().map(\.key) }, ["a"])
            expect(try pair.bobSync.waiting(for: NumberedNote.self).map(\.reason), [.notUnique])
        }
    }
#endif
