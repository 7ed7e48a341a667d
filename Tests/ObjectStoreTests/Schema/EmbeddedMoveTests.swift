import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// A structure that moves from JSON to columns, and back.
struct EmbeddedMoveTests {
    struct Place: Codable, Equatable {
        var lat = 0.0
        var label: String? = "none"
    }

    struct Address: Codable, Equatable {
        var city = "?"
        var number = 1
        var place = Place()

        enum CodingKeys: String, CodingKey { case city = "ort", number, place }
    }

    enum Whole {
        final class Person: PersistentObject {
            override class var tableName: String { "moved_person" }
            var name = ""
            var address = Address()
        }
    }

    enum Parts {
        final class Person: PersistentObject {
            override class var tableName: String { "moved_person" }
            override class var indexes: [Index] { [Index(\Person.address.city)] }
            var name = ""
            @Embedded var address = Address()
        }
    }

    enum Perhaps {
        final class Person: PersistentObject {
            override class var tableName: String { "moved_person" }
            var name = ""
            var address: Address?
        }
    }

    enum Fewer {
        struct Address: Codable, Equatable {
            var city = "?"
            var zip = "new"
            var place = Place()
        }

        final class Person: PersistentObject {
            override class var tableName: String { "moved_person" }
            var name = ""
            @Embedded var address = Address()
        }
    }

    private static let values = (0..<20).map { number in
        Address(
            city: "city \(number)", number: number,
            place: Place(lat: Double(number) / 7, label: number.isMultiple(of: 2) ? nil : "é\(number)"))
    }

    private func fill<T: PersistentObject>(_ file: TemporaryStore, _ make: (Address) -> T) throws {
        let store = try file.open()
        try store.withSession { _ in for value in Self.values { try make(value).save() } }
        store.close()
    }

    private func wholes(_ file: TemporaryStore) throws {
        try fill(file) { value in
            let person = Whole.Person()
            person.address = value
            return person
        }
    }

    private func parts(_ file: TemporaryStore) throws {
        try fill(file) { value in
            let person = Parts.Person()
            person.address = value
            return person
        }
    }

    private func withSession(_ file: TemporaryStore, _ body: (Session) throws -> Void) throws {
        let store = try file.open()
        try store.withSession(body)
        store.close()
    }

    private func columns(_ file: TemporaryStore) throws -> Set<String> {
        Set(
            try file.sqlite("SELECT name FROM pragma_table_info('moved_person')").split(separator: "\n").map(
                String.init))
    }

    @Test(.onSQLite("columns are told by a pragma"))
    func `JSON values move to columns, and the JSON column is removed`() throws {
        let file = try TemporaryStore()
        try wholes(file)
        try expect(columns(file), ["id", "name", "address"])
        try withSession(file) { _ throws in
            try expect(Parts.Person.query.order(by: \.id).all().map(\.address), Self.values)
            try expect(Parts.Person.where { $0.address.city == "city 7" }.count(), 1)
        }
        try expect(
            columns(file), ["id", "name", "address_city", "address_number", "address_place_lat", "address_place_label"])
        #expect(try file.isSound)
    }

    @Test(.onSQLite("columns are told by a pragma"))
    func `values in columns move to JSON, and their columns are removed`() throws {
        let file = try TemporaryStore()
        try parts(file)
        try withSession(file) { _ throws in
            try expect(Whole.Person.query.order(by: \.id).all().map(\.address), Self.values)
        }
        try expect(columns(file), ["id", "name", "address"])
        try file.open().takeBack(Parts.Person.self)
        try withSession(file) { _ throws in
            try expect(Parts.Person.query.order(by: \.id).all().map(\.address), Self.values)
        }
        #expect(try file.isSound)
    }

    @Test func `an optional value that is nil becomes the initial value`() throws {
        let file = try TemporaryStore()
        try withSession(file) { _ throws in
            let person = Perhaps.Person()
            try person.save()
            let other = Perhaps.Person()
            other.address = Self.values[3]
            try other.save()
        }
        try withSession(file) { _ throws in
            try expect(Parts.Person.query.order(by: \.id).all().map(\.address), [Address(), Self.values[3]])
        }
    }

    @Test func `fields can be added and removed like properties`() throws {
        let file = try TemporaryStore()
        try parts(file)
        try withSession(file) { _ throws in
            let people = try Fewer.Person.query.order(by: \.id).all()
            #expect(people.map(\.address.city) == Self.values.map(\.city))
            #expect(people.allSatisfy { $0.address.zip == "new" })
            #expect(people.map(\.address.place) == Self.values.map(\.place))
        }
        try withSession(file) { _ throws in
            // The column of the removed field still exists.
            #expect(try Parts.Person.query.order(by: \.id).all().map(\.address) == Self.values)
        }
    }

    @Test func `JSON that is not a value of the structure is an error with the row, and nothing changes`() throws {
        let file = try TemporaryStore()
        try wholes(file)
        _ = try file.sqlite("UPDATE moved_person SET address = CAST('{\"ort\":1}' AS BLOB) WHERE id = 4")
        try withSession(file) { _ throws in
            let error = #expect(throws: SchemaError.self) { try Parts.Person.all() }
            guard case .notConvertible("Person", "address", 4, _, _, _)? = error else {
                Issue.record("another error: \(String(describing: error))")
                return
            }
        }
        #expect(try file.sqlite("SELECT count(*) FROM moved_person WHERE address IS NOT NULL") == "20")
    }
}
