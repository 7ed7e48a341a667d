import TestSupport
import Testing

@testable import PersistentObjects

/// An `init()` that deletes the target of rows of the same fetch, or fetches these rows.
struct TargetsInInitialiserTests {
    final class Port: PersistentObject {
        override class var tableName: String { "port" }
        var name = ""
    }

    final class Ship: PersistentObject {
        override class var tableName: String { "ship" }
        @TaskLocal static var whileMade: Hook?
        var number = 0
        var port: Port?

        required init() {
            super.init()
            try? Ship.whileMade?()
        }
    }

    private static func save(_ session: Session) throws {
        let ports = ["home", "other"].map { name in
            let port = Port()
            port.name = name
            return port
        }
        try session.save(ports)
        try session.save(
            (0..<6).map { number in
                let ship = Ship()
                (ship.number, ship.port) = (number, ports[0])
                return ship
            })
    }

    /// `held` is the number of ports in memory when the ships are read.
    @Test(arguments: 0...2, 1...7)
    func `no fetched object refers to a port that an init() deleted, and a rollback restores all rows`(
        held: Int, place: Int
    ) throws {
        try withTemporaryStore { store, file in
            try store.withSession { try Self.save($0) }
            try store.withSession { session throws in
                let ports = try Port.find(Array(1...Int64(held + 1)).dropLast())
                let made = Recorder<Int>()
                let deleted = Recorder<Bool>()
                let hook = Hook {
                    made.add(1)
                    guard made.all.count == place else { return }
                    try Port.find(1)?.delete()
                    deleted.add(true)
                }
                do {
                    try session.transaction {
                        let ships = try Ship.$whileMade.withValue(hook) { try Ship.all() }
                        // Objects that were already created lost the reference when the row was deleted.
                        #expect(ships.allSatisfy { $0.port.map { $0.lifecycle == .saved } ?? true })
                        session.rollBack()
                    }
                } catch let error as StoreError {
                    #expect(error.className == "Ship" && error.property == "port" && error.code == .brokenReference)
                    #expect(deleted.all == [true])
                }
                #expect(deleted.all.count == (place <= 6 ? 1 : 0))
                #expect(ports.allSatisfy { $0.lifecycle == .saved && !$0.hasChanges })
                let again = try Ship.all()
                #expect(again.map(\.number) == Array(0..<6) && again.allSatisfy { $0.port?.name == "home" })
                #expect(try session.space(of: Ship.self).identity.brokenInvariant() == nil)
            }
            #expect(try file.sqlite("SELECT count(*), count(port_id) FROM ship") == "6|6")
            #expect(try file.sqlite("SELECT count(*) FROM port") == "2")
        }
    }

    @Test(arguments: 0...2, 1...6) func `rows that an init() fetches meanwhile have their targets too`(
        held: Int, place: Int
    ) throws {
        try withTemporaryStore { store, _ in
            try store.withSession { try Self.save($0) }
            for own in [Int64(place), Int64(7 - place)] {
                try store.withSession { session throws in
                    let ports = try Port.find(Array(1...Int64(held + 1)).dropLast())
                    let made = Recorder<Int>()
                    let hook = Hook {
                        made.add(1)
                        // The row whose object is being created, or a row before or after it.
                        if made.all.count == place { _ = try Ship.find(own) }
                    }
                    let ships = try Ship.$whileMade.withValue(hook) { try Ship.all() }
                    #expect(ships.map(\.number) == Array(0..<6))
                    #expect(ships.allSatisfy { $0.port?.name == "home" && !$0.hasChanges })
                    #expect(Set(ships.compactMap { $0.port.map { ObjectIdentifier($0) } }).count == 1)
                    #expect(held == 0 || ships[0].port === ports[0])
                    #expect(try Ship.all().elementsEqual(ships, by: ===))
                    #expect(try session.space(of: Ship.self).identity.brokenInvariant() == nil)
                }
            }
        }
    }
}
