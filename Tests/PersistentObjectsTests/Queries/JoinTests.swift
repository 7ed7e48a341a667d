import Foundation
import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// Joins on any condition find the same pairs as nested loops in Swift.
struct JoinTests {
    final class Company: PersistentObject {
        override class var tableName: String { "company" }
        override class var defaultScope: Condition { Company.condition { $0.name != "closed" } }
        var name = ""
        var city: String?
        var size = 0
        var rival: Company?
    }

    class Person: PersistentObject {
        override class var tableName: String { "person" }
        var name = ""
        var city: String?
        var age = 0
        var employer: Company?
        var tags: [String] = []
    }

    final class Manager: Person {
        var level = 0
    }

    final class Train: PersistentObject {
        override class var tableName: String { "train" }
        var from = ""
        var to = ""
    }

    private struct World {
        let companies: [Company]
        let people: [Person]
        let trains: [Train]
        /// The companies that the default scope includes.
        var open: [Company] { companies.filter { $0.name != "closed" } }

        init(_ session: Session, seed: UInt64) throws {
            var random = SeededGenerator(seed: seed)
            let cities = ["Graz", "Bonn", "Ulm", nil]
            companies = (0..<8).map { index in
                let company = Company()
                company.name = index == 7 ? "closed" : "company \(index % 5)"
                company.city = cities.randomElement(using: &random) ?? nil
                company.size = Int.random(in: 0...4, using: &random)
                return company
            }
            for company in companies where Bool.random(using: &random) {
                company.rival = companies.randomElement(using: &random)
            }
            let people = (0..<14).map { index in
                let person = index % 4 == 0 ? Manager() : Person()
                person.name = "person \(index)"
                person.city = cities.randomElement(using: &random) ?? nil
                person.age = Int.random(in: 0...5, using: &random)
                person.tags = ["x"]
                return person
            }
            for person in people where Bool.random(using: &random) {
                person.employer = companies.randomElement(using: &random)
            }
            trains = (0..<6).map { _ in
                let train = Train()
                train.from = (cities.randomElement(using: &random) ?? nil) ?? "Linz"
                train.to = (cities.randomElement(using: &random) ?? nil) ?? "Linz"
                return train
            }
            try session.save(companies + people + trains)
            // Each class is saved separately.
            self.people = people.sorted { ($0.id ?? 0) < ($1.id ?? 0) }
        }
    }

    private struct Pair: Hashable {
        let person: Person
        let company: Company?
    }

    private func inner(_ world: World, _ filter: (Person, Company) -> Bool) -> [Pair] {
        world.people.flatMap { person in
            world.open.filter { filter(person, $0) }.map { Pair(person: person, company: $0) }
        }
    }

    private func left(_ world: World, _ filter: (Person, Company) -> Bool) -> [Pair] {
        world.people.flatMap { person in
            let found = world.open.filter { filter(person, $0) }
            return found.isEmpty
                ? [Pair(person: person, company: nil)] : found.map { Pair(person: person, company: $0) }
        }
    }

