import Foundation
import PersistentObjects

/// The classes for the tests of watched queries.
enum Watched {
    final class Plant: PersistentObject {
        override class var tableName: String { "watched_plant" }
        var name = ""
        var height = 0
        var note: String?
        var garden: Garden?

        convenience init(_ name: String, _ height: Int = 0) {
            self.init()
            self.name = name
            self.height = height
        }
    }

    final class Garden: PersistentObject {
        override class var tableName: String { "watched_garden" }
        var name = ""
        var size = 0
        @Inverse(\Plant.garden) var plants: [Plant]
    }

    final class Tool: PersistentObject {
        override class var tableName: String { "watched_tool" }
        override class var softDeletes: Bool { true }
        var name = ""
        var price = 0
        var deletedAt: Date?
        var updatedAt: Date?
    }
}
