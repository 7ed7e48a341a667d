import Foundation
import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

struct PartialObjectTests {
    private typealias Sale = Sales.Sale

    @Test(arguments: SeededGenerator.seeds(3))
    func `chosen and other properties of partial objects equal those of the objects`(
        seed: UInt64
    ) throws {
        try withTemporarySession { session, file throws in
            _ = try Sales.save(40, seed: seed, session)
            try file.open().withSession { session throws in
                let query = Sale.where { $0.amount > 0 }.order(by: \.region).order(by: \.id, .descending).limit(9)
                var parts: [PartialObject<Sale>] = []
                let first = try statements(of: session) {
                    parts = try query.only(\.region, \.note, \.price, \.mood)
                    for part in parts { _ = (try part.region, try part.note, try part.price, try part.mood) }
                }
                expect(first.count { $0.contains("FROM \"sale\"") }, 1, "\(first)")
                let part = try #require(parts.first)
                let rest = try statements(of: session) { _ = (try part.amount, try part.tip, try part.day) }
                expect(rest.count { $0.contains("\"sale\" ") }, 1, "\(rest)")
                let names = try query.only(\.customer?.name, \.id).map { try $0.customer?.name }
                try expect(names, query.values(of: \.customer?.name))
                let found = try query.all()
                expect(parts.map(\.id), found.map(\.id))
                for (part, sale) in zip(parts, found) {
                    #expect(try part.object() === sale)
                    #expect(try part.region == sale.region && part.note == sale.note && part.price == sale.price)
                    #expect(try part.mood == sale.mood && part.amount == sale.amount && part.tags == sale.tags)
                    #expect(try part.customer === sale.customer)
                }
            }
        }
    }

    @Test func `edits are kept, and partial objects show the stored values of only(_:)`() throws {
        try withTemporarySession { session, _ throws in
            let sale = Sale()
            (sale.region, sale.amount) = ("a", 1)
            try sale.save()
            (sale.region, sale.amount) = ("b", 2)
            let part = try #require(try Sale.query.only(\.region).first)
            #expect(try [part.region] == Sale.query.values(of: \.region) && part.region == "a" && part.amount == 2)
            #expect(try part.object() === sale && sale.region == "b")
            withExtendedLifetime(session) {}
        }
    }

    @Test func `a deleted row throws rowGone, and references and collections cannot be chosen`() throws {
        try withTemporarySession { session, _ throws in
            let sale = Sale()
            sale.region = "a"
            try sale.save()
            let part = try #require(try Sale.query.only(\.region).first)
            #expect(throws: QueryError.self) { try Sale.query.only(\.region, \.customer) }
            #expect(throws: QueryError.self) { try Sale.query.only(\.tags) }
            try sale.delete()
            #expect(try part.region == "a")
            #expect(try Sale.query.only(\.region).isEmpty)
            let error = #expect(throws: StoreError.self) { try part.amount }
            #expect(error?.code == .rowGone)
            withExtendedLifetime(session) {}
        }
    }

    @Test(arguments: SeededGenerator.seeds(3))
    func `except reads all other properties with one statement`(seed: UInt64) throws {
        try withTemporarySession { session, file throws in
            _ = try Sales.save(40, seed: seed, session)
            try file.open().withSession { session throws in
                let query = Sale.query.order(by: \.amount).order(by: \.id)
                var parts: [PartialObject<Sale>] = []
                let first = try statements(of: session) {
                    parts = try query.except(\.region, \.note, \.tags)
                    for part in parts {
                        _ = (try part.amount, try part.tip, try part.rate, try part.paid, try part.mood, try part.token)
                        _ = (try part.level, try part.count, try part.price, try part.weight, try part.code, part.id)
                    }
                }
                let reads = first.filter { $0.contains("FROM \"sale\"") }
                #expect(reads.count == 1 && !reads[0].contains("region") && !reads[0].contains("note"), "\(first)")
                let sales = try query.all()
                #expect(parts.count == 40 && parts.map(\.id) == sales.map { $0.id ?? 0 })
                for (part, sale) in zip(parts, sales) {
                    #expect(try part.amount == sale.amount && part.tip == sale.tip && part.rate == sale.rate)
                    #expect(try part.paid == sale.paid && part.mood == sale.mood && part.token == sale.token)
                    #expect(try part.level == sale.level && part.count == sale.count && part.price == sale.price)
                    #expect(try part.weight == sale.weight && part.code == sale.code && part.grade == sale.grade)
                    #expect(try part.region == sale.region && part.note == sale.note && part.tags == sale.tags)
                    #expect(try part.customer === sale.customer && part.object() === sale)
                }
            }
        }
    }

    struct Spot: Codable, Equatable {
        var city = ""
        var zip: String?
    }

    class Guest: PersistentObject {
        override class var tableName: String { "partial_guest" }
        override class var softDeletes: Bool { true }
        var name = ""
        @Embedded var home = Spot()
        @Lazy var photo = Data()
        var lines: [Spot] = []
        var extra: Spot?
        var deletedAt: Date?
    }

    final class Regular: Guest { var visits = 0 }

