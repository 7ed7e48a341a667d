import Foundation
import PersistentTransfer
import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// Queries on fields of embedded values use the fields' columns and find the same objects as a Swift filter.
struct EmbeddedQueryTests {
    struct Place: Codable, Equatable {
        var lat = 0.0
        var label: String?
        var isExact = false
    }

    struct Address: Codable, Equatable {
        var city = ""
        var zip: String?
        var number = 0
        var isOwn = false
        var place = Place()
        var notes: [String] = []

        var line: String { "\(city) \(number)" }
    }

    final class Company: PersistentObject {
        override class var tableName: String { "embedded_company" }
        var name = ""
        @Embedded var address = Address()
    }

    final class Person: PersistentObject {
        override class var tableName: String { "embedded_person" }
        override class var indexes: [Index] { [Index(\Person.address.city), Index("address.place.lat")] }
        var name = ""
        var city = ""
        @Embedded var address = Address()
        var employer: Company?
    }

    private func withPeople(_ seed: UInt64, _ body: (Session, [Person]) throws -> Void) throws {
        var random = SeededGenerator(seed: seed)
        try withTemporarySession { session, _ throws in
            let companies = (0..<3).map { number in
                let company = Company()
                company.address.city = ["Graz", "Wien", "Linz"][number]
                company.address.place.lat = Double(number)
                return company
            }
            let people = (0..<60).map { _ in
                let person = Person()
                person.city = "other"
                person.address.city = ["Graz", "Wien", "Linz", ""].randomElement(using: &random) ?? ""
                person.address.zip = [nil, "8010", "1010"].randomElement(using: &random) ?? nil
                person.address.number = .random(in: -3...3, using: &random)
                person.address.isOwn = .random(using: &random)
                person.address.place.lat = .random(in: 0...4, using: &random)
                person.address.place.label = [nil, "a", "b"].randomElement(using: &random) ?? nil
                person.address.place.isExact = .random(using: &random)
                person.employer = Bool.random(using: &random) ? companies.randomElement(using: &random) : nil
                return person
            }
            try session.save(people)
            try body(session, people)
        }
    }

    private func expect(
        _ found: [Person], _ people: [Person], sourceLocation: SourceLocation = #_sourceLocation,
        _ isWanted: (Person) -> Bool
    ) {
        let wanted = people.filter(isWanted)
        #expect(!wanted.isEmpty && wanted.count < people.count, "the test asks nothing", sourceLocation: sourceLocation)
        #expect(Set(found.map(\.rowID)) == Set(wanted.map(\.rowID)), sourceLocation: sourceLocation)
    }

    @Test(arguments: SeededGenerator.seeds(4))
    func `conditions on embedded fields find the same objects as a Swift filter`(seed: UInt64) throws {
        try withPeople(seed) { _, people throws in
            expect(try Person.where { $0.address.city == "Graz" }.all(), people) { $0.address.city == "Graz" }
            expect(try Person.where { $0.address.zip == nil }.all(), people) { $0.address.zip == nil }
            expect(try Person.where { $0.address.isOwn && $0.address.number > 0 }.all(), people) {
                $0.address.isOwn && $0.address.number > 0
            }
            expect(try Person.where { !$0.address.place.isExact }.all(), people) { !$0.address.place.isExact }
            expect(try Person.where { $0.address.place.lat < 2 }.all(), people) { $0.address.place.lat < 2 }
            expect(try Person.where { $0.employer.address.city == "Wien" }.all(), people) {
                $0.employer?.address.city == "Wien"
            }
            expect(try Person.where { $0.employer.address.place.lat >= 1 }.all(), people) {
                ($0.employer?.address.place.lat ?? -1) >= 1
            }
        }
    }

    @Test(arguments: SeededGenerator.seeds(4))
    func `finders by name, typed finders and criteria strings accept embedded fields`(seed: UInt64) throws {
        try withPeople(seed) { _, people throws in
            let isInGraz = { (person: Person) in person.address.city == "Graz" }
            expect(try Person.findByAddressCity("Graz"), people, isInGraz)
            expect(try Person.findBy.address.city("Graz"), people, isInGraz)
            expect(try Person.findByCriteria("WHERE address.city = ?", "Graz"), people, isInGraz)
            expect(try Person.findByCriteria("WHERE address_city = ?", "Graz"), people, isInGraz)
            expect(try Person.findByAddressPlaceLatLessThan(2.0), people) { $0.address.place.lat < 2 }
            expect(try Person.findBy.address.place.label(nil), people) { $0.address.place.label == nil }
            expect(try Person.findByEmployerAddressCity("Linz"), people) { $0.employer?.address.city == "Linz" }
            for found in [
                try Person.findByCriteria("WHERE employer.address.city = ?", "Linz"),
                try Person.where("employer.address.city = ?", "Linz").all(),
                try Person.where("employer.address_city = ?", "Linz").all(),
            ] { expect(found, people) { $0.employer?.address.city == "Linz" } }
            expect(try Person.where("embedded_person.address.place.lat < ?", 2.0).all(), people) {
                $0.address.place.lat < 2
            }
        }
    }

