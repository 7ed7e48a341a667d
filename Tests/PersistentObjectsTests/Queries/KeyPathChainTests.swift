import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Key paths through references in orders, values, sums, groups and pages.
struct KeyPathChainTests {
    final class Team: PersistentObject {
        override class var tableName: String { "chain_team" }
        var name = ""
        var motto: String?
        var size = 0
        var isOpen = false
        var lead: Person?
        var title: String { name }
        var label: String { motto ?? name }
    }

    class Person: PersistentObject {
        override class var tableName: String { "chain_person" }
        var name = ""
        var nick: String?
        var boss: Person?
        var mentor: Person?
        @Lazy var lazy: Person?
        weak var friend: Person?
        var team: Team?
        var born: Date?
        var address = Address()
    }

    struct Address: Codable {
        var city = ""
    }

    private func people(_ session: Session) throws -> [Person] {
        let teams = ["b", "a", "c"].map { name in
            let team = Team()
            (team.name, team.motto, team.size) = (name, name == "a" ? nil : name + name, Int(name.utf8.first ?? 0) % 3)
            team.isOpen = name == "c"
            return team
        }
        let people = (0..<12).map { place in
            let person = Person()
            person.name = "p\(place * 7 % 12)"
            person.nick = place % 3 == 0 ? nil : "n\(place % 5)"
            person.team = place % 4 == 0 ? nil : teams[place % 3]
            return person
        }
        for (place, person) in people.enumerated() {
            person.boss = place % 3 == 1 ? nil : people[(place * 5 + 1) % 12]
            person.mentor = people[(place * 7 + 2) % 12]
            person.lazy = people[(place + 3) % 12]
            person.friend = place % 2 == 0 ? people[(place + 5) % 12] : nil
        }
        teams[0].lead = people[3]
        teams[1].lead = people[8]
        try session.save(people)
        return people
    }

    private func sorted<V: Comparable>(_ people: [Person], _ key: (Person) -> V?) -> [Person] {
        people.sorted { a, b in
            switch (key(a), key(b)) {
            case (nil, nil): (a.id ?? 0) < (b.id ?? 0)
            case (nil, _?): true
            case (_?, nil): false
            case (let x?, let y?): (x, a.id ?? 0) < (y, b.id ?? 0)
            }
        }
    }

    @Test func `order(by:) takes key paths through references`() throws {
        try withTemporarySession { session, _ throws in
            let people = try people(session)
            try expect(Person.query.order(by: \.boss?.name).all(), sorted(people) { $0.boss?.name })
            try expect(Person.query.order(by: \.boss?.nick).all(), sorted(people) { $0.boss?.nick })
            try expect(Person.query.order(by: \.mentor?.name).all(), sorted(people) { $0.mentor?.name })
            try expect(Person.query.order(by: \.friend?.name).all(), sorted(people) { $0.friend?.name })
            try expect(Person.query.order(by: \.lazy?.name).all(), sorted(people) { $0.lazy?.name })
            try expect(Person.query.order(by: \.team?.size).all(), sorted(people) { $0.team?.size })
            try expect(Person.query.order(by: \.boss?.boss?.name).all(), sorted(people) { $0.boss?.boss?.name })
            try expect(
                Person.query.order(by: \.boss?.team?.lead?.name).all(), sorted(people) { $0.boss?.team?.lead?.name })
            try expect(Person.query.order(by: \.boss?.id).all(), sorted(people) { $0.boss?.id })
            try expect(Person.query.order(by: \.team?.title).all(), sorted(people) { $0.team?.name })
            // The same key path, written without a question mark.
            try expect(Person.query.order(by: \.boss.name).all(), sorted(people) { $0.boss?.name })
        }
    }

    @Test func `values(of:) takes key paths through references`() throws {
        try withTemporarySession { session, _ throws in
            let people = try people(session)
            try expect(Person.query.values(of: \.team?.name), people.map { $0.team?.name })
            try expect(Person.query.values(of: \.team?.motto), people.map { $0.team?.motto })
            try expect(Person.query.values(of: \.team?.isOpen), people.map { $0.team?.isOpen })
            let sizes = try Person.query.values(of: \.name, \.team?.size)
            expect(sizes.map(\.1), people.map { $0.team?.size })
            try expect(Set(Person.query.distinct(\.team?.name)), Set(people.map { $0.team?.name }))
        }
    }

    @Test func `sums and groups take key paths through references`() throws {
        try withTemporarySession { session, _ throws in
            let people = try people(session)
            try expect(Person.query.sum(\.team?.size), people.compactMap { $0.team?.size }.reduce(0, +))
            try expect(Person.query.max(\.boss?.name), people.compactMap { $0.boss?.name }.max())
            let byName = Dictionary(grouping: people) { $0.team?.name }
            try expect(Person.query.counted(by: \.team?.name), byName.mapValues(\.count))
            let byLead = Dictionary(grouping: people) { $0.team?.lead }
            try expect(Person.query.counted(by: \.team?.lead), byLead.mapValues(\.count))
        }
    }

    @Test func `subqueries take key paths through references`() throws {
        try withTemporarySession { session, _ throws in
            let people = try people(session)
            let names = people.compactMap { $0.boss?.name }
            let found = try Person.where { $0.name.isIn(Person.query, \.boss?.name) }.all()
            expect(found, people.filter { names.contains($0.name) })
        }
    }

    private func pages(of query: Query<Person>) throws -> [Person] {
        var seen = try query.limit(5).all()
        for _ in 0..<9 {
            guard let last = seen.last else { break }
            seen += try query.after(last, limit: 5)
        }
        return seen
    }

    @Test func `pages follow an order by a key path through a reference`() throws {
        try withTemporarySession { session, _ throws in
            _ = try people(session)
            let query = Person.query.order(by: \.boss?.name)
            try expect(pages(of: query), query.all())
        }
    }

    @Test func `key paths to computed properties or parts of values are refused before any SQL runs`() throws {
        try withTemporarySession { session, _ throws in
            _ = try people(session)
            let log = statements(of: session) {
                for query in [
                    Person.query.order(by: \.team?.label), Person.query.order(by: \.name.count),
                    Person.query.order(by: \.address.city),
                    Person.query.order(by: \.boss!.boss!.boss!.boss!.boss!.boss),
                ] {
                    #expect(throws: FinderError.self) { try query.all() }
                }
            }
            #expect(log.isEmpty, "\(log)")
        }
    }
}
