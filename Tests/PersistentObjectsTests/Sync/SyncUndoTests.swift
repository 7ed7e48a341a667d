import TestSupport
import Testing

@testable import PersistentObjects

/// Undo and redo are edits, whatever happened to the marks in between.
@Suite(.onSQLite("PostgreSQL captures no changes"))
struct SyncUndoTests {
    typealias Team = SyncModel.Team
    typealias Player = SyncModel.Player

    private func withPlayer(_ body: (Session, Player, SyncFile) throws -> Void) throws {
        try SyncModel.withSession { session, file in
            let player = Player()
            (player.name, player.tags, player.codes, player.scores) = ("x", ["a", "b", "c"], [1], ["k": 1])
            try player.save()
            try file.absorb("sync_player_tags")
            session.recordsUndo = true
            try body(session, player, file)
        }
    }

    @Test func `undo and redo mark what they change`() throws {
        try withPlayer { session, player, file in
            (player.name, player.age, player.stars) = ("y", 1, 3)
            (player.codes, player.scores) = ([2], ["k": 2])
            try player.save()
            let marks = [
                "sync_player#1 age,name,stars", "sync_player_codes#1 [1] -", "sync_player_codes#1 [2] +",
                "sync_player_scores#1 [k] value",
            ]
            try expect(file.counts(), ["stars#1 3"])
            try expect(file.takeMarks(), marks)
            try session.undo()
            expect(player.name, "x")
            try expect(file.counts(), ["stars#1 -3"])
            let undone = [
                "sync_player#1 age,name,stars", "sync_player_codes#1 [1] +", "sync_player_codes#1 [2] -",
                "sync_player_scores#1 [k] value",
            ]
            try expect(file.takeMarks(), undone)
            try session.redo()
            try expect(file.counts(), ["stars#1 3"])
            try expect(file.takeMarks(), marks)
        }
    }

    @Test func `undo keeps marks, and does not fail because they were emptied`() throws {
        try withPlayer { session, player, file in
            player.name = "y"
            try player.save()
            player.age = 2
            try player.save()
            try session.undo()
            try expect(file.marks(), ["sync_player#1 age,name"], "undo does not revert the marks")
            _ = try file.takeMarks()
            try session.undo()
            expect(player.name, "x")
            try expect(file.takeMarks(), ["sync_player#1 name"])
            try session.redo()
            try session.redo()
            try expect(file.takeMarks(), ["sync_player#1 age,name"])
        }
    }

    @Test func `groups, insertions and deletions`() throws {
        try withPlayer { session, player, file in
            let team = Team()
            try session.undoGroup("New team") {
                try team.save()
                player.team = team
                try player.save()
            }
            try expect(file.takeMarks(), ["sync_player#1 team_id", "sync_team#1 +"])
            let key = try file.lines("SELECT hex(key) FROM sync_team")
            try session.undo()
            try expect(file.lines("SELECT hex(key) FROM po_sync_mark WHERE mask = 2"), key)
            try expect(file.takeMarks(), ["sync_player#1 team_id", "sync_team#1 -"])
            try session.redo()
            try expect(file.takeMarks(), ["sync_player#1 team_id", "sync_team#1 +"])
            try player.delete()
            _ = try file.takeMarks()
            try session.undo()
            try expect(
                file.takeMarks(),
                [
                    "sync_player#1 +", "sync_player_codes#1 [1] +", "sync_player_scores#1 [k] +",
                    "sync_player_tags#1 +",
                ])
        }
    }

    @Test func `restored elements of arrays get their ids back`() throws {
        try withPlayer { session, player, file in
            func places() throws -> [String] { try file.places("sync_player_tags") }
            player.tags = ["c", "x", "b"]
            try player.save()
            let later = try places()
            #expect(later.contains("c:3") && later.contains("b:2"))
            try session.undo()
            expect(player.tags, ["a", "b", "c"])
            let back = try places().map { String($0.prefix(3)) }
            expect(back, ["a:1", "b:2", "c:3"])
            try expect(file.gone(), [])
            try session.redo()
            expect(player.tags, ["c", "x", "b"])
            #expect(try places().contains { $0.hasPrefix("c:3") } && places().contains { $0.hasPrefix("b:2") })
            player.tags = []
            try player.save()
            #expect(try file.gone().contains("c:3") && places() == [])
            try session.undo()
            #expect(try places().contains { $0.hasPrefix("c:3") } && places().contains { $0.hasPrefix("b:2") })
            try expect(file.gone(), [])
        }
    }

    @Test func `undo does not restore the library's own tables`() throws {
        try withPlayer { session, player, file in
            player.name = "y"
            try player.save()
            _ = try file.file.sqlite("UPDATE po_class SET module = 'other'")
            try session.undo()
            expect(player.name, "x")
            try expect(file.lines("SELECT DISTINCT module FROM po_class"), ["other"])
        }
    }
}
