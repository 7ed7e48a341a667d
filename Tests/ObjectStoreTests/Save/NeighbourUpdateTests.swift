import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Saves of many changed objects with adjacent rows: one statement updates several rows, with the same results as
/// single updates.
struct NeighbourUpdateTests {
    enum Mood: String, Codable { case glad, sad }

    final class Part: PersistentObject {
        override class var tableName: String { "part" }
        var number = 0
        var text = ""
        var maybe: Double?
        var data = Data()
        var date = Date(timeIntervalSinceReferenceDate: 0)
        var mood = Mood.glad
        var price: Decimal = 0
        var key: UUID?
        var isDone = false
        @Indexed var place = 0
        var partner: Part?
    }

    final class Ticket: PersistentObject {
        override class var tableName: String { "ticket" }
        @Unique var code = ""
        var count = 0
    }

    private static let columns =
        "id, number, text, maybe, hex(data), date, mood, price, \"key\", is_done, place, partner_id"

    private static let texts = ["", "é", "a\0b", "it's", String(repeating: "x", count: 900)]
    private static let numbers: [Double?] = [nil, 0, -1.5, .infinity, 1e300, 3]

    private static func change(_ part: Part, _ property: Int, _ parts: [Part], by random: inout SeededGenerator) {
        switch property {
        case 0: part.number = Int(truncatingIfNeeded: random.next())
        case 1:
            part.text = texts[Int.random(in: 0..<5, using: &random)]
        case 2: part.maybe = numbers[Int.random(in: 0..<6, using: &random)]
        case 3: part.data = Data((0..<Int.random(in: 0..<40, using: &random)).map { UInt8($0) })
        case 4: part.date = Date(timeIntervalSinceReferenceDate: Double(Int.random(in: 0..<9000, using: &random)))
        case 5: part.mood = part.mood == .glad ? .sad : .glad
        case 6: part.price = Decimal(Int.random(in: 0..<100_000, using: &random)) / 100
        case 7: part.key = Bool.random(using: &random) ? nil : UUID(uuidString: "6F9619FF-8B86-D011-B42D-00CF4FC964FF")
        case 8: part.isDone.toggle()
        case 9: part.place = Int.random(in: 0..<50, using: &random)
        default: part.partner = Bool.random(using: &random) ? nil : parts.randomElement(using: &random)
        }
    }

    private static func image(_ part: Part) -> String {
        let values: [Any?] = [
            part.id, part.number, part.text, part.maybe, part.data, part.date, part.mood, part.price, part.key,
            part.isDone, part.place, part.partner?.id,
        ]
        return "\(values)"
    }

    /// Saves the objects one by one, and the same changes in another file in one call.
    @Test(arguments: SeededGenerator.seeds(12))
    func `saving in one call writes the same rows as saving one by one`(seed: UInt64) throws {
        var rows: [String] = []
        for isSingle in [true, false] {
            try withTemporarySession { session, file in
                var random = SeededGenerator(seed: seed)
                var parts = (0..<Int.random(in: 60..<400, using: &random)).map { _ in Part() }
                try session.save(parts)
                // Gaps between the ids: from none to many.
                let gap = [0, 0, 100, 20, 3][Int.random(in: 0..<5, using: &random)]
                for part in parts where gap > 0 && Int.random(in: 0..<gap, using: &random) == 0 { try part.delete() }
                parts.removeAll { $0.isDeleted }
                for _ in 0..<4 {
                    let properties = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                        Int.random(in: 0...10, using: &random)
                    }
                    let odd = [1000, 90, 30][Int.random(in: 0..<3, using: &random)]
                    for part in parts {
                        // Most objects change in the same properties, a few in others or in none.
                        let isOdd = Int.random(in: 0..<odd, using: &random) == 0
                        for property in properties where !isOdd || property % 2 == 0 {
                            Self.change(part, property, parts, by: &random)
                        }
                    }
                    if isSingle {
                        for part in parts { try part.save() }
                    } else {
                        try session.save(parts.reversed())
                    }
                    #expect(parts.allSatisfy { !$0.hasChanges })
                }
                rows.append(try file.sqlite("SELECT \(Self.columns) FROM part ORDER BY id"))
                let read = try session.store.withSession { _ in try Part.all().map(Self.image) }
                for (read, part) in zip(read, parts) { #expect(read == Self.image(part)) }
                #expect(read.count == parts.count)
                #expect(try session.space(of: Part.self).identity.brokenInvariant() == nil)
            }
        }
        #expect(rows[0] == rows[1])
    }