    private func check(
        _ world: World, _ condition: (Columns<Person>, Columns<Company>) -> Condition,
        _ filter: (Person, Company) -> Bool, at location: SourceLocation = #_sourceLocation
    ) throws {
        let join = Person.query.join(Company.self, on: condition)
        let found = try join.all().map { Pair(person: $0.0, company: $0.1) }
        #expect(found == inner(world, filter), sourceLocation: location)
        #expect(try join.count() == found.count && join.exists() != found.isEmpty, sourceLocation: location)
        let outer = Person.query.leftJoin(Company.self, on: condition)
        #expect(
            try outer.all().map { Pair(person: $0.0, company: $0.1) } == left(world, filter), sourceLocation: location)
        #expect(try outer.count() == left(world, filter).count, sourceLocation: location)
        let none = try outer.where { $1.id == nil }.all()
        #expect(none.map { $0.0 } == left(world, filter).filter { $0.company == nil }.map(\.person))
        #expect(none.allSatisfy { $0.1 == nil }, sourceLocation: location)
        // A condition that is false for a missing object, and its negation.
        #expect(
            try outer.where { $1.size > 1 }.count()
                == left(world, filter).count { $0.company.map { $0.size > 1 } ?? false }, sourceLocation: location)
        #expect(
            try outer.where { !($1.size > 1) }.count()
                == left(world, filter).count { !($0.company.map { $0.size > 1 } ?? false) }, sourceLocation: location)
    }

    @Test(arguments: SeededGenerator.seeds(5)) func `joins find the same pairs as nested loops`(seed: UInt64) throws {
        try withTemporarySession { session, _ throws in
            let world = try World(session, seed: seed)
            try check(world, { $0.city == $1.city }, { $0.city == $1.city })
            try check(world, { $0.city != $1.city }, { $0.city != $1.city })
            try check(world, { $0.age < $1.size && $1.city != nil }, { $0.age < $1.size && $1.city != nil })
            try check(world, { $0.employer == $1.rival }, { $0.employer == $1.rival })
            try check(world, { $0.employer.id == $1.id }, { $0.employer?.id == $1.id })
            try check(world, { $0.employer.city == $1.city }, { $0.employer?.city == $1.city })
            try check(world, { $0.city == $1.rival.city }, { $0.city == $1.rival?.city })
            try check(
                world, { $0.employer.rival.name == $1.rival.name }, { $0.employer?.rival?.name == $1.rival?.name })
            try check(world, { $0.tags.contains("x") && $1.size == 2 }, { $0.tags.contains("x") && $1.size == 2 })
            try check(world, { $1.size > 99 && $0.age > 0 }, { _, _ in false })
        }
    }

    @Test func `a reference is compared with the joined object`() throws {
        try withTemporarySession { session, _ throws in
            let world = try World(session, seed: 5)
            let expected = world.people.compactMap { person in
                world.open.first { $0 === person.employer }.map { [person.id, $0.id] }
            }
            let pairs = try Person.join(Company.self) { $0.employer == $1 }.all()
            #expect(!expected.isEmpty && pairs.map { [$0.id, $1.id] } == expected)
            let others = try Company.join(Person.self) { $0 == $1.employer }.count()
            #expect(others == expected.count)
            let all = try Person.leftJoin(Company.self) { $0.employer == $1 }.all()
            #expect(all.count == world.people.count && all.count { $1 != nil } == expected.count)
        }
    }

    @Test func `joins take conditions, orders, limits and offsets`() throws {
        try withTemporarySession { session, _ throws in
            let world = try World(session, seed: 9)
            let join = Person.where { $0.age > 0 }.join(Company.self) { $0.city == $1.city }
                .where { $0.age > 1 && $1.size != 3 && $0.employer.name != "company 1" }
            let expected = inner(world) { person, company in
                guard person.age > 1, person.city == company.city, company.size != 3 else { return false }
                return person.employer?.name != "company 1"
            }
            #expect(try join.all().map { Pair(person: $0.0, company: $0.1) } == expected && !expected.isEmpty)
            let ordered = join.order(.descending) { $1.size }.order { one, _ in one.age }
            let sorted = expected.enumerated().sorted {
                let (a, b) = ($0.element, $1.element)
                let (first, second) = (a.company?.size ?? 0, b.company?.size ?? 0)
                if first != second { return first > second }
                return (a.person.age, $0.offset) < (b.person.age, $1.offset)
            }.map(\.element)
            #expect(try ordered.all().map { Pair(person: $0.0, company: $0.1) } == sorted)
            #expect(
                try ordered.limit(2).offset(1).all().map { Pair(person: $0.0, company: $0.1) }
                    == Array(sorted[1..<3]))
            #expect(try ordered.limit(2).count() == 2 && ordered.offset(1).count() == sorted.count - 1)
            #expect(try ordered.first()?.0 === sorted[0].person && ordered.limit(0).first() == nil)
            #expect(try !ordered.limit(0).exists())
            #expect(try join.order { $1.size + 1 }.count() == expected.count)
        }
    }

    @Test func `three classes can be joined`() throws {
        try withTemporarySession { session, _ throws in
            let world = try World(session, seed: 4)
            let found = try Person.query.join(Company.self) { $0.age < $1.size }
                .leftJoin(Train.self) { $2.from == $0.city && $2.to == $1.city }
                .where { $0.age > 0 && ($2.id == nil || $1.size > 2) }.all()
            var expected: [(Person, Company, Train?)] = []
            for person in world.people where person.age > 0 {
                for company in world.open where person.age < company.size {
                    let trains = world.trains.filter { $0.from == person.city && $0.to == company.city }
                    if trains.isEmpty { expected.append((person, company, nil)) }
                    for train in trains where company.size > 2 { expected.append((person, company, train)) }
                }
            }
            #expect(found.count == expected.count && found.contains { $0.2 != nil })
            #expect(zip(found, expected).allSatisfy { $0 == $1 })
            var count = 0
            for first in world.trains {
                for second in world.trains where second.from == first.to {
                    count += world.trains.count { $0.from == second.to }
                }
            }
            let trains = Train.query.join(Train.self) { $0.to == $1.from }.join(Train.self) {
                $1.to == $2.from && $0.id != nil
            }
            #expect(try trains.count() == count && trains.exists() == (count > 0))
            #expect(
                try trains.limit(1).count() == min(count, 1)
                    && trains.order { $2.from + $0.to + $1.to }.all().count == count)
        }
    }

    @Test func `joins return the objects in memory, with their links and current values`() throws {
        try withTemporarySession { session, file throws in
            let world = try World(session, seed: 2)
            world.people[1].name = "edited"
            _ = try file.sqlite("UPDATE person SET age = 77, name = 'other'; UPDATE company SET size = 88")
            let found = try Person.query.join(Company.self) { $0.id == $1.id }.all()
            #expect(found.count == world.open.count && found[1].0 === world.people[1])
            #expect(found[0].0.name == "other" && found[1].0.name == "edited")
            #expect(found.allSatisfy { $0.0.age == 77 && $0.1.size == 88 })
            try session.store.withSession { _ throws in
                let fresh = try Person.query.join(Company.self) { $0.employer.id == $1.id }.all()
                #expect(fresh.allSatisfy { $0.0.employer === $0.1 && $0.0.tags == ["x"] } && !fresh.isEmpty)
            }
        }
    }

    @Test func `joins respect subclasses and default scopes`() throws {
        try withTemporarySession { session, _ throws in
            let world = try World(session, seed: 3)
            let managers = world.people.compactMap { $0 as? Manager }
            let found = try Manager.query.join(Person.self) { $0.age == $1.age }.where { one, _ in one.level == 0 }
                .all()
            var count = 0
            for manager in managers { count += world.people.count { $0.age == manager.age } }
            expect(found.count, count)
            try expect(Person.query.join(Manager.self) { $0.id == $1.id }.all().map { $0.1 }, managers)
            try expect(Company.unscoped.where { $0.name == "closed" }.join(Company.self) { $0.id == $1.id }.count(), 0)
            try expect(Company.unscoped.leftJoin(Company.self) { $0.id == $1.id }.where { $1.id == nil }.count(), 1)
        }
    }

    @Test func `unsupported joins throw`() throws {
        try withTemporarySession { session, _ throws in
            _ = try World(session, seed: 1)
            #expect(throws: QueryError.self) {
                try Person.query.limit(1).join(Company.self) { $0.city == $1.city }.all()
            }
            #expect(throws: QueryError.self) {
                try Person.query.untracked().join(Company.self) { $0.city == $1.city }.count()
            }
            #expect(throws: QueryError.self) {
                try Person.query.join(Company.self) { $0.city == $1.city }.order { one, _ in one.tags }.all()
            }
            #expect(throws: StoreError.self) {
                try Person.query.join(Company.self) { $0.employer == Company() && $1.size > 0 }.all()
            }
        }
    }
}
