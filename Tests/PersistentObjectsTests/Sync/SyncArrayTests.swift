import TestSupport
import Testing

@testable import PersistentObjects

/// The elements of arrays that sync knows keep their ids.
@Suite(.onSQLite("PostgreSQL captures no changes"))
struct SyncArrayTests {
    typealias Player = SyncModel.Player

    private func withPlayer(_ tags: [String], _ body: (Session, Player, SyncFile) throws -> Void) throws {
        try SyncModel.withSession { session, file in
            let player = Player()
            player.tags = tags
            try player.save()
            try file.absorb("sync_player_tags")
            try body(session, player, file)
        }
    }

    private func places(_ file: SyncFile) throws -> [String] { try file.places("sync_player_tags") }

    @Test func `elements keep their ids when they move, and lose them when they are removed`() throws {
        try withPlayer(["a", "b", "c", "d"]) { _, player, file in
            try expect(places(file), ["a:1", "b:2", "c:3", "d:4"])
            player.tags = ["d", "a", "b", "c"]
            try player.save()
            try expect(places(file), ["d:4", "a:1", "b:2", "c:3"])
            player.tags.insert("n", at: 2)
            try player.save()
            try expect(places(file), ["d:4", "a:1", "b:2", "c:3"], "a new element has no id yet")
            player.tags.remove(at: 0)
            try player.save()
            try expect(places(file), ["a:1", "b:2", "c:3"])
            try expect(file.gone(), ["d:4"])
            #expect(try file.marks().count == 1)
        }
    }

    @Test func `a replaced value keeps the id and is marked`() throws {
        try withPlayer(["a", "b"]) { session, player, file in
            player.tags[1] = "q"
            try player.save()
            try expect(places(file), ["a:1", "q:2*"])
            try expect(file.marks(), ["sync_player_tags#1 value"])
            try session.execute(
                """
                INSERT OR REPLACE INTO sync_player_tags SELECT owner_id, position, 'r' FROM sync_player_tags \
                WHERE value = 'a'
                """)
            try expect(places(file), ["q:2*"])
            try expect(file.gone(), ["a:1"], "the library's sessions fire the triggers of replaced rows")
        }
    }

    @Test func `an element replaced by another program keeps its id`() throws {
        try withPlayer(["a", "b"]) { _, _, file in
            _ = try file.file.sqlite(
                """
                INSERT OR REPLACE INTO sync_player_tags SELECT owner_id, position, 'r' FROM sync_player_tags \
                WHERE value = 'a'
                """)
            try expect(places(file), ["r:1*", "b:2"])
        }
    }

    @Test func `many inserts at one place, swaps and reversals keep all ids`() throws {
        try withPlayer(["a", "b", "c"]) { _, player, file in
            for index in 0..<14 {
                player.tags.insert("i\(index)", at: 1)
                try player.save()
            }
            try expect(places(file), ["a:1", "b:2", "c:3"])
            player.tags.reverse()
            try player.save()
            try expect(places(file).sorted(), ["a:1", "b:2", "c:3"])
            player.tags.swapAt(0, player.tags.count - 1)
            try player.save()
            try expect(places(file).sorted(), ["a:1", "b:2", "c:3"])
            try expect(file.gone(), [])
        }
    }

    @Test func `elements of other owners, and elements that change their owner`() throws {
        try withPlayer(["a", "b"]) { session, _, file in
            try Player().save()
            try session.execute("UPDATE sync_player_tags SET owner_id = 2 WHERE value = 'a'")
            try expect(places(file), ["b:2"])
            try expect(file.gone(), ["a:1"])
            try expect(
                file.marks(), ["sync_player#2 +", "sync_player_tags#1 -", "sync_player_tags#2 +"])
        }
    }

    @Test func `the entries of a deleted owner stay for its return`() throws {
        try withPlayer(["a", "b"]) { session, player, file in
            session.recordsUndo = true
            try player.delete()
            try expect(file.marks().filter { $0.hasPrefix("sync_player#") }, ["sync_player#1 -"])
            try session.undo()
            expect(player.tags, ["a", "b"])
            try expect(places(file), ["a:1", "b:2"])
        }
    }
}
