import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Lazy properties are loaded with few statements, in whatever order they are accessed.
struct ReadingOrderTests {
    final class Club: PersistentObject {
        override class var tableName: String { "club" }
        var rank = 0
        @Inverse(\Member.club) var members: [Member]
        @Lazy var badge: Data?
        @Lazy var motto = ""
        @Lazy var founder: Member?
        @Lazy var tags: [String] = []
    }

    final class Member: PersistentObject {
        override class var tableName: String { "member" }
        var club: Club?
        var rank = 0
    }

    enum Order: CaseIterable { case forward, reversed, shuffled, byRank }

    static let count = 600

    static func clubs(_ order: Order) throws -> [Club] {
        var random = SeededGenerator(seed: 7)
        return switch order {
        case .forward: try Club.all()
        case .reversed: try Club.all().reversed()
        case .shuffled: try Club.all().shuffled(using: &random)
        // The order of the fetch is not the order of the ids.
        case .byRank: try Club.query.order(by: \.rank).all()
        }
    }

    static func withClubs(_ bytes: Int = 1, _ body: (Session, TemporaryStore) throws -> Void) throws {
        try withTemporaryStore { store, file in
            try store.withSession { session in
                let clubs = (0..<count).map { index in
                    let club = Club()
                    club.rank = (index * 7919) % count
                    club.badge = Data(repeating: UInt8(index % 256), count: bytes)
                    club.motto = "motto \(index)"
                    club.tags = ["\(index)"]
                    return club
                }
                let members = clubs.map { club in
                    let member = Member()
                    member.club = club
                    return member
                }
                try session.save(clubs + members)
                for (club, member) in zip(clubs, members) { club.founder = member }
                try session.save(clubs)
            }
            try store.withSession { try body($0, file) }
        }
    }

    private static func selects(_ session: Session, _ body: () -> Void) -> Int {
        statements(of: session, body).count { $0.hasPrefix("SELECT") }
    }

    @Test(arguments: Order.allCases)
    func `a collection takes one query, and an inverse and a reference at most two`(order: Order) throws {
        try Self.withClubs { session, _ in
            let clubs = try Self.clubs(order)
            let inverse = Self.selects(session) { for club in clubs { expect(club.members.count, 1) } }
            let reference = Self.selects(session) { for club in clubs { #expect(club.founder?.club === club) } }
            let collection = Self.selects(session) { for club in clubs { expect(club.tags.count, 1) } }
            #expect(inverse <= 2 && reference <= 2 && collection == 1)
        }
    }

    @Test(arguments: Order.allCases) func `values are loaded 64 at a time`(order: Order) throws {
        try Self.withClubs { session, _ in
            let clubs = try Self.clubs(order)
            let least = (Self.count + 63) / 64
            let count = Self.selects(session) {
                for club in clubs { expect(club.motto, "motto \((club.id ?? 0) - 1)") }
            }
            let most = order == .forward || order == .reversed ? least : 2 * least
            #expect(count >= least && count <= most, "\(count)")
        }
    }

    @Test(arguments: Order.allCases) func `large values are loaded about one megabyte at a time`(order: Order) throws {
        let size = 300_000
        try Self.withClubs(0) { session, file in
            _ = try file.sqlite("UPDATE club SET badge = zeroblob(\(size)) WHERE id <= 40")
            let clubs = Array(try Self.clubs(order).filter { $0.id ?? 0 <= 40 })
            _ = clubs[0].badge
            expect(clubs.count { $0.$badge.isLoaded }, 4)
            let count = Self.selects(session) { for club in clubs { expect(club.badge?.count, size) } }
            #expect(count >= 9 && count <= 20, "\(count)")
        }
    }

    @Test func `a value larger than a megabyte is loaded alone`() throws {
        try Self.withClubs(0) { session, file in
            _ = try file.sqlite("UPDATE club SET badge = zeroblob(2000000) WHERE id IN (3, 4, 5)")
            let clubs = try Club.all()
            #expect(clubs[3].badge?.count == 2_000_000 && clubs.count { $0.$badge.isLoaded } == 1)
            let all = try Club.query.including(\.badge).all()
            #expect(all.count { $0.$badge.isLoaded } == Self.count, "a query that asks for them all reads them all")
        }
    }

    @Test(arguments: Order.allCases)
    func `a damaged value does not prevent neighboring values from being loaded together`(
        order: Order
    ) throws {
        try Self.withClubs { session, file in
            _ = try file.sqlite("UPDATE club SET motto = CAST(x'ff' AS TEXT) WHERE id IN (100, 101, 300)")
            let clubs = try Self.clubs(order)
            let count = Self.selects(session) {
                for club in clubs {
                    let isDamaged = [100, 101, 300].contains(club.id ?? 0)
                    #expect((club.motto == "") == isDamaged && (club.$motto.problem != nil) == isDamaged)
                }
            }
            #expect(count <= 30, "\(count)")
        }
    }

    @Test func `released objects and loaded objects are skipped`() throws {
        try Self.withClubs { session, _ in
            var clubs = try Club.all()
            _ = clubs[300].members
            clubs.removeAll { ($0.id ?? 0) % 3 == 0 }
            let count = Self.selects(session) { for club in clubs { #expect(club.motto != "") } }
            #expect(count <= 10, "\(count)")
        }
    }
}
