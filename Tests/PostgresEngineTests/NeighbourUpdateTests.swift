#if PostgreSQL
    import Foundation
    import TestSupport
    import Testing

    @testable import PersistentObjects

    final class NeighbourItem: PersistentObject {
        var number = 0
        var ratio = 0.0
        var name = ""
        var nick: String?
        var amount = Decimal(0)
        var day: Date?
        var serial: UUID?
        var bytes = Data()
        var isOn = false
    }

    final class NeighbourSeat: PersistentObject {
        @Unique var place = 0
    }

    /// Edits of many objects with consecutive ids, which share statements on a server.
    @Suite(.onSQLite("it starts a server itself")) struct NeighbourUpdateTests {
        private func withServer(_ body: (Session) throws -> Void) throws {
            let database = try PostgresDatabase()
            let store = try Store(.postgres(database.address()))
            defer { store.close() }
            try store.withSession(body)
        }

        @Test func `all kinds of values reach their rows, and 16 objects share a statement`() throws {
            try withServer { session in
                let items = (0..<100).map { _ in NeighbourItem() }
                try session.save(items)
                func values(_ items: [NeighbourItem]) -> [String] {
                    items.map {
                        "\($0.id ?? 0) \($0.number) \($0.ratio) \($0.name) \($0.nick ?? "nil") \($0.amount) "
                            + "\($0.day?.timeIntervalSinceReferenceDate ?? -1) \($0.serial?.uuidString ?? "nil") "
                            + "\(Array($0.bytes)) \($0.isOn)"
                    }
                }
                for round in 1...3 {
                    for (index, item) in items.enumerated() {
                        // Each round changes the same properties of all objects.
                        let value = index + 1000 * round
                        (item.number, item.ratio, item.name) = (value, Double(value) / 8, "näme \(value)")
                        item.nick = round == 2 ? nil : "nick \(value)"
                        item.amount = Decimal(value) / 100
                        item.day = round == 3 ? nil : Date(timeIntervalSinceReferenceDate: Double(value) / 2)
                        item.serial = round == 2 ? nil : UUID()
                        (item.bytes, item.isOn) = (Data([UInt8(index), UInt8(round)]), !item.isOn)
                    }
                    let run = try statements(of: session.connection) { try session.save(items) }
                    let updates = run.filter { $0.hasPrefix("UPDATE") && $0.contains("neighbour_item\" SET") }
                    // 6 times 16 objects, and 4 objects. A server may make the transaction run again.
                    let joint = updates.count { $0.contains("CASE") }
                    #expect(joint >= 6 && updates.count * 6 == joint * 10, "\(joint) of \(updates.count)")
                    let expected = values(items)
                    try session.store.withSession { _ in
                        expect(values(try NeighbourItem.query.order(by: \.id).all()), expected)
                    }
                }
            }
        }

        @Test func `unique values can move from row to row, and a taken value is refused by name`() throws {
            try withServer { session in
                let seats = (0..<80).map { index in
                    let seat = NeighbourSeat()
                    seat.place = index
                    return seat
                }
                try session.save(seats)
                // In the order of the ids, each place is free when its row is written.
                for seat in seats { seat.place -= 1 }
                try session.save(seats)
                expect(try NeighbourSeat.query.order(by: \.id).all().map(\.place), Array(-1..<79))
                let other = NeighbourSeat()
                other.place = 1030
                try session.save(other)
                for seat in seats { seat.place += 1000 }
                do {
                    try session.save(seats)
                    Issue.record("the save succeeded")
                } catch let error as StoreError {
                    expect(error.code, .notUnique)
                    expect(error.property, "place")
                    expect(error.rowID, seats[31].id)
                }
                try session.store.withSession { _ in
                    expect(
                        try NeighbourSeat.query.order(by: \.id).all().map(\.place), Array(-1..<79) + [1030])
                }
            }
        }

        @Test func `an undo of many edits restores all values`() throws {
            try withServer { session in
                let items = (0..<200).map { _ in NeighbourItem() }
                try session.save(items)
                session.recordsUndo = true
                for (index, item) in items.enumerated() { (item.number, item.name) = (index, "n\(index)") }
                try session.save(items)
                try session.undo()
                #expect(items.allSatisfy { $0.number == 0 && $0.name.isEmpty })
                try session.redo()
                #expect(items.enumerated().allSatisfy { $1.number == $0 && $1.name == "n\($0)" })
                try session.store.withSession { _ in
                    expect(try NeighbourItem.query.order(by: \.id).all().map(\.number), Array(0..<200))
                }
            }
        }
    }
#endif
