import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// Another program changed links so that they point to rows of another class.
struct DamagedLinkTests {
    final class Squad: PersistentObject {
        override class var tableName: String { "damaged_squad" }
        var bosses: [Boss] = []
    }

    @Test func `a collection with an object of another class throws with class, property and row`() throws {
        try withTemporaryStore { store, file in
            try store.withSession { session throws in
                let squad = Squad()
                squad.bosses = [Boss()]
                try session.save([squad])
                let worker = Worker()
                try worker.save()
                _ = try file.sqlite("UPDATE damaged_squad_bosses SET value_id = \(worker.id ?? 0)")
            }
            try store.withSession { _ throws in
                let worker = try #require(try Worker.query.order(by: \.id).all().last)
                let error = #expect(throws: StoreError.self) { try Squad.all() }
                #expect(error?.className == "Squad" && error?.property == "bosses" && error?.rowID == 1)
                withExtendedLifetime(worker) {}
            }
        }
    }
}
