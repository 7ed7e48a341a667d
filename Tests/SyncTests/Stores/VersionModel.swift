#if Sync
    import Foundation
    import PersistentObjects

    /// Classes in two versions of a program.
    enum VersionModel {
        struct Place: Codable, Hashable, Sendable {
            var city = ""
            var number = 0
        }

        enum Old {
            final class Trip: PersistentObject {
                override class var identity: Identity { .string }
                override class var isSynced: Bool { true }
                var title = ""
                var lastName = ""
                var guest: Trip?
                var price = "1"
                var nights: Int? = nil
                var when = Date(timeIntervalSince1970: 0)
                var place = Place()
                var main = ""
                var tags: [String] = []
                var days: [String] = []
                var codes: Set<Int> = []
                var names: [String]? = nil
                var notes: [Int] = []
                var stars = 5
                @Merged(.max) var best = 0
                @Merged(.counter) var visits = 0
            }

            class Animal: PersistentObject {
                override class var tableName: String { "sync_animal" }
                override class var identity: Identity { .string }
                override class var isSynced: Bool { true }
                var name = ""
                var mate: Animal?
            }

            final class Dog: Animal { var bark = "" }
        }

        enum New {
            /// Was `Trip`.
            final class Journey: PersistentObject {
                override class var formerNames: [String] { ["Trip"] }
                override class var formerTableNames: [String] { ["trip"] }
                override class var identity: Identity { .string }
                override class var isSynced: Bool { true }
                var title = ""
                @Column("surname", renamedFrom: "last_name") var surname = ""
                @Column("friend_id", renamedFrom: "guest_id") var friend: Journey?
                var price = 1
                var nights = 7
                var when = ""
                @Embedded var place = Place()
                var main: [String] = []
                var tags: Set<String> = []
                var days: [Int] = []
                var codes: Set<String> = []
                @Column("labels", renamedFrom: "names") var labels: [String]? = nil
                var notes: [Int: Int] = [:]
                @Merged(.counter) var stars = 5
                var best = 0
                @Merged(.min) var visits = 0
            }

            class Creature: PersistentObject {
                override class var formerNames: [String] { ["Animal"] }
                override class var formerTableNames: [String] { ["sync_animal"] }
                override class var tableName: String { "sync_creature" }
                override class var identity: Identity { .string }
                override class var isSynced: Bool { true }
                var name = ""
                var mate: Creature?
            }

            final class Hound: Creature {
                override class var formerNames: [String] { ["Dog"] }
                var bark = ""
            }
        }

        static let old: [PersistentObject.Type] = [Old.Trip.self, Old.Animal.self, Old.Dog.self]
        static let new: [PersistentObject.Type] = [New.Journey.self, New.Creature.self, New.Hound.self]
    }
#endif
