#if Sync
    import Foundation
    import PersistentObjects
    import PersistentSync

    /// The classes of the stores that the tests synchronize.
    enum StoreModel {
        final class Team: PersistentObject {
            override class var tableName: String { "sync_team" }
            override class var identity: Identity { .uuid }
            override class var isSynced: Bool { true }
            var name = ""
            @Unique var code: String?
            @Inverse(\Player.team, onDelete: .cascade) var players: [Player]
        }

        struct Address: Codable, Equatable {
            var city = ""
            var zip = 0
        }

        class Player: PersistentObject {
            override class var tableName: String { "sync_player" }
            override class var identity: Identity { .uuid }
            override class var isSynced: Bool { true }
            @Searchable var name = ""
            var age: Int?
            var team: Team?
            var friend: Player?
            @Embedded var address = Address()
            var photo = Data()
            var extra: [Address]?
            var tags: [String] = []
            var codes: Set<Int> = []
            var scores: [String: Int] = [:]
            var rivals: Set<Player> = []
            var bench: [Player] = []
            @Merged(.counter) var stars = 0
            @Merged(.counter) @Column(scale: 2) var money: Decimal = 0
            @Merged(.max) var best = 0
            @Merged(.min) var first: Date?
            var created = Date(timeIntervalSince1970: 0)
        }

        final class Keeper: Player {
            var gloves = ""
        }

        /// Edits win against deletions.
        final class Note: PersistentObject {
            override class var tableName: String { "sync_note" }
            override class var identity: Identity { .string }
            override class var isSynced: Bool { true }
            override class var keepsEdited: Bool { true }
            override class var keepsHistory: Bool { true }
            override class var softDeletes: Bool { true }
            var deletedAt: Date?
            var text = ""
            @Unique var number = 0
        }

        final class Board: PersistentObject {
            override class var tableName: String { "sync_board" }
            override class var identity: Identity { .string }
            override class var isSynced: Bool { true }
            var notes: [Note] = []
            var pinned: Set<Note> = []
            var named: [String: Note] = [:]
            var first: Note?
        }

        static let classes: [PersistentObject.Type] = [Team.self, Player.self, Keeper.self, Note.self, Board.self]
    }
#endif
