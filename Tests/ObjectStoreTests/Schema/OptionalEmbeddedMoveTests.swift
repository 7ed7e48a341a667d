import TestSupport
import Testing

@testable import PersistentObjects

/// Tables of classes whose embedded values become optional or required.
@Suite struct OptionalEmbeddedMoveTests {
    struct Place: Codable, Equatable {
        var lat = 0.0
        var label: String?
    }
    struct Home: Codable, Equatable {
        var city = "?"
        var place = Place()
    }
    struct Larger: Codable, Equatable {
        var city = "?"
        var note: String?
        var place = Place()
    }
    struct Stricter: Codable, Equatable {
        var city = "?"
        var number = 7
        var place = Place()
    }

    enum JSON {
        final class Person: PersistentObject {
            override class var tableName: String { "perhaps_moved" }
            var home: Home?
        }
    }
    enum Always {
        final class Person: PersistentObject {
            override class var tableName: String { "perhaps_moved" }
            @Embedded var home = Home()
        }
    }
    enum Perhaps {
        final class Person: PersistentObject {
            override class var tableName: String { "perhaps_moved" }
            @Embedded var home: Home?
        }
    }
    enum More {
        final class Person: PersistentObject {
            override class var tableName: String { "perhaps_moved" }
            @Embedded var home: Larger?
        }
    }
    enum Strict {
        final class Person: PersistentObject {
            override class var tableName: String { "perhaps_moved" }
            @Embedded var home: Stricter?
        }
    }
    enum Given {
        final class Person: PersistentObject {
            override class var tableName: String { "perhaps_moved" }
            @Embedded var home: Stricter? = Stricter()
        }
    }
    enum Family {
        class Person: PersistentObject {
            override class var tableName: String { "perhaps_moved" }
            var name = ""
        }
        final class Owner: Person {
            @Embedded var home: Home?
        }
        final class Tenant: Person {}
    }

    private static let homes = [
        nil, Home(), Home(city: "Graz", place: Place(lat: 47, label: "a")), Home(city: "", place: Place(lat: 1)),
    ]

    private func withSession(_ file: TemporaryStore, _ body: (Session) throws -> Void) throws {
        let store = try file.open()
        try store.withSession(body)
        store.close()
    }

    /// Saves rows with one version of the class.
    private func fill<T: PersistentObject>(
        _ file: TemporaryStore, _ homes: [Home?], _ make: (Home?) -> T
    ) throws {
        try withSession(file) { _ throws in for home in homes { try make(home).save() } }
    }

    private func perhaps(_ home: Home?) -> Perhaps.Person {
        let person = Perhaps.Person()
        person.home = home
        return person
    }

    @Test func `an optional JSON value moves to columns, and back`() throws {
        let file = try TemporaryStore()
        try fill(file, Self.homes) { home in
            let person = JSON.Person()
            person.home = home
            return person
        }
        try withSession(file) { session throws in
            try expect(Perhaps.Person.query.order(by: \.id).all().map(\.home), Self.homes)
            try expect(Perhaps.Person.where { $0.home == nil }.count(), 1)
        }
        try file.open().takeBack(JSON.Person.self)
        try withSession(file) { _ throws in
            try expect(JSON.Person.query.order(by: \.id).all().map(\.home), Self.homes)
        }
    }

    @Test func `a value that becomes optional is kept in all rows`() throws {
        let file = try TemporaryStore()
        let homes = Self.homes.compactMap(\.self)
        try fill(file, homes) { home in
            let person = Always.Person()
            person.home = home ?? Home()
            return person
        }
        try withSession(file) { _ throws in
            let all = try Perhaps.Person.query.order(by: \.id).all()
            expect(all.map(\.home), homes)
            all[0].home = nil
            try all[0].save()
            try expect(Perhaps.Person.where { $0.home == nil }.all(), [all[0]])
        }
    }

    @Test func `an optional value that becomes required has the initial value in rows with nil`() throws {
        let file = try TemporaryStore()
        try fill(file, Self.homes, perhaps)
        let homes = Self.homes.map { $0 ?? Home() }
        try withSession(file) { _ throws in
            let all = try Always.Person.query.order(by: \.id).all()
            expect(all.map(\.home), homes)
            try Always.Person().save()
        }
        // The column that marks nil is gone, because rows written later would lack it.
        try file.open().takeBack(Perhaps.Person.self)
        try withSession(file) { _ throws in
            try expect(Perhaps.Person.query.order(by: \.id).all().map(\.home), homes + [Home()])
        }
    }

    @Test func `a new field is nil or has its initial value, and a required field without one is refused`() throws {
        let file = try TemporaryStore()
        try fill(file, Self.homes, perhaps)
        try withSession(file) { _ throws in
            let homes = Self.homes.map { home in
                home.map { Larger(city: $0.city, note: nil, place: $0.place) }
            }
            #expect(try More.Person.query.order(by: \.id).all().map(\.home) == homes)
        }
        try withSession(file) { _ throws in
            let error = #expect(throws: SchemaError.self) { try Strict.Person.all() }
            guard case .nilInRequired("Person", "home.number", let ids)? = error else {
                Issue.record("another error: \(String(describing: error))")
                return
            }
            #expect(ids == [2, 3, 4])
        }
        try withSession(file) { _ throws in
            let homes = Self.homes.map { home in
                home.map { Stricter(city: $0.city, number: 7, place: $0.place) }
            }
            #expect(try Given.Person.query.order(by: \.id).all().map(\.home) == homes)
        }
    }

    @Test func `rows of other classes in the table have no embedded value`() throws {
        let file = try TemporaryStore()
        try withSession(file) { _ throws in
            try Family.Tenant().save()
            for home in Self.homes {
                let owner = Family.Owner()
                owner.home = home
                try owner.save()
            }
        }
        try withSession(file) { session throws in
            try session.store.prepare(Family.Tenant.self, Family.Owner.self)
            let all = try Family.Person.query.order(by: \.id).all()
            expect(all.map { ($0 as? Family.Owner)?.home }, [nil] + Self.homes)
            #expect(all[0] is Family.Tenant)
            try expect(Family.Owner.where { $0.home == nil }.count(), 1)
        }
    }

    @Test func `a field keeps its column if the property is renamed`() throws {
        enum Old {
            final class Person: PersistentObject {
                override class var tableName: String { "perhaps_moved" }
                @Embedded var house: Home?
            }
        }
        enum New {
            final class Person: PersistentObject {
                override class var tableName: String { "perhaps_moved" }
                @Embedded @Column("home", renamedFrom: "house") var home: Home? = nil
            }
        }
        let file = try TemporaryStore()
        try fill(file, Self.homes) { home in
            let person = Old.Person()
            person.house = home
            return person
        }
        try withSession(file) { _ throws in
            try expect(New.Person.query.order(by: \.id).all().map(\.home), Self.homes)
        }
    }
}