    @Test func `orders, values and sums take a key path into an embedded value`() throws {
        try withPeople(1) { _, people throws in
            let ordered = try Person.query.order(by: \.address.place.lat).all()
            #expect(ordered.map(\.address.place.lat) == people.map(\.address.place.lat).sorted())
            let zips = try Person.query.order(by: \.id).values(of: \.address.zip)
            #expect(zips == people.map(\.address.zip))
            #expect(try Person.query.sum(\.address.number) == people.map(\.address.number).reduce(0, +))
            let lats = try Person.query.order(by: \.id).values(of: \.employer?.address.place.lat)
            #expect(lats == people.map { $0.employer?.address.place.lat })
        }
    }

    @Test(.onSQLite("the plan is SQLite's"))
    func `an index over an embedded field is used, and no JSON is read`() throws {
        try withPeople(2) { session, _ in
            for find in [
                { try Person.where { $0.address.city == "Graz" }.all() },
                { try Person.findByAddressCity("Graz") },
                { try Person.findBy.address.city("Graz") },
                { try Person.where { $0.address.place.lat == 1 }.all() },
            ] as [() throws -> [Person]] {
                let log = try statements(of: session) { _ = try find() }
                let text = try #require(log.first { $0.hasPrefix("SELECT") })
                #expect(!text.contains("po_json"))
                let plan = try queryPlan(of: text, session.connection)
                #expect(plan.contains { $0.contains("USING INDEX embedded_person.address_") }, "\(plan)")
            }
        }
    }

    @Test func `update sets only the fields that the closure sets`() throws {
        try withPeople(3) { session, people throws in
            let expected = people.map { person in
                var address = person.address
                guard address.city == "Graz" else { return address }
                address.city = "Wien"
                address.isOwn = true
                address.place.label = nil
                return address
            }
            let log = try statements(of: session) {
                try Person.where { $0.address.city == "Graz" }.update {
                    $0.address.city = "Wien"
                    $0.address.isOwn = true
                    $0.address.place.label = nil
                }
            }
            #expect(log.contains { $0.contains("UPDATE") && $0.contains("address_is_own") && !$0.contains("zip") })
            #expect(people.map(\.address) == expected)
            try session.reset()
            #expect(try Person.query.order(by: \.id).all().map(\.address) == expected)
            try Person.query.update { $0.address = Address(city: "Rom", number: 9) }
            #expect(try Person.query.all().allSatisfy { $0.address == Address(city: "Rom", number: 9) })
        }
    }

    @Test func `an update that edits a field in place throws and changes nothing`() throws {
        try withPeople(4) { _, people throws in
            let before = people.map(\.address)
            let error = #expect(throws: QueryError.self) { try Person.query.update { $0.address.number += 1 } }
            #expect("\(String(describing: error))".contains("address.number"))
            #expect(try Person.query.order(by: \.id).values(of: \.address.number) == before.map(\.number))
        }
    }

    @Test func `a field without a column throws, and the message lists the fields with columns`() throws {
        try withPeople(5) { _, _ throws in
            let computed = #expect(throws: QueryError.self) { try Person.where { $0.address.line == "x" }.all() }
            #expect("\(String(describing: computed))".contains("The columns are city, zip"))
            let structure = #expect(throws: FinderError.self) { try Person.query.values(of: \.address) }
            #expect(
                "\(String(describing: structure))".contains(
                    "Person.address is an embedded value without a single column. Name one of its fields: "
                        + "\\.address.city, "))
        }
    }

    private final class Courier: PersistentObject {
        struct Home: Codable, Equatable {
            var city = ""
            var zip: String?
            var line: String { city }
        }

        override class var tableName: String { "embedded_courier" }
        @Embedded var home: Home?
    }

    @Test func `the message about a whole optional value lists the key paths that compile`() throws {
        try withTemporarySession { _, _ throws in
            let whole = try #require(throws: FinderError.self) { try Courier.query.values(of: \.home) }
            #expect("\(whole)".hasSuffix("Name one of its fields: \\.home?.city, \\.home?.zip"))
            #expect(try Courier.query.values(of: \.home?.city) == [])
            #expect(try Courier.query.values(of: \.home?.zip) == [])
            let computed = try #require(throws: QueryError.self) { try Courier.where { $0.home.line == "x" }.all() }
            #expect("\(computed)".hasSuffix("The columns are city, zip"))
        }
    }

    @Test func `JSON and snapshots contain embedded fields by name`() throws {
        try withPeople(6) { session, people throws in
            #expect(try people[0].jsonObject["address.city"] as? String == people[0].address.city)
            #expect(try Person(json: people[0].json).address == people[0].address)
            let snapshot = people[0].snapshot()
            #expect(snapshot.address == people[0].address && snapshot.address.city == people[0].address.city)
            var form = snapshot
            try form.set(\.address, to: Address(city: "Rom", zip: "00100"))
            try form.set(\.address.number, to: 3)
            #expect(form.address == Address(city: "Rom", zip: "00100", number: 3))
            try session.merge(form).save()
            #expect(people[0].address == form.address && !people[0].hasChanges)
        }
    }
}