    @Test(.enabled(if: !TestEngine.isPostgres))
    func `sixteen adjacent rows are updated with one statement, and other rows one by one`() throws {
        try withTemporarySession { session, _ in
            let tickets = (0..<200).map { _ in Ticket() }
            for (index, ticket) in tickets.enumerated() { ticket.code = "\(index)" }
            try session.save(tickets)
            func updates(of chosen: [Ticket]) throws -> Int {
                for ticket in chosen { ticket.count += 1 }
                return try statements(of: session) { try session.save(chosen) }.count { $0.hasPrefix("UPDATE") }
            }
            try expect(updates(of: tickets), 200 / 16 + 200 % 16)
            try expect(updates(of: Array(tickets[..<64])), 4)
            try expect(updates(of: Array(tickets[..<63])), 63, "few are not worth a statement of their own")
            try expect(updates(of: tickets.filter { ($0.id ?? 0) % 2 == 0 }), 100)
            try expect(updates(of: tickets.filter { $0.id != 50 }), 3 + 1 + 9 + 6, "those on both sides of a gap")
        }
    }

    @Test(arguments: [1, 40, 100])
    func `a row that another program deleted is named, and no row is written`(gone: Int64) throws {
        try withTemporarySession { session, file in
            let tickets = (0..<100).map { _ in Ticket() }
            for (index, ticket) in tickets.enumerated() { ticket.code = "\(index)" }
            try session.save(tickets)
            _ = try file.sqlite("DELETE FROM ticket WHERE id = \(gone)")
            for ticket in tickets { ticket.count = 7 }
            let error = #expect(throws: StoreError.self) { try session.save(tickets) }
            #expect(error?.code == .rowGone && error?.rowID == gone && error?.className == "Ticket")
            #expect(try file.sqlite("SELECT count(*), sum(count) FROM ticket") == "99|0")
            #expect(tickets.allSatisfy { $0.hasChanges })
            try session.save(tickets.filter { $0.id != gone })
            #expect(try file.sqlite("SELECT sum(count) FROM ticket") == "693")
        }
    }

    @Test(arguments: [1, 40, 100])
    func `a duplicate value is an error with class and property, and no row is written`(bad: Int64) throws {
        try withTemporarySession { session, file in
            let tickets = (0..<101).map { _ in Ticket() }
            for (index, ticket) in tickets.enumerated() { ticket.code = "\(index)" }
            try session.save(tickets)
            for ticket in tickets { ticket.code = ticket.id == bad ? "new 101" : "new \(ticket.id ?? 0)" }
            let error = #expect(throws: StoreError.self) { try session.save(tickets) }
            #expect(error?.code == .notUnique && error?.className == "Ticket" && error?.property == "code")
            #expect(try file.sqlite("SELECT count(*) FROM ticket WHERE code LIKE 'new%'") == "0")
            tickets[Int(bad) - 1].code = "another"
            try session.save(tickets)
            #expect(try file.sqlite("SELECT count(*) FROM ticket WHERE code LIKE 'new%'") == "100")
        }
    }

    @Test(.enabled(if: !TestEngine.isPostgres))
    func `a row that a trigger refuses is named, and no row is written`() throws {
        try withTemporarySession { session, file in
            let tickets = (0..<100).map { _ in Ticket() }
            for (index, ticket) in tickets.enumerated() { ticket.code = "\(index)" }
            try session.save(tickets)
            _ = try file.sqlite(
                """
                CREATE TABLE note(ticket);
                CREATE TRIGGER noting AFTER UPDATE ON ticket BEGIN INSERT INTO note VALUES (new.id); END;
                CREATE TRIGGER refusing BEFORE UPDATE ON ticket WHEN new.count = 13
                BEGIN SELECT RAISE(ABORT, 'thirteen'); END
                """)
            for ticket in tickets { ticket.count = ticket.id == 70 ? 13 : 1 }
            let error = #expect(throws: StoreError.self) { try session.save(tickets) }
            #expect(error?.rowID == 70 && error.map { "\($0)".contains("thirteen") } == true)
            #expect(try file.sqlite("SELECT count(*) FROM note") == "0")
            tickets[69].count = 1
            try session.save(tickets)
            #expect(try file.sqlite("SELECT count(*), count(DISTINCT ticket) FROM note") == "100|100")
        }
    }

    @Test(.enabled(if: !TestEngine.isPostgres))
    func `if a subscriber observes the class, rows are updated one by one`() throws {
        try withTemporarySession { session, _ in
            let tickets = (0..<100).map { _ in Ticket() }
            for (index, ticket) in tickets.enumerated() { ticket.code = "\(index)" }
            try session.save(tickets)
            let token = Ticket.onChange { _ in }
            defer { token.cancel() }
            for ticket in tickets { ticket.count = 1 }
            let log = try statements(of: session) { try session.save(tickets) }
            expect(log.count { $0.hasPrefix("UPDATE") }, 100)
        }
    }
}
