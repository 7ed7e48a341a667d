import TestSupport
import Testing

@testable import PersistentObjects

/// Objects that leave an inverse that owns them.
struct InverseOrphanTests {
    final class House: PersistentObject {
        override class var tableName: String { "house" }
        var name = ""
        @Inverse(\Room.house, onDelete: .cascade) var rooms: [Room]
        @Inverse(\Cellar.house, onDelete: .cascade) var cellar: Cellar?
        @Inverse(\Room.annex, onDelete: .cascade) var annexes: [Room]
        @Inverse(\Tag.houses, onDelete: .cascade) var tags: [Tag]
    }

    class Room: PersistentObject {
        override class var tableName: String { "room" }
        @Unique var number: Int?
        var house: House?
        var annex: House?
        @OnDelete(.cascade) var lamps: [Lamp] = []
        override func validate(_ problems: inout Problems) {
            problems.require(house != nil || annex != nil, \Room.house, "must be in a house")
        }
    }

    final class Kitchen: Room { var ovens = 0 }
    final class Lamp: PersistentObject {
        override class var tableName: String { "lamp" }
    }
    final class Cellar: PersistentObject {
        override class var tableName: String { "cellar" }
        @Unique var house: House?
    }
    final class Tag: PersistentObject {
        override class var tableName: String { "tag" }
        var houses: [House] = []
    }

    private func withHouse(_ body: (Session, TemporaryStore, House, [Room]) throws -> Void) throws {
        try withTemporarySession { session, file in
            let house = House()
            let rooms = [Room(), Room(), Kitchen()]
            for (number, room) in rooms.enumerated() { room.number = number }
            house.rooms = rooms
            rooms[0].lamps = [Lamp()]
            try house.save()
            try body(session, file, house, rooms)
        }
    }

    @Test func `an object removed from an owning inverse is deleted, with the objects it owns`() throws {
        try withHouse { session, file, house, rooms in
            house.rooms.removeFirst()
            try house.save()
            #expect(rooms[0].isDeleted && house.rooms == [rooms[1], rooms[2]] && !session.hasChanges)
            try expect(file.sqlite("SELECT id FROM room ORDER BY id"), "2\n3")
            try expect(file.sqlite("SELECT count(*) FROM lamp"), "0")
            house.rooms = []
            try house.save()
            expect(rooms.filter(\.isDeleted).count, 3)
            #expect(try Room.count() == 0 && House.count() == 1)
        }
    }

    @Test func `an object that moves to another owner stays`() throws {
        try withHouse { session, file, house, rooms in
            let other = House()
            try other.save()
            house.rooms.removeFirst()
            other.rooms.append(rooms[0])
            try session.saveChanges()
            #expect(!rooms[0].isDeleted && rooms[0].house === other)
            rooms[1].annex = other
            house.rooms.removeAll { $0 === rooms[1] }
            try session.saveChanges()
            #expect(!rooms[1].isDeleted && rooms[1].house == nil && other.annexes == [rooms[1]])
            try expect(file.sqlite("SELECT id, house_id, annex_id FROM room ORDER BY id"), "1|2|\n2||2\n3|1|")
            other.annexes = []
            try other.save()
            #expect(rooms[1].isDeleted && !rooms[0].isDeleted)
        }
    }

    @Test func `one-to-one: a replaced object is deleted`() throws {
        try withHouse { session, file, house, _ in
            let (old, new) = (Cellar(), Cellar())
            house.cellar = old
            try house.save()
            house.cellar = new
            try house.save()
            #expect(old.isDeleted && house.cellar === new && new.house === house)
            try expect(file.sqlite("SELECT id, house_id FROM cellar"), "2|1")
        }
    }

    @Test func `many-to-many: an object is deleted when its last owner drops it`() throws {
        try withTemporarySession { session, file in
            let (house, other, tag) = (House(), House(), Tag())
            house.tags = [tag]
            other.tags = [tag]
            try session.save([house, other])
            house.tags = []
            try house.save()
            #expect(!tag.isDeleted && tag.houses == [other])
            other.tags = []
            try other.save()
            #expect(tag.isDeleted)
            try expect(file.sqlite("SELECT count(*) FROM tag"), "0")
        }
    }

    @Test func `setting a reference to nil deletes nothing`() throws {
        try withHouse { session, _, house, rooms in
            rooms[0].annex = house
            rooms[0].house = nil
            try rooms[0].save()
            #expect(!rooms[0].isDeleted && house.rooms == [rooms[1], rooms[2]])
        }
    }

    @Test func `the unique value of an orphan is free for a new object in the same save`() throws {
        try withHouse { session, file, house, rooms in
            let new = Room()
            new.number = 0
            house.rooms[0] = new
            try house.save()
            #expect(rooms[0].isDeleted && new.id == 4)
            try expect(file.sqlite("SELECT id, number FROM room ORDER BY id"), "2|1\n3|2\n4|0")
        }
    }

    @Test func `a save that fails or is rolled back deletes nothing and keeps the edit`() throws {
        try withHouse { session, file, house, rooms in
            struct Boom: Error {}
            #expect(throws: Boom.self) {
                try session.transaction { () throws in
                    house.rooms.removeFirst()
                    try house.save()
                    #expect(rooms[0].isDeleted)
                    throw Boom()
                }
            }
            #expect(!rooms[0].isDeleted && house.rooms == rooms && rooms[0].house === house)
            let twin = Room()
            twin.number = 2
            house.rooms = [rooms[1], rooms[2], twin]
            let error = #expect(throws: StoreError.self) { try house.save() }
            #expect(error?.code == .notUnique && !rooms[0].isDeleted)
            #expect(house.rooms == [rooms[1], rooms[2], twin])
            #expect(try file.sqlite("SELECT count(*) FROM room WHERE house_id = 1") == "3")
            twin.number = 7
            try house.save()
            #expect(rooms[0].isDeleted)
        }
    }
}
