import Foundation
import PersistentObjects
import TestSupport
import Testing

/// Invalid conditions of inverses, and other uses of inverses with a condition.
@Suite struct FilteredInverseRefusalTests {
    class Room: PersistentObject {
        override class var tableName: String { "filtered_room" }
        var name = ""
    }
    class Seat: PersistentObject {
        override class var tableName: String { "filtered_seat" }
        var label = ""
        var row = 0
        var isFree = true
        var room: Room?
        var owner: Hall?
    }
    final class Hall: PersistentObject {
        override class var tableName: String { "filtered_hall" }
        @Inverse(\Seat.owner, where: { $0.isFree }, order: .by(\.row)) var free: [Seat]
        var name = ""
    }
    final class Ruled: Room {
        @OnDelete(.cascade) @Inverse(\Seat.room, where: { $0.isFree }) var seats: [Seat] = []
    }
    final class Nulled: Room {
        @Inverse(\Seat.room, where: { $0.label == "a\0b" }) var seats: [Seat]
    }
    // A static function, because the compiler rejects the closure as circular.
    final class Circle: PersistentObject {
        var link: Circle?
        static func isBusy(_ other: Columns<Circle>) -> Condition { other.link.around.any { $0.link != nil } }
        @Inverse(\Circle.link, where: isBusy) var around: [Circle]
    }
    final class Unsaved: Room {
        @Inverse(\Seat.room, where: { $0.owner == Hall() }) var seats: [Seat]
    }

    @Test(
        arguments: [
            (Ruled.self, "cannot have a delete rule"), (Nulled.self, "cannot be written as an SQL literal"),
            (Circle.self, "uses the first inverse again"), (Unsaved.self, "never saved"),
        ] as [(PersistentObject.Type, String)])
    func `an invalid condition is refused with the class, the property and the reason`(
        type: PersistentObject.Type, reason: String
    ) throws {
        try withTemporaryStore { store, _ in
            let error = #expect(throws: SchemaError.self) { try store.prepare(type) }
            let text = "\(String(describing: error))"
            let property = type == Circle.self ? "around" : "seats"
            #expect(text.contains("\(type).\(property)") && text.contains(reason), "\(text)")
        }
    }

    private func hall(_ session: Session, seats count: Int = 4) throws -> Hall {
        let hall = Hall()
        let seats = (0..<count).map { row in
            let seat = Seat()
            (seat.row, seat.owner, seat.isFree) = (row, hall, row % 2 == 0)
            return seat
        }
        try session.save(seats)
        return hall
    }

    @Test func `initial values, snapshots and original values respect the condition`() throws {
        try withTemporarySession { session, _ in
            #expect(Hall().free.isEmpty)
            let hall = try hall(session)
            expect(hall.free.map(\.row), [0, 2])
            let taken = hall.free.removeLast()
            #expect(try hall.changed(\Hall.free) && hall.original(\Hall.free)?.count == 2)
            hall.revert()
            expect(hall.free.map(\.row), [0, 2])
            taken.isFree = false
            try taken.save()
            #expect(hall.snapshot().free.count == 1)
            expect(hall.free.map(\.row), [0])
        }
    }

    @Test func `changes of another session appear once rows are read again`() throws {
        try withTemporarySession { session, _ in
            let hall = try hall(session)
            expect(hall.free.count, 2)
            let id = try #require(hall.id)
            _ = try session.store.withSession { _ in
                try Seat.where { $0.owner.id == id && $0.row == 1 }.update { $0.isFree = true }
            }
            _ = try Seat.all()
            expect(hall.free.map(\.row), [0, 1, 2])
            try session.store.withSession { _ in
                let seat = Seat()
                (seat.row, seat.owner) = (9, try Hall.find(id))
                try seat.save()
            }
            _ = try Seat.all()
            expect(hall.free.map(\.row), [0, 1, 2, 9])
            _ = try session.store.withSession { _ in try Seat.where { $0.row > 0 }.delete() }
            _ = try Hall.all()
            expect(hall.free.map(\.row), [0])
        }
    }

    @Test func `a strictly loading session reads the inverse only on request`() throws {
        try withTemporarySession { session, _ in
            let id = try #require(try hall(session).id)
            try session.store.withSession { session in
                session.loadsStrictly = true
                let hall = try #require(try Hall.where { $0.id == id }.including(\.free).first())
                #expect(hall.free.count == 2)
                hall.free[0].isFree = false
                try session.saveChanges()
                #expect(hall.free.isEmpty && hall.$free.problem != nil)
                #expect(try hall.$free.load().count == 1)
            }
        }
    }

    @Test func `an inverse that was unloaded is read again`() throws {
        try withTemporarySession { session, _ in
            let hall = try hall(session)
            #expect(hall.free.count == 2)
            let seats = try Seat.all()
            var calls = 0
            while hall.$free.isLoaded, calls < 5000 {
                try Room().save()
                calls += 1
            }
            #expect(!hall.$free.isLoaded)
            // Their ids stay known as long as nothing changed.
            let log = statements(of: session) { #expect(hall.free.count == 2) }
            #expect(log.isEmpty && hall.free.allSatisfy { seats.contains($0) }, "\(log)")
            try Seat.query.update { $0.isFree = true }
            #expect(hall.free.count == 4)
        }
    }

    @Test func `an inverse is still updated after thousands of owners were released`() throws {
        try withTemporarySession { session, _ in
            var last: Hall?
            for _ in 0..<3000 {
                let hall = Hall()
                try hall.save()
                #expect(hall.free.isEmpty)
                last = hall
            }
            let seat = Seat()
            seat.owner = last
            try seat.save()
            expect(last?.free, [seat])
        }
    }
}
