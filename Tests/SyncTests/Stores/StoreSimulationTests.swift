#if Sync
    import Foundation
    import PersistentObjects
    import StoreEngine
    import TestSupport
    import Testing

    @testable import PersistentSync

    /// Random users on real stores: when all have met, all stores show the same, and nothing dangles.
    @Suite(.onSQLite("a server is not a device"))
    struct StoreSimulationTests {
        @Test(arguments: SeededGenerator.seeds(20)) func `stores that have met show the same`(seed: UInt64) throws {
            var world = try StoreWorld(seed: seed)
            try world.run(steps: 120)
            try world.finish()
        }
    }

    /// Three devices whose users edit, undo and lose batches, all from one seed.
    struct StoreWorld {
        typealias Team = StoreModel.Team
        typealias Player = StoreModel.Player
        typealias Keeper = StoreModel.Keeper
        typealias Note = StoreModel.Note

        let devices: StoreDevices
        let seed: UInt64
        private var random: SeededGenerator
        private var stars = 0
        private var trace: [String] = []

        init(seed: UInt64) throws {
            self.seed = seed
            random = SeededGenerator(seed: seed)
            devices = try StoreDevices(3)
            for device in devices.devices { device.session.recordsUndo = true }
        }

        private mutating func number(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
        private mutating func pick<Element>(_ elements: [Element]) -> Element? {
            elements.randomElement(using: &random)
        }

        mutating func run(steps: Int) throws {
            for _ in 0..<steps {
                let index = number(3)
                let kind = number(20)
                trace.append("\(index):\(kind)")
                if kind < 4 {
                    let other = number(3)
                    if other != index { try devices.send(index, to: other) }
                    continue
                }
                let session = devices[index].session
                try session.use {
                    if number(6) != 0 { try session.refresh() }
                    do { try act(kind, index, session) } catch let error as StoreError {
                        // What users see of a unique value that is taken, or of an object that changed elsewhere.
                        #expect(
                            [.notUnique, .staleObject, .rowGone].contains(error.code), "seed \(seed): \(error)")
                        try session.revert()
                    }
                }
            }
        }

        private mutating func act(_ kind: Int, _ index: Int, _ session: Session) throws {
            switch kind {
            case 4, 5: try create()
            case 6: try pick(Team.all())?.delete()
            case 7: try pick(Player.all())?.delete()
            case 8: try note()
            case 9: if session.canUndo { try session.undo() }
            case 10: if session.canRedo { try session.redo() }
            case 11:
                try session.execute("UPDATE sync_player SET age = ? WHERE id % 2 = ?", number(100), number(2))
            default: try edit()
            }
        }

        private mutating func create() throws {
            if number(3) == 0 {
                let team = Team()
                (team.name, team.code) = ("team \(number(9))", number(2) == 0 ? "\(number(4))" : nil)
                return try team.save()
            }
            let player = number(3) == 0 ? Keeper() : Player()
            (player.name, player.team) = ("player \(number(9))", pick(try Team.all()))
            (player.tags, player.codes) = ((0..<number(4)).map { "t\($0)" }, [number(5)])
            player.friend = pick(try Player.all())
            try player.save()
        }

        private mutating func note() throws {
            let key = "n\(number(3))"
            guard let note = try Note.unscoped.where({ $0.key == key }).all().first else {
                let note = try Note(key: key)
                note.number = number(1000)
                return try note.save()
            }
            switch number(4) {
            case 0: return try note.delete()
            case 1: return try note.deleteForever()
            case 2: note.number = number(5)
            default: note.text = "text \(number(9))"
            }
            try note.save()
        }

        private mutating func edit() throws {
            let players = try Player.all()
            guard let player = pick(players) else { return }
            switch number(12) {
            case 0: player.name = "player \(number(9))"
            case 1: player.age = number(3) == 0 ? nil : number(90)
            case 2: player.team = pick(try Team.all())
            case 3: player.friend = number(3) == 0 ? nil : pick(players)
            case 4: player.tags.insert("t\(number(9))", at: number(player.tags.count + 1))
            case 5: if !player.tags.isEmpty { player.tags.swapAt(0, number(player.tags.count)) }
            case 6: if !player.tags.isEmpty { player.tags.remove(at: number(player.tags.count)) }
            case 7: player.codes.formSymmetricDifference([number(6)])
            case 8: player.scores["k\(number(4))"] = number(3) == 0 ? nil : number(9)
            case 9: if let rival = pick(players) { player.rivals.formSymmetricDifference([rival]) }
            case 10: if let other = pick(players) { player.bench.insert(other, at: number(player.bench.count + 1)) }
            default:
                (player.stars, player.money) = (player.stars + 1, player.money + 0.25)
                (player.best, player.address.city) = (number(100), "city \(number(5))")
            }
            try player.save()
            if number(3) == 0, let team = pick(try Team.all()) {
                team.code = number(3) == 0 ? nil : "\(number(4))"
                try team.save()
            }
        }

        /// All batches arrive, until nothing changes.
        func finish() throws {
            try devices.meet(4)
            try devices.expectEqual("seed \(seed)")
            for device in devices.devices {
                let known = try device.replica.withKnown { $0 }
                #expect(known.visibility == known.replica.visibility, "seed \(seed): what is shown is current")
                #expect(try device.session.rows("SELECT 1 FROM po_sync_mark").isEmpty, "seed \(seed)")
                let integrity = try device.store.checkIntegrity()
                #expect(integrity.problems.isEmpty, "seed \(seed): \(integrity)")
            }
            // What a device knows, read from its file by another process, is the same and shows the same.
            for index in devices.devices.indices {
                let replica = try StoredReplica(devices[index].store)
                #expect(try replica.absorb() == 0)
                try devices.expectEqual("seed \(seed), read again")
            }
        }
    }
#endif
