#if Sync
    import Foundation
    import PersistentObjects
    import TestSupport
    import Testing

    @testable import PersistentSync

    /// Stores that exchange batches show the same.
    @Suite(.onSQLite("a server is not a device"))
    struct StoreRoundTests {
        typealias Team = StoreModel.Team
        typealias Player = StoreModel.Player
        typealias Keeper = StoreModel.Keeper
        typealias Note = StoreModel.Note

        private func ann() throws -> Player { try #require(try Player.findByName("Ann").first) }

        private func withPlayer(_ body: (StoreDevices) throws -> Void) throws {
            let devices = try StoreDevices(2)
            try devices[0].use {
                let team = Team()
                (team.name, team.code) = ("A", "a")
                try team.save()
                let player = Player()
                (player.name, player.age, player.team) = ("Ann", 20, team)
                (player.tags, player.codes, player.scores) = (["x", "y", "z"], [1, 2], ["k": 1])
                player.address.city = "Rome"
                player.extra = [.init(city: "Oslo", zip: 5)]
                player.photo = Data([1, 2, 3])
                (player.stars, player.money, player.best) = (3, 1.25, 7)
                player.first = Date(timeIntervalSince1970: 1000.5)
                try player.save()
                let keeper = Keeper()
                (keeper.name, keeper.gloves, keeper.friend) = ("Kim", "red", player)
                (keeper.rivals, keeper.bench) = ([player], [player, keeper])
                try keeper.save()
            }
            try devices.meet()
            try devices.expectEqual("first meeting")
            try body(devices)
        }

        @Test func `every kind of property arrives`() throws {
            try withPlayer { devices in
                try devices[1].use {
                    let keeper = try #require(try Keeper.all().first)
                    let player = try #require(keeper.friend)
                    #expect(keeper.rivals == [player] && keeper.bench == [player, keeper] && keeper.gloves == "red")
                    #expect(player.name == "Ann" && player.age == 20 && player.team?.code == "a")
                    #expect(player.tags == ["x", "y", "z"] && player.codes == [1, 2] && player.scores == ["k": 1])
                    #expect(player.address.city == "Rome" && player.extra == [.init(city: "Oslo", zip: 5)])
                    #expect(player.photo == Data([1, 2, 3]) && player.stars == 3 && player.money == 1.25)
                    #expect(player.best == 7 && player.first == Date(timeIntervalSince1970: 1000.5))
                    #expect(try Player.search("Ann").all() == [player], "the search index is maintained")
                }
                #expect(try devices[1].session.rows("SELECT 1 FROM po_sync_mark").isEmpty, "applying is no edit")
                #expect(try devices[0].replica.unsentCount(in: devices.group) == 0)
            }
        }

        @Test func `edits of different properties are both kept, and counters are added`() throws {
            try withPlayer { devices in
                for index in 0...1 {
                    try devices[index].use {
                        let player = try ann()
                        if index == 0 { player.age = 21 } else { player.address.zip = 99 }
                        player.stars += index + 1
                        player.money += Decimal(index) + 0.5
                        player.best = 8 + index
                        player.first = Date(timeIntervalSince1970: 900 + Double(index))
                        player.codes = index == 0 ? [1, 3] : [1, 2, 4]
                        player.scores = index == 0 ? ["k": 2, "a": 1] : ["k": 1, "b": 2]
                        try player.save()
                    }
                }
                try devices.meet()
                try devices.expectEqual()
                try devices[0].use {
                    let player = try ann()
                    try player.reload()
                    #expect(player.age == 21 && player.address.zip == 99 && player.stars == 6 && player.money == 3.25)
                    #expect(player.best == 9 && player.first == Date(timeIntervalSince1970: 900))
                    #expect(player.codes == [1, 3, 4] && player.scores == ["k": 2, "a": 1, "b": 2])
                }
            }
        }

        @Test func `elements of an array are merged one by one, and a move keeps an element`() throws {
            try withPlayer { devices in
                try devices[0].use {
                    let player = try ann()
                    player.tags = ["z", "x", "y"]
                    try player.save()
                }
                try devices[1].use {
                    let player = try ann()
                    player.tags = ["x", "new", "y"]
                    try player.save()
                }
                try devices.meet()
                try devices.expectEqual()
                let tags = try devices[0].use { try ann().tags }
                #expect(tags.sorted() == ["new", "x", "y"], "\(tags)")
                #expect(tags.firstIndex(of: "x")! < tags.firstIndex(of: "new")!)
                #expect(tags.firstIndex(of: "new")! < tags.firstIndex(of: "y")!)
            }
        }

        @Test func `a deletion takes the owned objects, and an edit does not bring them back`() throws {
            try withPlayer { devices in
                try devices[0].use { try #require(try Team.all().first).delete() }
                try devices[1].use {
                    let player = try ann()
                    player.age = 50
                    try player.save()
                }
                try devices.meet()
                try devices.expectEqual()
                try devices[1].use {
                    try #expect(Team.count() == 0 && Player.count() == 1)
                    let keeper = try #require(try Keeper.all().first)
                    #expect(keeper.friend == nil && keeper.rivals == [] && keeper.bench == [keeper])
                }
                #expect(try devices[1].replica.waiting().contains { $0.property == "friend" })
            }
        }

        @Test func `an edit wins against a deletion in a class that keeps what was edited`() throws {
            let devices = try StoreDevices(2)
            try devices[0].use {
                for number in 1...2 {
                    let note = try Note(key: "n\(number)")
                    (note.text, note.number) = ("text", number)
                    try note.save()
                }
            }
            try devices.meet()
            try devices[0].use { _ = try Note.unscoped.deleteForever() }
            try devices[1].use {
                let note = try #require(try Note.find("n1"))
                note.text = "edited"
                try note.save()
            }
            try devices.meet()
            try devices.expectEqual()
            try devices[0].use {
                try #expect(Note.all().map(\.text) == ["edited"])
                let authors = try Note.history.all().compactMap(\.author)
                #expect(authors.contains("sync: device 1"))
            }
        }

        @Test func `an object that returns is again in all collections and references`() throws {
            let devices = try StoreDevices(2)
            func board() throws -> StoreModel.Board { try #require(try StoreModel.Board.find("b")) }
            try devices[0].use {
                let notes = try (0..<3).map { number in
                    let note = try Note(key: "n\(number)")
                    note.number = number
                    return note
                }
                let board = try StoreModel.Board(key: "b")
                (board.notes, board.pinned, board.first) = (notes, [notes[0], notes[1]], notes[1])
                board.named = ["x": notes[1], "y": notes[2]]
                try board.save()
            }
            try devices.meet()
            try devices[1].use {
                _ = try Note.unscoped.where { $0.key == "n1" }.deleteForever()
                let board = try board()
                #expect(board.notes.map(\.number) == [0, 2] && board.pinned.count == 1 && board.named.count == 1)
            }
            try devices[1].replica.absorb()
            try devices[0].use {
                let note = try #require(try Note.find("n1"))
                note.text = "edited"
                try note.save()
            }
            try devices.meet()
            for index in 0...1 {
                try devices[index].use {
                    try devices[index].session.refresh()
                    let board = try board()
                    #expect(board.notes.map(\.number) == [0, 1, 2] && board.pinned.map(\.number).sorted() == [0, 1])
                    #expect(board.named.mapValues(\.number) == ["x": 1, "y": 2] && board.first?.text == "edited")
                }
            }
        }

        @Test func `objects can exchange unique values`() throws {
            let devices = try StoreDevices(3)
            try devices[0].use {
                for number in 1...3 {
                    let note = try Note(key: "n\(number)")
                    note.number = number
                    try note.save()
                    let team = Team()
                    (team.name, team.code) = ("\(number)", "\(number)")
                    try team.save()
                }
            }
            try devices.meet()
            try devices[0].use {
                try devices[0].session.execute("UPDATE sync_note SET number = number + 10")
                try devices[0].session.execute("UPDATE sync_note SET number = iif(number = 13, 1, number - 9)")
            }
            try devices[1].use {
                let teams = try Team.all()
                for team in teams { team.code = nil }
                for team in teams { try team.save() }
                teams[0].code = "2"
                try teams[0].save()
            }
            try devices[2].use {
                let team = Team()
                (team.name, team.code) = ("new", "2x")
                try team.save()
                try devices[2].session.execute("UPDATE sync_team SET code = '2' WHERE name = '2'")
            }
            try devices.meet()
            try devices.expectEqual()
            try #expect(
                devices[1].session.rows("SELECT number FROM sync_note ORDER BY key").map { $0["number"] }
                    == [.integer(2), .integer(3), .integer(1)])
        }

        @Test func `two objects with one unique value: the older one shows it, and the other one later`() throws {
            let devices = try StoreDevices(2)
            for index in 0...1 {
                try devices[index].use {
                    let team = Team()
                    (team.name, team.code) = ("\(index)", "same")
                    try team.save()
                }
            }
            try devices.meet()
            try devices.expectEqual()
            func codes() throws -> [DatabaseValue?] {
                try devices[0].session.rows("SELECT code FROM sync_team ORDER BY name").map { $0["code"] }
            }
            #expect(try codes() == [.text("same"), .null])
            let waiting = try devices[1].replica.waiting()
            #expect(waiting.count == 1 && waiting.first?.property == "code")
            try devices[1].use {
                let team = try #require(try Team.findByName("0").first)
                try team.delete()
            }
            try devices.meet()
            try devices.expectEqual()
            #expect(try codes() == [.text("same")])
        }

        @Test func `undo is an edit, and does not revert what arrived`() throws {
            try withPlayer { devices in
                devices[1].session.recordsUndo = true
                try devices[1].use {
                    let player = try ann()
                    (player.age, player.tags) = (77, ["z", "y"])
                    try player.save()
                }
                try devices[0].use {
                    let player = try ann()
                    player.address.city = "Bonn"
                    try player.save()
                }
                try devices.meet()
                try devices[1].use { try #expect(devices[1].session.undo()) }
                try devices.meet()
                try devices.expectEqual()
                try devices[0].use {
                    let player = try ann()
                    try player.reload()
                    #expect(player.age == 20 && player.tags == ["x", "y", "z"] && player.address.city == "Bonn")
                }
                try devices[1].use { try ann().delete() }
                try devices.meet()
                try devices.expectEqual("deleted")
                try devices[1].use { try #expect(devices[1].session.undo()) }
                try devices.meet()
                try devices.expectEqual("restored")
                try devices[0].use { try #expect(Keeper.all().first?.rivals.first?.name == "Ann") }
            }
        }

        @Test func `an open object keeps its unsaved edits and gets the others`() throws {
            try withPlayer { devices in
                let player = try devices[1].use { try ann() }
                player.age = 30
                try devices[0].use {
                    let player = try ann()
                    (player.address.city, player.tags) = ("Bonn", ["x"])
                    try player.save()
                }
                try devices.send(0, to: 1)
                try devices[1].use {
                    try player.save()
                    #expect(player.age == 30 && player.address.city == "Bonn" && player.tags == ["x"])
                }
                try devices.meet()
                try devices.expectEqual()
            }
        }

        @Test func `raw SQL is an edit, and replacing a row writes all its columns`() throws {
            try withPlayer { devices in
                try devices[0].session.execute("UPDATE sync_player SET age = 99 WHERE name = 'Ann'")
                try devices[1].session.execute(
                    "REPLACE INTO sync_note (id, key, text, number) VALUES (5, 'n', 'a', 1), (5, 'n', 'b', 1)")
                try devices.meet()
                try devices[1].session.execute(
                    "REPLACE INTO sync_note (id, key, text, number) SELECT id, key, 'c', number FROM sync_note")
                try devices.meet()
                try devices.expectEqual()
                try #expect(devices[0].session.rows("SELECT text FROM sync_note").map { $0["text"] } == [.text("c")])
                try #expect(devices[1].session.rows("SELECT max(age) a FROM sync_player").first?["a"] == .integer(99))
            }
        }

        @Test func `a batch says what it changed, and what it decided against an edit`() throws {
            try withPlayer { devices in
                for index in 0...1 {
                    try devices[index].use {
                        let player = try ann()
                        player.age = 40 + index
                        try player.save()
                    }
                    // The clock of the second edit is later.
                    try devices[index].replica.absorb()
                    Thread.sleep(forTimeInterval: 0.005)
                }
                let result = try #require(try devices.send(1, to: 0))
                #expect(result.changed.updated["Player"]?.count == 1 && result.changed.inserted.isEmpty)
                let conflict = try #require(result.conflicts.first)
                #expect(result.conflicts.count == 1 && conflict.property == "age" && !conflict.isMineShown)
                #expect(conflict.mine == .integer(40) && conflict.theirs == .integer(41))
                try devices.meet()
                // An edit that saw the other one is no conflict.
                try devices[0].use {
                    let player = try ann()
                    try player.reload()
                    player.age = 50
                    try player.save()
                }
                #expect(try devices.send(0, to: 1)?.conflicts == [])
            }
        }
    }
#endif
