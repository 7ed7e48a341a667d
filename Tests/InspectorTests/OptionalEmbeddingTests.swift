import Foundation
import PersistentObjects
import TestSupport
import Testing

/// Optional embedded values, whose fields only the program can make or remove together.
struct OptionalEmbeddingTests {
    struct Spot: Codable {
        var city = ""
        var zip: String?
    }

    final class Depot: PersistentObject {
        override class var tableName: String { "inspected_depot" }
        @Embedded var place: Spot?
    }

    private func withFile(_ body: (TemporaryStore) throws -> Void) throws {
        let file = try TemporaryStore()
        let store = try file.open()
        try store.withSession { session in
            let depots = [Depot(), Depot()]
            depots[0].place = Spot(city: "Graz")
            try session.save(depots)
        }
        store.close()
        try body(file)
    }

    @Test func `a field is edited only if there is a value`() throws {
        try withFile { file throws in
            _ = try Inspection(file.path, "edit", "Depot", "1", "place.city=Wien", "--yes")
            for (id, edit, reason) in [
                ("2", "place.city=Wien", "place is nil, and only its program can make the value"),
                ("2", "place.exists=true", "it marks whether place is nil"),
                ("1", "place.exists=nil", "it marks whether place is nil"),
                ("1", "place.city=nil", "Depot.place.city cannot be set to nil here"),
            ] {
                let message = refusal(file.path, "edit", "Depot", id, edit, "--yes")
                #expect(message.contains(reason), "\(message)")
            }
            let store = try file.open()
            try store.withSession { _ in try #expect(Depot.all().map { $0.place?.city } == ["Wien", nil]) }
            store.close()
        }
    }

    @Test func `a check finds a field with a value in a value that is nil`() throws {
        try withFile { file throws in
            #expect(try Inspection(file.path, "check").lines == ["No problems"])
            _ = try SQLiteTool.run(file.path, "UPDATE inspected_depot SET place_zip = '8010' WHERE id = 2")
            let lines = try Inspection(file.path, "check").lines
            #expect(lines == ["Depot.place.zip #2: it has a value, although place is nil", "1 problem"])
        }
    }
}
