import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Results of queries without an order are sorted by id, whichever index finds the rows, and the index is used.
@Suite struct AnswerOrderTests {
    final class Member: PersistentObject {
        @Indexed var lastName = ""
        var firstName = ""
        @Indexed var age = 0
        @Indexed var club: Club?
        var tags: [String] = []
    }

    class Club: PersistentObject {
        @Indexed var name = ""
        @Inverse(\Member.club) var members: [Member]
    }

    final class Circle: Club {
        @Indexed var size = 0
    }

    final class Kept: PersistentObject {
        @Indexed var name = ""
        @Indexed var deletedAt: Date?
        override class var softDeletes: Bool { true }
    }

    final class Scoped: PersistentObject {
        @Indexed var rank = 0
        override class var defaultScope: Condition { Scoped.condition { $0.rank > 0 } }
    }

    /// Names and ages run in the opposite order of the ids.
    private func withMembers(_ body: (Session) throws -> Void) throws {
        try withTemporarySession { session, _ throws in
            let club = Club()
            club.name = "Z"
            let members = ["Young", "Smith", "Smith", "Jones", "Adams"].enumerated().map { place, name in
                let member = Member()
                (member.lastName, member.firstName, member.age) = (name, "N\(place)", 50 - 10 * place)
                (member.club, member.tags) = (club, ["t\(place)"])
                return member
            }
            try session.save(members)
            try session.reset()
            try body(session)
        }
    }

    @Test func `objects, ids and values found through an index range are sorted by id`() throws {
        try withMembers { session throws in
            let found = Member.where { $0.lastName >= "" }
            let log = try statements(of: session) { () throws in
                #expect(try found.all().map(\.id) == [1, 2, 3, 4, 5])
            }
            let select = try #require(log.first { $0.contains("FROM \"member\"") })
            if !TestEngine.isPostgres {
                let plan = try queryPlan(of: select, session.connection)
                #expect(plan.contains { $0.contains("member.last_name.index") }, "\(plan) \(log)")
            }
            #expect(try found.first() === found.all().first && found.limit(2).all() == Array(found.all().prefix(2)))
            #expect(try found.ids() == [1, 2, 3, 4, 5])
            #expect(try found.values(of: \.lastName) == ["Young", "Smith", "Smith", "Jones", "Adams"])
            #expect(try found.values { $0.age + 1 } == [51, 41, 31, 21, 11])
            #expect(try found.values(of: \.age, \.firstName).map(\.1) == ["N0", "N1", "N2", "N3", "N4"])
            #expect(try found.concatenated(\.lastName) == "Young,Smith,Smith,Jones,Adams")
            #expect(try found.lazily().ids == [1, 2, 3, 4, 5])
            #expect(try found.untracked().all().map(\.id) == [1, 2, 3, 4, 5])
            var seen: [Int64?] = []
            try found.forEach { seen.append($0.id) }
            try found.forEachBatch(of: 2) { seen += $0.map(\.id) }
            #expect(seen == [1, 2, 3, 4, 5, 1, 2, 3, 4, 5])
            #expect(try found.grouped(by: \.lastName)["Smith"]?.map(\.id) == [2, 3])
        }
    }

    @Test func `a query over a whole class returns rows in id order, even if an index covers it`() throws {
        try withMembers { _ throws in
            try expect(Member.query.ids(), [1, 2, 3, 4, 5])
            try expect(Member.query.values(of: \.lastName), ["Young", "Smith", "Smith", "Jones", "Adams"])
            try expect(Member.query.values(of: \.age), [50, 40, 30, 20, 10])
            try expect(Member.query.concatenated(\.age), "50,40,30,20,10")
            #expect(try Member.query.sum(\.age) == 150 && Member.query.values(of: \.age).isEmpty == false)
        }
    }

    @Test func `finders of all kinds return objects in id order`() throws {
        try withMembers { _ throws in
            let all: [Int64?] = [1, 2, 3, 4, 5]
            try expect(Member.findByAgeGreaterThan(0).map(\.id), all)
            try expect(Member.findByLastNameIn(["Young", "Adams", "Jones"]).map(\.id), [1, 4, 5])
            try expect(Member.findByLastNameOrAge("Adams", 50).map(\.id), [1, 5])
            try expect(Member.findBy.age(in: 10...40).map(\.id), [2, 3, 4, 5])
            let ids: [Int64] = try Member.idsByAgeLessThan(45)
            expect(ids, [2, 3, 4, 5])
            try expect(Member.findFirstByAgeLessThan(45)?.id, 2)
            try expect(Member.findByCriteria("WHERE last_name >= ?", "").map(\.id), all)
            try expect(Member.findByCriteria("WHERE last_name >= ? LIMIT 2", "").map(\.id), [1, 2])
            try expect(Member.findByCriteria("WHERE age < ? ORDER BY age", 35).map(\.id), [5, 4, 3])
            let inner = "WHERE age IN (SELECT age FROM member ORDER BY age) -- all"
            try expect(Member.findByCriteria(inner).map(\.id), all)
            try expect(Member.findFirstByCriteria("WHERE last_name >= ? -- the first", "")?.id, 1)
            try expect(Member.findFirstByCriteria("WHERE last_name >= ? LIMIT 3 OFFSET 1;", "")?.id, 2)
            try expect(Member.findFirstByCriteria("WHERE last_name >= ? ORDER BY last_name", "")?.id, 5)
        }
    }

