#if PostgreSQL
    import Foundation
    import PersistentObjects
    import TestSupport
    import Testing

    private final class Tally: PersistentObject {
        override class var tableName: String { "tally" }
        @Unique var name = ""
        var count = 0
        var own = 0

        /// The count of each of the eight processes: 10,000 together, in optimized builds.
        static let share = Scale.isFull ? 1250 : 50

        /// Increments the count once, retrying after conflicts.
        static func count(_ session: Session) throws {
            let tally: Tally = try Tally.findOrCreateByName("the")
            while true {
                tally.count += 1
                do { return try tally.save() } catch let error as StoreError where error.code == .staleObject {
                    tally.revert()
                    try tally.reload()
                }
            }
        }
    }

    extension ProxyTests {
        /// Several programs on one server.
        @Suite(.ownProcesses) struct ProcessTests {
            @Test("eight processes create the same tables at once, and increment one row without lost updates")
            func counting() async throws {
                let schema = try PostgresProxy().makeSchema()
                let address = try schema.directAddress
                await withTaskGroup(of: Void.self) { group in
                    for _ in 0..<8 {
                        group.addTask {
                            await #expect(processExitsWith: .success) { [address = address as String] in
                                let store = try Store(
                                    .postgres(address), configuration: .init(busyTimeout: .seconds(60)))
                                try store.withSession { session in
                                    for _ in 0..<Tally.share { try Tally.count(session) }
                                }
                                store.close()
                            }
                        }
                    }
                }
                let counted = try schema.psql("SELECT count, (SELECT count(*) FROM tally) FROM tally")
                #expect(counted == "\(8 * Tally.share)|1")
            }
        }
    }
#endif
