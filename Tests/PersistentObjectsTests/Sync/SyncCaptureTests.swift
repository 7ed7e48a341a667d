import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// The marks of rows, of the elements of sets and dictionaries, and of counters.
@Suite(.onSQLite("PostgreSQL captures no changes"))
struct SyncCaptureTests {
    typealias Team = SyncModel.Team
    typealias Player = SyncModel.Player

    @Test func `each save marks exactly what it changes`() throws {
        try SyncModel.withSession { session, file in
            let (team, player) = (Team(), Player())
            (team.name, player.name, player.team) = ("A", "x", team)
            (player.tags, player.codes, player.scores) = (["a", "b"], [1, 2], ["k": 1])
            try session.save([team, player])
            try expect(
                file.takeMarks(),
                [
                    "sync_player#1 +", "sync_player_codes#1 [1] +", "sync_player_codes#1 [2] +",
                    "sync_player_scores#1 [k] +", "sync_player_tags#1 +", "sync_team#1 +",
                ])
            player.age = 3
            try player.save()
            try expect(file.takeMarks(), ["sync_player#1 age"])
            (player.codes, player.scores) = ([2, 3], ["k": 2, "l": 1])
            try player.save()
            try expect(
                file.takeMarks(),
                [
                    "sync_player_codes#1 [1] -", "sync_player_codes#1 [3] +", "sync_player_scores#1 [k] value",
                    "sync_player_scores#1 [l] +",
                ])
            player.rivals = [player]
            try player.save()
            try expect(file.takeMarks(), ["sync_player_rivals#1 [1] +"])
            try player.save()
            try expect(file.takeMarks(), [])
        }
    }

    @Test func `queries, SQL, rules and other programs are captured`() throws {
        try SyncModel.withSession { session, file in
            let team = Team()
            let players = (0..<20).map { _ in Player() }
            for player in players { (player.team, player.codes) = (team, [1]) }
            try session.save(players)
            _ = try file.takeMarks()
            try session.execute("UPDATE sync_player SET name = 'raw' WHERE id = 1")
            try expect(file.takeMarks(), ["sync_player#1 name"])
            try session.execute("UPDATE sync_player SET name = name")
            try expect(file.takeMarks(), [])
            try Player.where { $0.name == "raw" }.update { $0.age = 9 }
            try expect(file.takeMarks(), ["sync_player#1 age"])
            _ = try file.file.sqlite("UPDATE sync_player SET age = 8, name = 'tool' WHERE id = 1")
            try expect(file.takeMarks(), ["sync_player#1 age,name"])
            try Player.where { $0.id > 18 }.delete()
            try expect(file.takeMarks().filter { !$0.contains("codes") }, ["sync_player#19 -", "sync_player#20 -"])
            let rows = try session.execute("DELETE FROM sync_player WHERE id = 18")
            #expect(rows == 1)
            try expect(file.takeMarks(), ["sync_player#18 -"], "elements of deleted owners are not marked")
            try team.delete()
            let marks = try file.marks().filter { !$0.contains("codes") && !$0.contains("team_id") }
            expect(marks.count { $0.hasSuffix(" -") }, 18)
            try expect(file.lines("SELECT hex(key) FROM po_sync_mark WHERE mask & 2 AND key IS NULL"), [])
        }
    }

    @Test(arguments: ["id", "\"ID\"", "rowid", "_ROWID_", "oid"])
    func `a row with another id is a deletion and an insertion`(name: String) throws {
        try SyncModel.withSession { session, file in
            let team = Team()
            try team.save()
            _ = try file.takeMarks()
            _ = try file.file.sqlite("UPDATE sync_team SET \(name) = 7")
            try expect(file.takeMarks(), ["sync_team#1 -", "sync_team#7 +"])
            _ = try file.file.sqlite("UPDATE sync_team SET \(name) = 7, name = 'B'")
            try expect(file.takeMarks(), ["sync_team#7 name"])
        }
    }

    @Test func `the key of a deleted object is recorded`() throws {
        try SyncModel.withSession { session, file in
            let team = Team()
            try team.save()
            let key = try file.lines("SELECT hex(key) FROM sync_team")
            _ = try file.takeMarks()
            try team.delete()
            try expect(file.lines("SELECT hex(key) FROM po_sync_mark"), key)
            try expect(file.marks(), ["sync_team#1 -"])
        }
    }

    @Test func `a replaced row is deleted and inserted, with the key that it had first`() throws {
        try SyncModel.withSession { session, file in
            try Team().save()
            let key = try file.lines("SELECT hex(key) FROM sync_team")
            _ = try file.takeMarks()
            try session.execute("INSERT OR REPLACE INTO sync_team (id, key, name) VALUES (1, x'07', 'new')")
            try session.execute("INSERT OR REPLACE INTO sync_team (id, key, name) VALUES (1, x'08', 'new')")
            try expect(file.lines("SELECT hex(key) FROM po_sync_mark"), key)
            try expect(file.marks(), ["sync_team#1 + -"])
        }
    }

