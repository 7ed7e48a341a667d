import Foundation
import Observation
import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// Structures whose fields are stored in columns.
struct EmbeddedTests {
    @Test func `each field is a column named after the property and the field`() throws {
        let map = try ClassMap.map(of: Parcel.self)
        expect(
            map.declaredProperties.map(\.column),
            [
                "name", "address_city", "address_zip", "address_number", "address_floor", "address_is_own",
                "address_is_quiet", "address_kind", "address_level", "address_since", "address_until", "address_seal",
                "address_token", "address_price", "address_page", "address_ratio", "address_place_lat",
                "address_place_lon", "address_place_label", "address_summer", "address_notes", "address_big", "weight",
                "back_lat", "back_lon", "back_label",
            ])
        #expect(map.ordinal(of: "address.place.lat") != nil && map.ordinal(of: "address") == nil)
        let property = try #require(try Parcel.properties.first { $0.name == "address.city" })
        #expect(property.column == "address_city" && property.isIndexed && !property.isOptional)
        #expect(property.type == String.self && property.kind == .value)
    }

    @Test(arguments: SeededGenerator.seeds(8))
    func `random edits, saves and fetches agree with a model`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        try withTemporaryStore { store, _ in
            var model: [Int64: (address: Parcel.Address, sender: Parcel.Place)] = [:]
            for _ in 0..<6 {
                try store.withSession { _ throws in
                    for (id, expected) in model {
                        let parcel = try #require(try Parcel.find(id))
                        #expect(parcel.address == expected.address && parcel.sender == expected.sender)
                        #expect(!parcel.hasChanges)
                        guard Bool.random(using: &random) else { continue }
                        parcel.address = .random(&random)
                        if Bool.random(using: &random) { parcel.revert() } else { try parcel.save() }
                        model[id]?.address = parcel.address
                    }
                    for _ in 0..<4 {
                        let parcel = Parcel()
                        parcel.address = .random(&random)
                        parcel.sender.label = "s"
                        try parcel.save()
                        let id = try #require(parcel.id)
                        model[id] = (parcel.address, parcel.sender)
                    }
                }
            }
            expect(model.count, 24)
        }
    }

    @Test func `a save writes only the columns of the fields that changed`() throws {
        try withTemporarySession { session, file in
            let parcel = Parcel()
            parcel.address.city = "Graz"
            try parcel.save()
            parcel.address.city = "Wien"
            parcel.address.place.lon = 16.37
            expect(parcel.changes.map(\.name), ["address.city", "address.place.lon"])
            let log = try statements(of: session) { try parcel.save() }
            #expect(
                log.contains(
                    #"UPDATE "embedded_parcel" SET "address_city" = ?, "address_place_lon" = ? WHERE "id" = ?"#))
            try expect(file.sqlite("SELECT address_city FROM embedded_parcel"), "Wien")
            parcel.address.number = 5
            parcel.address.zip = "1010"
            parcel.revert(\.address.number)
            #expect(parcel.address.number == 0 && parcel.address.zip == "1010")
            parcel.revert(\.address)
            #expect(parcel.address.zip == nil && !parcel.hasChanges && parcel.address.city == "Wien")
        }
    }

    @Test func `a refresh reads another program's change of one field and keeps the edit of another`() throws {
        try withTemporaryStore { store, file in
            try store.withSession { session throws in
                let parcel = Parcel()
                parcel.address.city = "Graz"
                try parcel.save()
                parcel.address.number = 7
                _ = try file.sqlite("UPDATE embedded_parcel SET address_city = 'Linz'")
                try session.refresh()
                #expect(parcel.address.city == "Linz" && parcel.address.number == 7)
                expect(parcel.changes.map(\.name), ["address.number"])
                try parcel.save()
                try expect(file.sqlite("SELECT address_city, address_number FROM embedded_parcel"), "Linz|7")
            }
        }
    }

    @Test func `a failed transaction restores the fields`() throws {
        struct Stop: Error {}
        try withTemporarySession { session, _ throws in
            let parcel = Parcel()
            parcel.address.city = "Graz"
            try parcel.save()
            #expect(throws: Stop.self) {
                try session.transaction { () throws in
                    parcel.address = Parcel.Address(city: "Wien", zip: "1010")
                    try parcel.save()
                    throw Stop()
                }
            }
            #expect(parcel.address == Parcel.Address(city: "Graz") && !parcel.hasChanges)
            try session.reset()
            #expect(try Parcel.all().map(\.address) == [Parcel.Address(city: "Graz")])
        }
    }

    @Observable final class Watched: PersistentObject {
        override class var tableName: String { "embedded_watched" }
        override class var embedded: Set<String> { ["address"] }
        override class var columns: [String: String] { ["address": "at", "address.label": "title"] }
        override class var transient: Set<String> { ["address.lon"] }
        var address = Parcel.Place()
        var other = 0
    }

    @Observable final class Perhaps: PersistentObject {
        override class var tableName: String { "embedded_perhaps" }
        override class var embedded: Set<String> { ["address"] }
        var address: Parcel.Place?
    }

    @Test func `observers are notified when an optional value is set, changed and removed`() throws {
        try withTemporarySession { session, _ in
            let watched = Perhaps()
            try watched.save()
            let calls = Recorder<String>()
            func told(_ sql: String) throws -> Int {
                let before = calls.all.count
                withObservationTracking {
                    _ = watched.address
                } onChange: {
                    calls.add(sql)
                }
                try session.execute(sql)
                try session.refresh()
                return calls.all.count - before
            }
            let made =
                "UPDATE embedded_perhaps SET address_exists = 1, address_lat = 1, address_lon = 2, address_label = ''"
            #expect(try told(made) == 1 && watched.address == Parcel.Place(lat: 1, lon: 2, label: ""))
            try expect(told("UPDATE embedded_perhaps SET address_label = 'b'"), 1)
            expect(watched.address, Parcel.Place(lat: 1, lon: 2, label: "b"))
            let gone = "address_exists = NULL, address_lat = NULL, address_lon = NULL, address_label = NULL"
            #expect(try told("UPDATE embedded_perhaps SET \(gone)") == 1 && watched.address == nil)
        }
    }

    @Test func `an observable class declares embedded properties by name, and observers are notified`() throws {
        try withTemporarySession { session, file in
            let watched = Watched()
            watched.address = Parcel.Place(lat: 1, lon: 2, label: "a")
            try watched.save()
            try expect(file.sqlite("SELECT at_lat, title FROM embedded_watched"), "1.0|a")
            let calls = Recorder<String>()
            withObservationTracking {
                _ = watched.address
            } onChange: {
                calls.add("address")
            }
            try session.execute("UPDATE embedded_watched SET other = 5")
            try session.refresh()
            #expect(calls.all.isEmpty && watched.other == 5)
            try session.execute("UPDATE embedded_watched SET title = 'b'")
            try session.refresh()
            #expect(calls.all == ["address"] && watched.address == Parcel.Place(lat: 1, lon: 2, label: "b"))
        }
    }

    @Test func `a column that the field cannot represent is an error that names the field`() throws {
        try withTemporaryStore { store, file in
            try store.withSession { _ in try Parcel().save() }
            _ = try file.sqlite("UPDATE embedded_parcel SET address_floor = 300")
            try store.withSession { _ throws in
                let error = #expect(throws: StoreError.self) { try Parcel.all() }
                #expect(error?.className == "Parcel" && error?.property == "address.floor" && error?.rowID == 1)
            }
        }
    }
}