    @Test func `an explicit order is kept, and pages follow it`() throws {
        try withMembers { _ throws in
            let byName = Member.query.order(by: \.lastName)
            #expect(try byName.all().map(\.id) == [5, 4, 2, 3, 1] && byName.ids() == [5, 4, 2, 3, 1])
            try expect(byName.values(of: \.lastName, \.age).map(\.1), [10, 20, 40, 30, 50])
            try expect(byName.lazily().ids, [5, 4, 2, 3, 1])
            let found = Member.where { $0.age < 45 }
            try expect(found.page(1, of: 2).items.map(\.id), [2, 3])
            try expect(found.page(2, of: 2).items.map(\.id), [4, 5])
            #expect(try found.offset(1).all().map(\.id) == [3, 4, 5] && found.offset(1).ids() == [3, 4, 5])
        }
    }

    @Test func `queries over references, collections, hierarchies and scopes return id order`() throws {
        try withMembers { session throws in
            #expect(try Member.where { $0.club.name >= "A" && $0.age < 45 }.all().map(\.id) == [2, 3, 4, 5])
            #expect(try Member.where { $0.tags.contains("t4") || $0.age > 45 }.all().map(\.id) == [1, 5])
            #expect(try Club.find(1)?.members.map(\.id) == [1, 2, 3, 4, 5])
            let circles = (0..<3).map { number in
                let circle = Circle()
                (circle.size, circle.name) = (9 - number, "C\(9 - number)")
                return circle
            }
            try session.save(circles)
            #expect(try Circle.where { $0.size > 0 }.all() == circles)
            #expect(try Club.where { $0.name > "C" }.ids() == [1, 2, 3, 4])
            let kept = ["c", "b", "a"].map { name in
                let kept = Kept()
                kept.name = name
                return kept
            }
            try session.save(kept)
            try kept[1].delete()
            #expect(try Kept.all() == [kept[0], kept[2]] && Kept.where { $0.name >= "" }.ids() == [1, 3])
            #expect(try Kept.withDeleted.all().map(\.id) == [1, 2, 3])
            let ranks = [3, 0, 2, 1].map { rank in
                let scoped = Scoped()
                scoped.rank = rank
                return scoped
            }
            try session.save(ranks)
            #expect(try Scoped.all() == [ranks[0], ranks[2], ranks[3]] && Scoped.first() === ranks[0])
        }
    }

    @Test func `a stream delivers objects in id order`() async throws {
        let store = try Store.inMemory()
        try await store.withSession { session async throws in
            for age in [3, 2, 1] {
                let member = Member()
                member.age = age
                try member.save()
            }
            var ages: [Int] = []
            for try await member in Member.where({ $0.age > 0 }).stream() { ages.append(member.age) }
            expect(ages, [3, 2, 1])
        }
    }

    /// The id order costs neither the index nor a sorter in SQLite.
    @Test(.onSQLite("PostgreSQL does not explain queries yet"))
    func `statements use no sorter and keep the index of the condition`() throws {
        try withMembers { session throws in
            let queries: [(Query<Member>, String)] = [
                (Member.where { $0.lastName == "Smith" }, "member.last_name.index"),
                (Member.where { $0.age > 20 }, "member.age.index"),
                (Member.where { $0.age.isIn([10, 20]) }, "member.age.index"),
                (Member.where { $0.lastName == "Smith" && $0.firstName == "N1" }, "member.last_name.index"),
                (Member.where { $0.lastName.hasPrefix("S") }, "member.last_name.index"),
            ]
            for (query, index) in queries {
                let plan = try queryPlan(of: query.sql, session.connection)
                #expect(plan.contains { $0.contains(index) }, "\(plan)")
                #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
                let log = try statements(of: session) { _ = try query.values(of: \.firstName) }
                let ofValues = try queryPlan(of: try #require(log.last), session.connection)
                #expect(ofValues == plan, "\(ofValues)")
            }
            #expect(try queryPlan(of: Member.query.sql, session.connection) == ["SCAN member"])
        }
    }

    @Test func `IDOrder sorts many rows by id and keeps the positions of rows with equal ids`() {
        let ids = (0..<2000).map { Int64(($0 * 7919) % 2003) }
        expect(IDOrder.sorted(ids.map { "\($0)" }, by: ids), ids.sorted().map { "\($0)" })
        expect(IDOrder.sorted(["c", "a", "b", "d"], by: [2, 1, 1, 2]), ["a", "b", "c", "d"])
        #expect(IDOrder.sorted([String](), by: []).isEmpty && IDOrder.sorted(["a"], by: [Int64.min]) == ["a"])
    }
}
