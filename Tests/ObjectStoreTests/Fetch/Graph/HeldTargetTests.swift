import TestSupport
import Testing

@testable import PersistentObjects

/// References lead to the session's objects, whichever of them are in memory when the rows are read.
struct HeldTargetTests {
    class Place: PersistentObject {
        override class var tableName: String { "place" }
        var name = ""

        required init() {}
        convenience init(_ name: String) {
            self.init()
            self.name = name
        }
    }

    final class Harbour: Place { var depth = 0 }

    final class Voyage: PersistentObject {
        override class var tableName: String { "voyage" }
        var number = 0
        var start: Place? = HeldTargetTests.initial()
        var end: Place?
        var port: Harbour?
    }

    /// The value that `init()` assigns to the reference: an object in memory that the row does not refer to.
    @TaskLocal private static var first: Smuggled<Place?>?
    private static func initial() -> Place? { first?.value }

    private struct Row {
        var start: Int64?
        var end: Int64?
        var port: Int64?
    }

    private static func save(_ count: Int, _ random: inout SeededGenerator, _ session: Session) throws -> [Row] {
        let places: [Place] = (0..<12).map { $0 % 3 == 2 ? Harbour("\($0 + 1)") : Place("\($0 + 1)") }
        for place in places { try place.save() }
        func maybe<P: Place>(_ type: P.Type) -> P? {
            Int.random(in: 0..<4, using: &random) == 0
                ? nil : places.compactMap { $0 as? P }.randomElement(using: &random)
        }
        let voyages = (0..<count).map { number in
            let voyage = Voyage()
            voyage.number = number
            voyage.start = maybe(Place.self)
            voyage.end = maybe(Place.self)
            voyage.port = maybe(Harbour.self)
            return voyage
        }
        try session.save(voyages)
        return voyages.map { Row(start: $0.start?.id, end: $0.end?.id, port: $0.port?.id) }
    }

    @Test(arguments: SeededGenerator.seeds(20))
    func `a reference leads to the object in memory, if there is one`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        try withTemporaryStore { store, _ in
            let rows = try store.withSession { try Self.save(40, &random, $0) }
            try store.withSession { session in
                let ids = (1...12 as ClosedRange<Int64>).filter { _ in
                    Int.random(in: 0..<6, using: &random) < Int(seed % 8)
                }
                let held = Dictionary(
                    uniqueKeysWithValues: try Place.find(ids).map { ($0.rowID, $0) })
                // Some of the voyages are in memory too, so that new objects are created between them.
                let known = try seed.isMultiple(of: 3) ? Voyage.find([2, 3, 17]) : []
                let voyages = try Self.$first.withValue(Smuggled(held.values.first)) { try Voyage.all() }
                #expect(voyages.count == rows.count && known.allSatisfy { voyages.contains($0) })
                var met = held
                func check(_ target: Place?, _ id: Int64?) {
                    #expect(target?.id == id && target?.name == id.map { "\($0)" })
                    guard let target, let id else { return }
                    #expect((target is Harbour) == (id % 3 == 0))
                    #expect(met[id] == nil || met[id] === target)
                    met[id] = target
                }
                for (voyage, row) in zip(voyages, rows) {
                    check(voyage.start, row.start)
                    check(voyage.end, row.end)
                    check(voyage.port, row.port)
                    #expect(!voyage.hasChanges)
                }
                try session.saveChanges()
            }
            try store.withSession { _ throws in
                #expect(try Place.count() == 12)
            }
        }
    }

    @Test func `a target of another class than the reference is refused, in memory or not`() throws {
        try withTemporaryStore { store, file in
            var random = SeededGenerator(seed: 7)
            _ = try store.withSession { try Self.save(3, &random, $0) }
            _ = try file.sqlite("UPDATE voyage SET port_id = 1 WHERE id = 2")
            for isHeld in [false, true] {
                try store.withSession { _ throws in
                    let held = try isHeld ? Place.all() : []
                    let error = #expect(throws: StoreError.self) { _ = try Voyage.all() }
                    #expect(error?.className == "Voyage" && error?.property == "port" && error?.rowID == 2)
                    #expect(held.count == (isHeld ? 12 : 0))
                }
            }
        }
    }
}
