import TestSupport
import Testing

@testable import PersistentObjects

/// `willDelete` is called on each object in memory, regardless of which call deletes it.
struct DeleteHookTests {
    struct Veto: Error {}

    final class Team: PersistentObject {
        override class var tableName: String { "team" }
        var name = ""
        @OnDelete(.cascade) var players: [Player] = []
        @Transient var inside: (() throws -> Void)?
        override func willDelete() throws {
            Heard.calls?.add("team")
            try inside?()
        }
    }

    final class Player: PersistentObject {
        override class var tableName: String { "player" }
        var name = ""
        @Transient var isLoyal = false
        override func willDelete() throws {
            Heard.calls?.add(name)
            if isLoyal { throw Veto() }
        }
    }

    final class Note: PersistentObject {
        override class var tableName: String { "note" }
        var text = ""
        override func willDelete() throws { Heard.calls?.add(text) }
    }

    private func team(_ names: String...) throws -> Team {
        let team = Team()
        team.players = names.map { name in
            let player = Player()
            player.name = name
            return player
        }
        try team.save()
        return team
    }

    private func note(_ text: String) throws -> Note {
        let note = Note()
        note.text = text
        try note.save()
        return note
    }

    @Test func `deletions of objects, cascades and queries call willDelete of each object in memory once`() throws {
        try withTemporarySession { session, file throws in
            let first = try team("a", "b")
            try expect(Heard.by { () throws in try session.delete([first, first]) }, ["team", "a", "b"])
            try expect(file.sqlite("SELECT count(*) FROM player"), "0")
            let notes = try [note("1"), note("2"), note("3"), note("4")]
            try expect(Heard.by { () throws in try session.delete([notes[0], notes[0]]) }, ["1"])
            try expect(Heard.by { () throws in try Note.where { $0.text == "2" }.delete() }, ["2"])
            try expect(Heard.by { () throws in try Note.deleteBy.text("3") }, ["3"])
            try expect(Heard.by { () throws in try Note.deleteAll() }, ["4"])
            let second = try team("c")
            try expect(Heard.by { () throws in try Team.deleteAll() }, ["team", "c"])
            withExtendedLifetime((notes, second)) {}
        }
    }

    @Test func `rows that are not in memory are not loaded to call willDelete`() throws {
        try withTemporarySession { session, file throws in
            try session.reset()
            do { _ = try note("1") }
            try expect(Heard.by { () throws in try Note.deleteAll() }, [])
            let team = try team("a", "b")
            let id = try #require(team.id)
            let player = team.players[0]
            withExtendedLifetime(team) {}
            try session.reset()
            let playerID = try #require(player.id)
            let kept = try #require(try Player.find(playerID))
            try expect(Heard.by { () throws in try Team.where { $0.id == id }.delete() }, ["a"])
            #expect(kept.isDeleted)
            try expect(file.sqlite("SELECT count(*) FROM player"), "0")
        }
    }

    @Test func `an error thrown by one willDelete cancels the whole deletion`() throws {
        try withTemporarySession { _, file throws in
            let team = try team("a", "b")
            team.players[1].isLoyal = true
            #expect(throws: Veto.self) { () throws in try team.delete() }
            #expect(throws: Veto.self) { () throws in try Team.deleteAll() }
            #expect(throws: Veto.self) { () throws in try Team.query.delete() }
            #expect(!team.isDeleted && team.players.count == 2)
            try expect(file.sqlite("SELECT count(*) FROM team, player"), "2")
            team.players[1].isLoyal = false
            try team.delete()
            #expect(team.isDeleted)
        }
    }

    @Test func `a save calls willDelete of an object that leaves a collection that owns it`() throws {
        try withTemporarySession { _, file throws in
            let team = try team("a", "b")
            let leaver = team.players[0]
            leaver.isLoyal = true
            team.players.removeFirst()
            #expect(throws: Veto.self) { () throws in try team.save() }
            #expect(try file.sqlite("SELECT count(*) FROM player") == "2")
            #expect(try Heard.by { () throws in try team.save(.withoutHooks) } == [])
            #expect(leaver.isDeleted)
            let last = team.players
            team.players = []
            #expect(try Heard.by { () throws in try team.save() } == ["b"])
            #expect(last[0].isDeleted)
        }
    }

    @Test func `saving and deleting inside willDelete is refused, and finding is not`() throws {
        try withTemporarySession { _, _ throws in
            let team = try team("a")
            let note = try note("1")
            for body: () throws -> Void in [
                { try Note().save() }, { try note.delete() }, { try team.delete() }, { try Note.deleteAll() },
            ] {
                team.inside = body
                let error = #expect(throws: StoreError.self) { () throws in try team.delete() }
                #expect(error?.code == .misuse)
            }
            team.inside = { Heard.calls?.add("\(try Note.count()) note, \(team.players.count) player") }
            #expect(try Heard.by { () throws in try team.delete() } == ["team", "1 note, 1 player", "a"])
        }
    }
}
