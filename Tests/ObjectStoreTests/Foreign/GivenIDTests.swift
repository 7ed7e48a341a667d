import Foundation
import PersistentTransfer
import TestSupport
import Testing

@testable import PersistentObjects

/// Ids that the program assigns.
struct GivenIDTests {
    final class Country: PersistentObject {
        override class var tableName: String { "country" }
        override class var identity: Identity { .given }
        var name = ""
        var neighbour: Country?
    }

    final class Plain: PersistentObject {
        override class var tableName: String { "plain" }
        var name = ""
    }

    private func country(_ id: Int, _ name: String) throws -> Country {
        let country = try Country(id: id)
        country.name = name
        return country
    }

    @Test func `an object with an assigned id is inserted with it, and found by it`() throws {
        try withTemporarySession { _, file in
            let iceland = try country(352, "Iceland")
            #expect(iceland.id == nil)
            try iceland.save()
            expect(iceland.id, 352)
            #expect(try Country.find(352) === iceland)
            try expect(file.sqlite("SELECT id, name FROM country"), "352|Iceland")
            let largest = try country(.max, "Last")
            try largest.save()
            expect(largest.id, .max)
        }
    }

    @Test func `a new object gets the id in its dictionary or JSON`() throws {
        final class Coded: PersistentObject, CodableObject {
            override class var tableName: String { "given_coded" }
            override class var identity: Identity { .given }
            var name = ""
        }
        try withTemporarySession { _, _ in
            let five = try Country(["id": 5, "name": "five"])
            let six = try Country(json: Data(#"{"id": 6, "name": "six"}"#.utf8))
            let seven = try Country(["id": UInt8(7)])
            let next = try Country(["id": nil, "name": "next"])
            for object in [five, six, seven, next] { try object.save() }
            #expect([five, six, seven, next].map(\.id) == [5, 6, 7, 8] && six.name == "six")
            // An object can be created again from its JSON.
            let json = try six.json
            try six.delete()
            let again = try Country(json: json)
            try again.save()
            #expect(again.id == 6 && again.name == "six")
            let coded = try JSONDecoder().decode(Coded.self, from: Data(#"{"id": 9, "name": "nine"}"#.utf8))
            try coded.save()
            #expect(coded.id == 9 && coded.name == "nine")
            for id: Any in ["five", 5.5, true] {
                let error = #expect(throws: StoreError.self) { _ = try Country(["id": id]) }
                #expect(error?.code == .typeMismatch && error?.property == "id", "\(id)")
            }
            #expect(throws: StoreError.self) { _ = try Country(["id": 0]) }
            #expect(throws: StoreError.self) { _ = try Country(json: Data(#"{"id": "x"}"#.utf8)) }
            // If the store assigns the ids, an id in the dictionary is ignored.
            let plain = try Plain(["id": 90, "name": "plain"])
            try plain.save()
            #expect(plain.id == 1)
        }
    }

    @Test func `objects without an id get the next id above all assigned and deleted ids`() throws {
        try withTemporarySession { session, _ in
            let given = try country(20, "given")
            let (first, second) = (Country(), Country())
            first.neighbour = given
            given.neighbour = second
            try session.save([first, given, second])
            #expect(Set([first.id, second.id]) == [21, 22] && given.id == 20)
            try second.delete()
            try first.delete()
            let next = Country()
            try next.save()
            expect(next.id, 23)
            // An assigned id can fill a gap; the next ids do not.
            try country(5, "early").save()
            let last = Country()
            try last.save()
            expect(last.id, 24)
        }
    }

    @Test func `an id that is taken is an error, and the object can get another id`() throws {
        try withTemporarySession { _, file in
            try country(7, "first").save()
            let second = try country(7, "second")
            let error = try #require(throws: StoreError.self) { try second.save() }
            #expect(error.code == .notUnique && error.className == "Country")
            #expect(second.id == nil)
            try expect(file.sqlite("SELECT name FROM country"), "first")
            try second.setID(8)
            try second.save()
            expect(second.id, 8)
            #expect(throws: StoreError.self) { try second.setID(9) }
        }
    }

    @Test func `after a rollback, the object keeps its assigned id`() throws {
        struct Stop: Error {}
        func saveAndStop(_ country: Country) throws {
            try country.save()
            throw Stop()
        }
        try withTemporarySession { session, _ in
            let object = try country(9, "x")
            #expect(throws: Stop.self) { try session.transaction { try saveAndStop(object) } }
            #expect(object.id == nil)
            try object.save()
            #expect(object.id == 9)
        }
    }

    @Test(arguments: [0, -1, Int.min])
    func `a number below 1 is refused as an id`(_ number: Int) throws {
        let error = try #require(throws: StoreError.self) { _ = try Country(id: number) }
        #expect(error.code == .misuse && error.className == "Country")
    }

    @Test func `assigning an id is refused if the store assigns the ids`() throws {
        let error = try #require(throws: StoreError.self) { _ = try Plain(id: 3) }
        #expect(error.code == .misuse && error.message.contains(".given"))
        #expect(throws: StoreError.self) { _ = try Country(id: UInt64.max) }
    }

    @Test func `rows of an existing table get assigned ids too`() throws {
        final class Code: PersistentObject {
            override class var tableName: String { "Codes" }
            override class var origin: TableOrigin { .existing }
            override class var identity: Identity { .given }
            @Column("Text") var text: String?
        }
        try SampleFile.with("CREATE TABLE Codes (Nr INTEGER PRIMARY KEY, Text)") { session, file throws in
            let codes = [try Code(id: 404), Code(), try Code(id: 200)]
            try session.save(codes)
            expect(codes.map(\.id), [404, 405, 200])
            try expect(file.sqlite("SELECT group_concat(Nr) FROM Codes"), "200,404,405")
        }
    }
}
