#if Sync
    import Foundation
    import PersistentObjects
    import StoreEngine
    import Synchronization
    import TestSupport
    import Testing

    @testable import PersistentSync

    /// Cases in which a store knows more than it shows, or another program writes.
    @Suite(.onSQLite("a server is not a device"))
    struct StoreCaseTests {
        typealias Team = StoreModel.Team
        typealias Player = StoreModel.Player
        typealias Note = StoreModel.Note

        enum Version1 {
            final class Plant: PersistentObject {
                override class var tableName: String { "sync_plant" }
                override class var identity: Identity { .string }
                override class var isSynced: Bool { true }
                var name = ""
            }
        }

        enum Version2 {
            final class Plant: PersistentObject {
                override class var tableName: String { "sync_plant" }
                override class var identity: Identity { .string }
                override class var isSynced: Bool { true }
                var name = ""
                var height = 7
                var uses: Set<String> = []
                var neighbor: Pot?
            }

            final class Pot: PersistentObject {
                override class var tableName: String { "sync_pot" }
                override class var identity: Identity { .string }
                override class var isSynced: Bool { true }
                var size = 1
            }
        }

        @Test func `a device of version 1 keeps what it does not know, and shows it after the update`() throws {
            let devices = try StoreDevices(1, [Version2.Plant.self, Version2.Pot.self])
            try devices.add([Version1.Plant.self])
            try devices[0].use {
                let pot = try Version2.Pot(key: "pot")
                pot.size = 3
                try pot.save()
                let plant = try Version2.Plant(key: "fern")
                (plant.name, plant.height, plant.uses, plant.neighbor) = ("fern", 20, ["tea"], pot)
                try plant.save()
            }
            try devices.meet()
            try devices[1].use {
                let plant = try #require(try Version1.Plant.find("fern"))
                plant.name = "Fern"
                try plant.save()
                let other = try Version1.Plant(key: "moss")
                other.name = "moss"
                try other.save()
            }
            let waiting = try devices[1].replica.waiting()
            #expect(waiting.contains { $0.property == "height" && $0.reason == .unknownProperty })
            #expect(waiting.contains { $0.key.type == "Pot" && $0.reason == .unknownClass })
            try devices.meet()
            try devices[0].use {
                try #expect(Version2.Plant.all().map(\.name).sorted() == ["Fern", "moss"])
                try #expect(Version2.Plant.find("fern")?.height == 20, "version 1 sent no initial value")
                try #expect(Version2.Plant.find("moss")?.height == 7)
            }
            // The program is updated.
            let path = try #require(devices[1].store.path)
            devices[1].session.close()
            let store = try Store(path)
            try store.prepare(Version2.Plant.self, Version2.Pot.self)
            let replica = try StoredReplica(store)
            try replica.absorb()
            try store.withSession { _ in
                let plant = try #require(try Version2.Plant.find("fern"))
                #expect(plant.height == 20 && plant.uses == ["tea"] && plant.neighbor?.size == 3)
                try #expect(Version2.Plant.find("moss")?.height == 7)
            }
            #expect(try replica.waiting() == [])
            store.close()
        }

        @Test func `a child that arrives after its owner's deletion is not shown until the owner is`() throws {
            let devices = try StoreDevices(2)
            try devices[0].use {
                let team = Team()
                team.name = "A"
                try team.save()
            }
            try devices.meet()
            devices[0].session.recordsUndo = true
            try devices[0].use { try #require(try Team.all().first).delete() }
            try devices[1].use {
                let player = Player()
                (player.name, player.team) = ("late", try Team.all().first)
                try player.save()
            }
            try devices.meet()
            try devices.expectEqual()
            try devices[0].use { try #expect(Player.count() == 0) }
            #expect(try devices[1].replica.waiting().contains { $0.property == nil && $0.key.type == "Player" })
            try devices[0].use { try #expect(devices[0].session.undo()) }
            try devices.meet()
            try devices.expectEqual()
            try devices[1].use { try #expect(Player.all().map(\.team?.name) == ["A"]) }
        }

        @Test func `an edit between reading and receiving a batch is neither lost nor taken for another's`() throws {
            let devices = try StoreDevices(2)
            try devices[0].use {
                let note = try Note(key: "n")
                note.text = "a"
                try note.save()
            }
            try devices.meet()
            try devices[0].use {
                let note = try #require(try Note.find("n"))
                note.text = "b"
                try note.save()
            }
            let received = try devices[1].replica.groups[devices.group]?.received[devices[0].replica.device] ?? 0
            let batch = try #require(try devices[0].replica.batch(for: devices.group, after: received))
            // Clocks count milliseconds, and the device wins whose random name is greater if they are equal.
            Thread.sleep(forTimeInterval: 0.005)
            try devices[1].session.execute("UPDATE sync_note SET text = 'c', number = 5")
            let result = try devices[1].replica.receive(batch, from: "x")
            // This device's edit is the later one.
            #expect(result.conflicts.map(\.isMineShown) == [true])
            try devices.meet()
            try devices.expectEqual()
            try #expect(devices[0].session.rows("SELECT text, number FROM sync_note").first?["text"] == .text("c"))
        }

        @Test func `a meeting without changes writes nothing`() throws {
            let devices = try StoreDevices(2)
            try devices[0].use { try Team().save() }
            try devices.meet()
            let paths = try devices.devices.map { try #require($0.store.path) + "-wal" }
            let files = try paths.map { try Data(contentsOf: URL(filePath: $0)) }
            try devices.meet()
            for (index, before) in files.enumerated() {
                #expect(try Data(contentsOf: URL(filePath: paths[index])) == before, "device \(index)")
            }
        }

        @Test func `objects move between groups, and leaving a group removes its rows here only`() throws {
            let devices = try StoreDevices(2)
            let other = GroupID(77)
            try devices[0].replica.enter(other)
            try devices[0].use {
                for name in ["kept", "moved"] {
                    let team = Team()
                    team.name = name
                    try team.save()
                    let player = Player()
                    (player.name, player.team) = (name, team)
                    try player.save()
                }
                let team = try #require(try Team.findByName("moved").first)
                try StoredReplica.choose(other, for: team, in: devices[0].session)
            }
            try devices.meet()
            try devices[1].use { try #expect(Team.all().map(\.name) == ["kept"]) }
            let moved = try devices[0].use {
                let player = try #require(try Player.findByName("moved").first)
                return try #require(try devices[0].replica.key(of: player))
            }
            #expect(try devices[0].replica.group(of: moved) == other, "an owned object follows its owner")
            #expect(throws: SyncError.self) {
                try devices[0].use { try Team().save() }
                try devices[0].replica.leave(devices.group)
            }
            let changed = try devices[0].replica.leave(devices.group, droppingUnsent: true)
            #expect(changed.deleted["Team"]?.count == 2 && changed.deleted["Player"]?.count == 1)
            try devices[0].use { try #expect(Team.all().map(\.name) == ["moved"]) }
            try devices[1].use { try #expect(Player.all().map(\.name) == ["kept"]) }
        }

        @Test func `a device that was reset keeps what it had not sent`() throws {
            let devices = try StoreDevices(2)
            try devices[0].use { try Team().save() }
            try devices.meet()
            try devices[1].use {
                let team = try #require(try Team.all().first)
                team.name = "unsent"
                try team.save()
                let new = Team()
                new.name = "new"
                try new.save()
            }
            try devices[1].replica.absorb()
            let (old, id) = (try devices[1].replica.device, DeviceID(4711))
            try devices[0].replica.retire(old)
            try devices[0].replica.admit(id, to: devices.group)
            let snapshot = try #require(try devices[0].replica.snapshot(of: devices.group))
            let result = try devices[1].replica.reset(as: id, to: [snapshot], from: "device 0")
            #expect(result.lost.isEmpty)
            #expect(try devices[1].replica.device == id)
            try devices.meet()
            try devices.expectEqual()
            try devices[0].use { try #expect(Team.all().map(\.name).sorted() == ["new", "unsent"]) }
        }

        @Test func `objects with keys that an index does not distinguish are shown one by one`() throws {
            let devices = try StoreDevices(2)
            for device in devices.devices {
                try device.session.execute("CREATE UNIQUE INDEX one ON sync_team (lower(name))")
            }
            for index in 0...1 {
                try devices[index].use {
                    let team = Team()
                    team.name = index == 0 ? "same" : "SAME"
                    try team.save()
                    let player = Player()
                    player.team = team
                    try player.save()
                }
            }
            try devices.meet()
            for index in 0...1 {
                try devices[index].use { try #expect(Team.count() == 1 && Player.count() == 1) }
                #expect(try devices[index].session.rows("PRAGMA foreign_key_check").isEmpty)
            }
            try devices[0].use { try #require(try Team.all().first).delete() }
            try devices.meet()
            try devices[0].use { try #expect(Team.all().map(\.name) == ["SAME"]) }
        }

        @Test func `more new objects than are inserted at once arrive, with the references among them`() throws {
            let devices = try StoreDevices(2)
            try devices[0].session.execute(
                """
                INSERT INTO sync_team (key, name) WITH RECURSIVE n(i) AS \
                (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4100) SELECT randomblob(16), 'team ' || i FROM n
                """)
            try devices[0].use {
                for team in try Team.all().suffix(2) {
                    let player = Player()
                    player.team = team
                    player.name = team.name
                    try player.save()
                }
            }
            let reception = try devices.send(0, to: 1)
            expect(reception?.changed.inserted["Team"]?.count, 4100)
            try devices[1].use {
                let names = try Player.all().map { $0.team?.name ?? "" }
                expect(names.sorted(), ["team 4099", "team 4100"])
            }
            try devices.expectEqual()
        }

        @Test func `rows that are there when a class becomes synced are sent`() throws {
            let devices = try StoreDevices(2, [Team.self, Player.self, StoreModel.Keeper.self, Note.self])
            try devices[0].session.execute("DELETE FROM po_sync_shape WHERE name = 'Note'")
            try devices[0].session.execute(
                "INSERT INTO sync_note (key, text, number) VALUES ('a', 'x', 1), ('b', 'y', 2)")
            try devices[0].session.execute("DELETE FROM po_sync_mark")
            devices[0].replica.known.withLock { $0 = nil }
            try devices.meet()
            try devices.expectEqual()
            try devices[1].use { try #expect(Note.all().map(\.text).sorted() == ["x", "y"]) }
        }

        @Test func `a class without sync that refers to a deleted object is left without the reference`() throws {
            let devices = try StoreDevices(2)
            try devices[0].use { try Team().save() }
            try devices.meet()
            try devices[1].session.execute(
                "CREATE TABLE local (id INTEGER PRIMARY KEY, team_id INTEGER REFERENCES sync_team (id))")
            try devices[1].session.execute("INSERT INTO local SELECT 1, id FROM sync_team")
            try devices[0].use { try #require(try Team.all().first).delete() }
            try devices.meet()
            try devices.expectEqual()
            try #expect(devices[1].session.rows("SELECT team_id FROM local").first?["team_id"] == .null)
        }

        final class Secret: PersistentObject {
            override class var tableName: String { "sync_secret" }
            override class var identity: Identity { .string }
            override class var isSynced: Bool { true }
            @Encrypted var text = ""
            @Encrypted(.searchable) var mail: String?
        }

        @Test func `encrypted values arrive as they are, and the same keyring decrypts them`() throws {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent("keys-\(UUID())")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let keys = try Keyring.file(folder.appendingPathComponent("keys.po").path)
            let devices = try StoreDevices(2, [Secret.self], keys)
            try devices[0].use {
                let secret = try Secret(key: "a")
                (secret.text, secret.mail) = ("hidden", "a@b")
                try secret.save()
            }
            try devices.meet()
            try devices[1].use {
                let secret = try #require(try Secret.find("a"))
                #expect(secret.text == "hidden" && secret.mail == "a@b")
                (secret.text, secret.mail) = ("changed", nil)
                try secret.save()
            }
            try devices.meet()
            try devices[0].use {
                let secret = try #require(try Secret.find("a"))
                try secret.reload()
                #expect(secret.text == "changed" && secret.mail == nil)
            }
            let values = try devices.devices.map {
                try $0.session.rows("SELECT hex(text) t FROM sync_secret").first?["t"]
            }
            #expect(values[0] == values[1], "the encrypted bytes are the same")
        }

        @Test func `observers of a received batch learn the objects and the properties`() async throws {
            let devices = try StoreDevices(2)
            try devices[0].use { try Note(key: "a").save() }
            try devices.meet()
            let seen = Mutex<[String]>([])
            let token = devices[1].store.onChange { event in
                seen.withLock { $0.append("\(event.kind) \(event.properties?.sorted() ?? [])") }
            }
            try devices[0].use {
                let note = try #require(try Note.find("a"))
                (note.text, note.number) = ("b", 9)
                try note.save()
                let other = try Note(key: "b")
                other.number = 1
                try other.save()
            }
            try devices.meet()
            let expected = ["inserted []", "updated [\"number\", \"text\"]"]
            while seen.withLock({ $0.count < 2 }) { try await Task.sleep(for: .milliseconds(10)) }
            #expect(seen.withLock { $0.sorted() } == expected)
            token.cancel()
        }
    }
#endif
