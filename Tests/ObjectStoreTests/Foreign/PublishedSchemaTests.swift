import Foundation
import PersistentTransfer
import TestSupport
import Testing

@testable import PersistentObjects

/// Databases that other projects publish are read, queried, summed, edited, exported, imported and checked.
@Suite(.enabled(if: !TestEngine.isPostgres)) struct PublishedSchemaTests {
    /// Exports some classes, deletes their rows, imports them and compares the rows of the file.
    ///
    /// - Parameter isStamped: Whether triggers of the file set times, which are then not compared.
    private func transfer(
        _ types: [PersistentObject.Type], _ tables: [String], _ session: Session, _ file: TemporaryStore,
        isStamped: Bool = false
    ) throws {
        func rows() throws -> String {
            let rows = try file.sqlite(tables.map { "SELECT * FROM \($0) ORDER BY 1, 2;" }.joined())
            return isStamped ? rows.replacing(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/, with: "time") : rows
        }
        let url = file.folder.appending(path: "export.jsonl")
        _ = try session.store.export(types, to: url)
        let before = try rows()
        // Referring classes come first in the list.
        for type in types { _ = try type.deleteAll() }
        #expect(try rows() != before)
        let report = try session.store.import(types, from: url, ids: .kept)
        #expect(report.converted.values.reduce(0, +) > 0 && report.skipped.isEmpty)
        #expect(try rows() == before)
        #expect(try file.sqlite("PRAGMA foreign_key_check") == "")
    }

    @Test func `the Sakila database can be queried, edited, checked and imported, with its triggers`() throws {
        try SampleFile.with(Sakila.sql) { session, file throws in
            typealias S = Sakila
            let film = try #require(try S.Film.findFirstBy.title("ACE GOLDFINGER"))
            #expect(film.language?.name == "English" && film.roles.count == 1 && film.length == 48)
            #expect(try S.Language.find(1)?.films.count == 2)
            #expect(
                try S.Actor.where { $0.roles.any { $0.film.language.name == "Italian" } }.single().firstName == "NICK")
            #expect(try S.Film.query.sum(\.rentalRate) == 8.97 && S.Listed.where { $0.price > 1 }.count() == 2)
            // Each kind of write runs the file's triggers.
            film.title = "ACE"
            film.language = try S.Language.find(2)
            try film.save()
            try S.Film.where { $0.length == nil }.update { $0.rating = "R" }
            let actor = S.Actor()
            (actor.firstName, actor.lastName) = ("JOE", "SWANK")
            let role = S.Role()
            (role.actor, role.film) = (actor, film)
            try session.save([role])
            #expect(actor.id == 3 && film.roles.count == 2)
            #expect(try file.sqlite("SELECT count(*) FROM film WHERE last_update > '2020'") == "3")
            #expect(try S.Film.find(2)?.lastUpdate.timeIntervalSinceNow ?? -1e9 > -600)
            let error = #expect(throws: StoreError.self) {
                film.rating = "X"
                try film.save()
            }
            #expect(error?.code == .constraint)
            film.revert()
            let report = try session.store.checkIntegrity()
            #expect(report.isSound && report.notChecked.isEmpty && report.checkedRowCount == 15, "\(report)")
            // The deletion would leave a referring row behind.
            #expect(throws: (any Error).self) { try film.delete() }
            try transfer(
                [S.Role.self, S.Film.self, S.Actor.self, S.Language.self], ["film_actor", "actor", "language"], session,
                file, isStamped: true)
        }
    }

    @Test func `the Northwind database can be queried, edited, checked and imported, with its composite keys`() throws {
        try Northwind.with { session, file throws in
            typealias N = Northwind
            _ = try file.sqlite("UPDATE Shipments SET Note = 'second' WHERE ShipmentID = 2")
            #expect(
                try N.OrderDetail.query.sum(\.quantity) == 41
                    && N.Order.where { $0.customer.code == "ALFKI" }.count() == 2)
            let detail = try #require(try N.OrderDetail.find(key: 10248, 11))
            detail.quantity = 20
            try detail.save()
            #expect(detail.total == 196)
            for type in [N.Customer.self, N.Region.self, N.Shipment.self] as [PersistentObject.Type] {
                _ = try type.first()
            }
            let report = try session.store.checkIntegrity()
            #expect(report.isSound && report.notChecked.isEmpty && report.checkedRowCount > 15, "\(report)")
            try transfer(
                [N.Region.self, N.Shipment.self, N.OrderDetail.self], ["Region", "Shipments", "[Order Details]"],
                session, file)
        }
    }

    @Test func `an Anki collection can be queried, edited and checked`() throws {
        try SampleFile.with(Anki.sql) { session, file throws in
            typealias A = Anki
            let note = try #require(try A.Note.find(1_700_000_000_001))
            #expect(
                note.changed == Date(timeIntervalSince1970: 1_700_000_000)
                    && note.flds.split(separator: "\u{1F}") == ["front", "back"])
            #expect(note.cards.map(\.reps) == [3] && note.sfld == "front")
            #expect(try A.Card.query.sum(\.reps) == 8)
            #expect(
                try A.Card.where { $0.note.guid == "b" && $0.mod > Date(timeIntervalSince1970: 1) }.single().ivl == 4)
            note.tags = " y "
            note.changed = Date(timeIntervalSince1970: 1_800_000_000)
            let grave = A.Grave()
            grave.oid = 5
            try session.save([note, grave])
            #expect(
                try file.sqlite("SELECT tags, mod, typeof(mod) FROM notes WHERE id = 1700000000001")
                    == " y |1800000000|integer")
            let report = try session.store.checkIntegrity()
            #expect(report.isSound && report.notChecked.isEmpty, "\(report)")
        }
    }

    @Test func `an MBTiles file can be queried, edited, checked, exported and imported`() throws {
        let file = try TemporaryStore()
        _ = try file.sqlite(MBTiles.sql)
        let store = try Store(file.path, configuration: .init(applicationID: MBTiles.applicationID))
        defer { store.close() }
        try store.withSession { session throws in
            typealias M = MBTiles
            // The view that the standard guarantees.
            let tile = try #require(try M.Tile.find(key: 1, 1, 1))
            #expect(tile.data == Data([2, 3]) && tile.row == 1)
            #expect(try M.Tile.where { $0.zoom == 1 }.order(by: \.column).all().map(\.data.count) == [1, 2])
            #expect(try M.Tile.where { $0.column == 1 }.single() === tile && M.Tile.count() == 3)
            #expect(try M.Tile.query.max(\.zoom) == 1 && M.Tile.find(tile.id ?? 0) === tile)
            #expect(
                try M.Entry.find(key: "maxzoom")?.value == "1"
                    && M.Entry.query.order(by: \.name).first()?.name == "maxzoom")
            #expect(throws: StoreError.self) { try tile.delete() }
            // The tables.
            let land = try #require(try M.Image.find(key: "land"))
            #expect(land.places.count == 1)
            let place = M.Place()
            (place.zoom, place.column, place.row, place.image) = (1, 0, 0, land)
            land.data = Data([9])
            try session.save([place, land])
            #expect(try M.Tile.find(key: 1, 0, 0)?.data == Data([9]))
            try session.refresh()
            #expect(tile.data == Data([9]))
            let report = try session.store.checkIntegrity()
            #expect(report.isSound && report.notChecked.isEmpty && report.checkedRowCount == 13, "\(report)")
            let url = file.folder.appending(path: "tiles.jsonl")
            _ = try session.store.export([M.Tile.self, M.Entry.self], to: url)
            #expect(try String(contentsOf: url, encoding: .utf8).split(separator: "\n").count == 7)
            try transfer([M.Place.self, M.Image.self], ["map", "images"], session, file)
        }
        #expect(try file.sqlite("PRAGMA application_id") == "\(MBTiles.applicationID)")
    }

    @Test func `a GeoPackage can be opened with its application id, queried, checked, edited and exported`() throws {
        let file = try TemporaryStore()
        _ = try file.sqlite(GeoPackage.sql)
        let error = #expect(throws: StoreError.self) { try Store(file.path) }
        #expect(
            error?.code == .foreignFile && error?.message.contains("applicationID: \(GeoPackage.applicationID)") == true
        )
        #expect(throws: StoreError.self) { try Store(file.path, configuration: .init(applicationID: 7)) }
        for isReadOnly in [true, false] {
            let store = try Store(
                file.path,
                configuration: isReadOnly ? .init(isReadOnly: true) : .init(applicationID: GeoPackage.applicationID))
            defer { store.close() }
            try store.withSession { session throws in
                typealias G = GeoPackage
                #expect(
                    try G.Place.where { $0.pop > 250_000 }.single().name == "Graz"
                        && G.Place.query.sum(\.pop) == 510_000)
                let content = try #require(try G.Content.find(key: "places"))
                #expect(content.system?.name == "WGS 84" && content.system?.contents == [content])
                #expect(abs(content.changed.timeIntervalSince1970 - 1_714_979_289.123) < 0.001)
                let report = try session.store.checkIntegrity()
                #expect(report.isSound && report.notChecked.isEmpty, "\(report)")
                guard !isReadOnly else { return }
                let graz = try #require(try G.Place.findFirstBy.name("Graz"))
                graz.pop = 302_000
                try graz.save()
                content.changed = Date(timeIntervalSince1970: 1_800_000_000)
                try content.save()
                // The trigger calls a function that only programs for the format define.
                graz.geom = Data([1])
                #expect(throws: StoreError.self) { try graz.save() }
                #expect(try session.store.export([G.Place.self], to: file.folder.appending(path: "places.jsonl")) == 2)
            }
        }
        #expect(try file.sqlite("SELECT pop FROM places WHERE name = 'Graz'; PRAGMA user_version") == "302000\n10300")
    }
}