    @Test func `embedded, lazy and subclass properties of partial objects equal those of the objects`() throws {
        try withTemporarySession { _, file throws in
            for number in 1...3 {
                let guest = number == 2 ? Regular() : Guest()
                (guest.name, guest.home, guest.photo) = ("g\(number)", Spot(city: "Graz", zip: nil), Data([1, 2]))
                guest.extra = Spot(city: "Wien", zip: "1010")
                (guest as? Regular)?.visits = 7
                try guest.save()
                if number == 3 { try guest.delete() }
            }
            let store = try file.open()
            try store.prepare(Regular.self)
            try store.withSession { session throws in
                let some = try Guest.query.only(\.name, \.home.city, \.extra)
                let others = try Guest.query.except(\.name)
                #expect(try some.map { try $0.name } == ["g1", "g2"] && others.map(\.id) == [1, 2])
                for part in some + others {
                    #expect(try part.home == Spot(city: "Graz", zip: nil) && part.photo == Data([1, 2]))
                    #expect(try part.extra == Spot(city: "Wien", zip: "1010") && part.lines.isEmpty)
                    #expect(try part.name == "g\(part.id)")
                }
                let regular = try Regular.query.except(\.home, \.photo)
                #expect(try regular.map { try $0.visits } == [7] && regular[0].object() === others[1].object())
                withExtendedLifetime(session) {}
            }
        }
    }

    @Test func `except throws for an unknown property and for a value that cannot be read`() throws {
        try withTemporarySession { session, file throws in
            #expect(throws: FinderError.self) { try Guest.query.except(\.nameAndMore) }
            #expect(throws: FinderError.self) { try Guest.query.only(\.name, \.nameAndMore) }
            let guest = Guest()
            guest.name = "x"
            try guest.save()
            try session.execute("UPDATE partial_guest SET extra = ?", Data([255]))
            let error = #expect(throws: StoreError.self) { try Guest.query.except(\.name) }
            #expect(error?.property == "extra" && error?.className == "Guest", "\(error as Any)")
            #expect(try Guest.query.except(\.extra).map { try $0.name } == ["x"])
        }
    }

    enum Mood: String, UnknownValueFallback {
        case good, bad, unknown
        static var unknownValue: Mood { .unknown }
    }

    /// Values in all column formats.
    final class Crate: PersistentObject {
        override class var tableName: String { "partial_crate" }
        var key: UUID = UUID()
        var mood = Mood.good
        @Column(scale: 2) var price = Decimal()
        var weight: Decimal?
        var bytes = Data()
        var site: URL?
        @Unique var code: UInt64 = 0
        weak var other: Crate?
    }

    @Test func `partial objects read values of every column format like the objects`() throws {
        try withTemporarySession { session, file throws in
            for number in 1...60 {
                let crate = Crate()
                (crate.mood, crate.price, crate.code) = (.bad, Decimal(number) / 4, UInt64(Int64.max) - UInt64(number))
                (crate.weight, crate.bytes) = (number % 2 == 0 ? nil : Decimal(string: "1e-30"), Data([UInt8(number)]))
                crate.site = URL(string: "https://a.b/\(number)")
                try crate.save()
            }
            try session.execute("UPDATE partial_crate SET mood = 'odd' WHERE id % 3 = 0")
            try file.open().withSession { session throws in
                #expect(try Crate.query.values(of: \.mood).count { $0 == .unknown } == 20)
                let query = Crate.query.order(by: \.price, .descending)
                let few = try query.only(\.mood, \.price, \.key)
                let most = try query.except(\.bytes)
                let reading = try statements(of: session) { for part in few { _ = try part.bytes } }
                // Fifty objects are read at a time.
                #expect(reading.count { $0.contains("bytes") } == 2, "\(reading)")
                let crates = try query.all()
                #expect(few.map(\.id) == crates.map { $0.id ?? 0 } && most.map(\.id) == few.map(\.id))
                for (crate, (few, most)) in zip(crates, zip(few, most)) {
                    for part in [few, most] {
                        #expect(try part.mood == crate.mood && part.price == crate.price && part.key == crate.key)
                        #expect(try part.weight == crate.weight && part.site == crate.site && part.code == crate.code)
                        #expect(try part.bytes == crate.bytes && part.other == nil && part.object() === crate)
                    }
                }
            }
        }
    }

    @Test
    func `partial objects see other sessions' changes and saved edits, and throw after the session ended`() throws {
        try withTemporarySession { session, file throws in
            for name in ["a", "b", "c"] {
                let crate = Crate()
                (crate.mood, crate.site) = (.bad, URL(string: "x:\(name)"))
                crate.code = UInt64(name.utf8.first ?? 0)
                try crate.save()
            }
            let store = try file.open()
            var kept: PartialObject<Crate>?
            try store.withSession { other throws in
                let parts = try Crate.query.only(\.mood)
                try session.execute("UPDATE partial_crate SET mood = 'good', site = 'x:new' WHERE id = 1")
                try session.execute("DELETE FROM partial_crate WHERE id = 2")
                #expect(try parts[0].mood == .bad && parts[0].site?.absoluteString == "x:new")
                #expect(try parts[0].object().mood == .good)
                #expect(throws: StoreError.self) { try parts[1].site }
                do {
                    let crate = try parts[2].object()
                    crate.site = URL(string: "x:edited")
                }
                #expect(try parts[2].site?.absoluteString == "x:edited")
                try other.saveChanges()
                kept = try Crate.query.except(\.site).last
                let untracked = try Crate.query.untracked().only(\.mood)
                #expect(try untracked.map { try $0.site?.absoluteString } == ["x:new", "x:edited"])
                #expect(throws: StoreError.self) { try untracked[0].object().save() }
            }
            let part = try #require(kept)
            #expect(try part.mood == .bad && part.id == 3)
            let error = #expect(throws: StoreError.self) { try part.site }
            #expect(error?.code == .sessionEnded)
            #expect(try session.rows("SELECT site FROM partial_crate WHERE id = 3").count == 1)
            withExtendedLifetime(session) {}
        }
    }
}

extension PartialObjectTests.Guest {
    fileprivate var nameAndMore: String { name + "…" }
}