    @Test func `counters add their differences, and other merge rules do not`() throws {
        try SyncModel.withSession { session, file in
            let player = Player()
            (player.stars, player.money) = (5, 1.25)
            try player.save()
            try expect(file.counts(), [], "the row of a new object has its value")
            player.stars += 2
            try player.save()
            (player.stars, player.money, player.weight) = (player.stars + 1, 3, 0.5)
            player.best = Date(timeIntervalSinceReferenceDate: 7)
            try player.save()
            try session.execute("UPDATE sync_player SET stars = stars - 10")
            try expect(file.counts(), ["money#1 175", "stars#1 -7", "weight#1 0.5"])
            try expect(
                file.lines("SELECT name || ' ' || merged FROM po_sync_column WHERE merged IS NOT NULL ORDER BY name"),
                ["best max", "money counter", "stars counter", "weight counter"])
        }
    }

    @Test func `a rolled-back change leaves no mark`() throws {
        struct Stop: Error {}
        try SyncModel.withSession { session, file in
            #expect(throws: Stop.self) {
                try session.transaction {
                    try Team().save()
                    throw Stop()
                }
            }
            try expect(file.marks(), [])
        }
    }

    @Test func `columns of other programs, of any type and of any number, are captured`() throws {
        try withTemporaryStore { store, file in
            try store.withSession { _ in try Team().save() }
            store.close()
            let added = (1...500).map { "ALTER TABLE sync_team ADD COLUMN c\($0) ANY" }.joined(separator: "; ")
            _ = try file.sqlite(added)
            let other = try Store(file.path)
            defer { other.close() }
            try other.prepare(Team.self)
            let marks = SyncFile(file: file)
            _ = try marks.takeMarks()
            _ = try file.sqlite("UPDATE sync_team SET c1 = 1, c58 = 1, c59 = 1, c500 = 1")
            try expect(marks.takeMarks(), ["sync_team#1 c1,c58", "sync_team#1 c59", "sync_team#1 c500"])
            _ = try file.sqlite("UPDATE sync_team SET c500 = 1.0")
            try expect(marks.takeMarks(), ["sync_team#1 c500"], "1 and 1.0 are different values")
            _ = try file.sqlite("UPDATE sync_team SET c500 = 1.0, name = name")
            try expect(marks.takeMarks(), [])
            try expect(marks.lines("SELECT DISTINCT born FROM po_sync_column WHERE name LIKE 'c%'"), ["1"])
        }
    }

    @Test func `a class with a history is captured as well`() throws {
        final class Diary: PersistentObject {
            override class var tableName: String { "sync_diary" }
            override class var identity: Identity { .uuid }
            override class var isSynced: Bool { true }
            override class var keepsHistory: Bool { true }
            var text = ""
            var lines: [String] = []
        }
        try withTemporarySession { session, file in
            let diary = Diary()
            diary.lines = ["l"]
            try diary.save()
            let marks = SyncFile(file: file)
            try expect(marks.takeMarks(), ["sync_diary#1 +", "sync_diary_lines#1 +"])
            diary.text = "one"
            try diary.save()
            try expect(marks.takeMarks(), ["sync_diary#1 text"])
            #expect(try diary.history.count() == 2)
        }
    }

    @Test func `other objects do not become stale, and a plain file has no tables for sync`() throws {
        try SyncModel.withSession { session, file in
            let (one, two) = (Team(), Team())
            try session.save([one, two])
            one.name = "new"
            try one.save()
            #expect(!session.classes.lookForTriggers(), "the triggers are the library's own")
            try expect(file.lines("SELECT level FROM po_feature WHERE name = 'sync'"), ["writing"])
        }
        final class Plain: PersistentObject {
            override class var tableName: String { "sync_plain" }
            var name = ""
        }
        try withTemporarySession { _, file in
            try Plain().save()
            try expect(file.sqlite("SELECT count(*) FROM sqlite_schema WHERE name LIKE 'po_sync%'"), "0")
            try expect(file.sqlite("SELECT count(*) FROM po_feature"), "0")
        }
    }

    @Test func `an erased store has nothing to send`() throws {
        try SyncModel.withSession { session, file in
            let player = Player()
            player.tags = ["a"]
            try player.save()
            try file.absorb("sync_player_tags")
            player.stars = 1
            player.tags = []
            try player.save()
            try session.store.erase()
            for table in ["mark", "place", "gone", "count"] {
                try expect(file.lines("SELECT count(*) FROM po_sync_\(table)"), ["0"])
            }
            try Team().save()
            try expect(file.marks(), ["sync_team#1 +"])
        }
    }
}
