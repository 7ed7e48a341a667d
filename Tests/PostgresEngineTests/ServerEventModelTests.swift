#if PostgreSQL
    import Foundation
    import StoreEngine
    import TestSupport
    import Testing

    @testable import PersistentObjects

    private final class Team: PersistentObject {
        override class var tableName: String { "team" }
        var name = ""
    }

    private class Member: PersistentObject {
        override class var tableName: String { "member" }
        var name = ""
        var score = 0
        var tags: [String] = []
        var rivals: Set<Int> = []
        var team: Team?
        @OnDelete(.cascade) var badge: Badge?
    }

    private final class Leader: Member {
        var rank = 0
    }

    private final class Badge: PersistentObject {
        override class var tableName: String { "badge" }
        var code = 0
    }

    private final class Mark: PersistentObject {
        override class var tableName: String { "mark" }
    }

    /// Random programs on a file and on a server, whose events must name the same rows.
    @Suite(.hangLimit, .onPostgres("two engines are compared")) struct ServerEventModelTests {
        private struct Stop: Error {}

        /// An event; rows are numbered in the order of their ids, because a server skips ids.
        private struct Line: Comparable, CustomStringConvertible {
            let root: String
            let name: String
            var id: Int
            let kind: String

            var description: String { "\(name) \(id) \(kind)" }

            static func < (one: Line, other: Line) -> Bool {
                (one.root, one.id, one.kind) < (other.root, other.id, other.kind)
            }
        }

        /// Runs a random program, and returns the events of each of its transactions.
        private static func run(_ seed: UInt64, on store: Store) async throws -> [[Line]] {
            var random = SeededGenerator(seed: seed)
            try store.withSession { session in
                try session.delete(try Member.all())
                try session.delete(try Team.all())
            }
            var events = store.events.makeAsyncIterator()
            let session = try Session(store)
            defer { session.close() }
            var lists: [[Line]] = []
            for _ in 0..<12 {
                do {
                    try session.use {
                        try session.transaction {
                            for _ in 0..<Int.random(in: 1...4, using: &random) { try step(&random, session) }
                            if Int.random(in: 0..<10, using: &random) == 0 { throw Stop() }
                        }
                    }
                } catch is Stop {}
                try session.use { try Mark().save() }
                var list: [Line] = []
                while let event = await events.next(), event.objectClass != Mark.self {
                    let type = event.objectClass.map { "\($0)" } ?? "unknown"
                    list.append(
                        Line(
                            root: type == "Leader" ? "Member" : type, name: type, id: Int(event.id?.value ?? 0),
                            kind: "\(event.kind)"))
                }
                lists.append(list)
            }
            let ids = Dictionary(grouping: lists.joined(), by: \.root).mapValues { Set($0.map(\.id)).sorted() }
            return lists.map { list in
                list.map { line in
                    var line = line
                    line.id = ids[line.root]?.firstIndex(of: line.id) ?? -1
                    return line
                }.sorted()
            }
        }

        private static func step(_ random: inout SeededGenerator, _ session: Session) throws {
            let members = try Member.query.order(by: \.id).all()
            let member = members.randomElement(using: &random)
            let team = try Team.query.order(by: \.id).all().randomElement(using: &random)
            let number = Int.random(in: 0..<100, using: &random)
            switch Int.random(in: 0..<11, using: &random) {
            case 0: try Team().save()
            case 1, 2:
                let new = Bool.random(using: &random) ? Leader() : Member()
                new.tags = Bool.random(using: &random) ? ["a", "b"] : []
                new.team = team
                try new.save()
            case 3:
                member?.score = number
                try member?.save()
            case 4:
                member?.tags.append("\(number)")
                try member?.save()
            case 5:
                member?.rivals.formSymmetricDifference([number % 3])
                try member?.save()
            case 6:
                member?.team = team
                try member?.save()
            case 7:
                member?.badge = Badge()
                try member?.save()
            case 8: try member?.delete()
            case 9: try team?.delete()
            default:
                try session.execute("UPDATE member SET score = score + 1 WHERE score < 50")
            }
        }

        @Test func `a server reports the rows that a file reports`() async throws {
            let database = try PostgresDatabase()
            let server = try Store(.postgres(database.address()))
            let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let file = try Store(folder.appending(path: "s.sqlite").path, engine: SQLiteEngine())
            defer { withExtendedLifetime(database) { for store in [server, file] { store.close() } } }
            for store in [server, file] { try store.prepare(Team.self, Leader.self, Badge.self, Mark.self) }
            for seed in SeededGenerator.seeds(Scale.isFull ? 1000 : 200) {
                let (wanted, found) = try await (Self.run(seed, on: file), Self.run(seed, on: server))
                #expect(wanted == found, "seed \(seed)")
            }
        }
    }
#endif
