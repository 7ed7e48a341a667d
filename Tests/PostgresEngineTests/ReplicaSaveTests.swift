#if PostgreSQL
    import Foundation
    import PersistentObjects
    import PersistentObjectsTesting
    import TestSupport
    import Testing

    private final class Barge: PersistentObject {
        override class var tableName: String { "barge" }
        var name = ""
        var cargo = 0

        convenience init(_ name: String) {
            self.init()
            self.name = name
        }
    }

    private final class Liner: PersistentObject {
        override class var tableName: String { "liner" }
        var ports: [String] = []
    }

    /// Objects that were read from a replica are saved on the primary, which compares the versions of their rows.
    ///
    /// In each test, the replica has an earlier state than the primary.
    @Suite(.serialized, .hangLimit, .onPostgres("a file has no replica")) struct ReplicaSaveTests {
        private static let pair = Result { try PostgresPair() }
        private let pair: PostgresPair
        private let schema: String

        init() throws {
            pair = try Self.pair.get()
            schema = "s\(UUID().uuidString.prefix(8).lowercased())"
            try pair.setReplay(isPaused: false)
        }

        private func onPrimary(_ sql: String) throws -> String {
            try pair.psqlOnPrimary("SET search_path = \(schema); \(sql)")
        }

        /// Calls `body` with two barges from the replica, whose replay is stopped.
        private func withBarges(_ body: (Session, Barge, Barge) throws -> Void) throws {
            let replica = Store.Configuration.Replica(pair.replicaAddress, maximumLag: .seconds(600))
            let store = try Store(pair.primaryAddress, schema: schema, configuration: .init(replica: replica))
            defer { store.close() }
            try store.withSession { session in
                try session.save([Barge("Ann"), Barge("Joe")])
                try Liner().save()
                try session.waitForReplica()
            }
            try pair.setReplay(isPaused: true)
            try store.withSession { session in
                let barges = try Barge.where("pg_is_in_recovery()").order(by: \.id).all()
                try #require(barges.count == 2)
                try body(session, barges[0], barges[1])
            }
        }

        @Test("an unchanged row is written without reading it")
        func unchanged() throws {
            try withBarges { session, ann, joe in
                let log = try StatementLog(session)
                ann.cargo = 1
                try ann.save()
                #expect(log.statements.filter { $0.hasPrefix("SELECT") && !$0.contains("po_expect") } == [])
                #expect(log.statements.contains { $0.contains("po_expect") })
                #expect(try onPrimary("SELECT cargo FROM barge ORDER BY id") == "1\n0")
                joe.cargo = 2
                try session.transaction { try joe.save() }
                #expect(try onPrimary("SELECT cargo FROM barge ORDER BY id") == "1\n2")
                #expect(try Barge.where { $0.cargo > 0 }.count() == 2)
            }
        }

        @Test("a changed row is read again and merged", arguments: [false, true])
        func merge(isInTransaction: Bool) throws {
            try withBarges { session, ann, joe in
                _ = try onPrimary("UPDATE barge SET name = 'theirs' WHERE name = 'Ann'")
                ann.cargo = 1
                if isInTransaction { try session.transaction { try ann.save() } } else { try ann.save() }
                #expect(ann.name == "theirs" && ann.cargo == 1 && !ann.hasChanges)
                #expect(try onPrimary("SELECT name, cargo FROM barge ORDER BY id") == "theirs|1\nJoe|0")
                #expect(joe.name == "Joe")
            }
        }

        @Test("it is a conflict only if both changed the same property", arguments: [false, true])
        func conflict(isInTransaction: Bool) throws {
            try withBarges { session, ann, joe in
                _ = try onPrimary("UPDATE barge SET name = 'theirs' WHERE name = 'Ann'")
                (ann.name, joe.cargo) = ("mine", 5)
                let error = #expect(throws: StoreError.self) { () throws in
                    if isInTransaction {
                        try session.transaction { try session.save([ann, joe]) }
                    } else {
                        try session.save([ann, joe])
                    }
                }
                #expect(error?.code == .staleObject && error?.property == "name" && error?.rowID == ann.id)
                #expect(ann.name == "mine" && joe.cargo == 5)
                #expect(try onPrimary("SELECT name, cargo FROM barge ORDER BY id") == "theirs|0\nJoe|0")
                // The primary has the newer row, which the replica does not have.
                try ann.reload()
                #expect(ann.name == "theirs")
                ann.name = "again"
                try session.save([ann, joe])
                #expect(try onPrimary("SELECT name, cargo FROM barge ORDER BY id") == "again|0\nJoe|5")
            }
        }

        @Test("a deleted row is detected")
        func deletedRow() throws {
            try withBarges { session, ann, joe in
                _ = try onPrimary("DELETE FROM barge WHERE name = 'Ann'")
                ann.cargo = 1
                let gone = #expect(throws: StoreError.self) { () throws in try ann.save() }
                #expect(gone?.code == .rowGone)
                #expect(try Barge.all() == [joe])
            }
        }

        @Test("the elements of a collection are saved and found")
        func elements() throws {
            try withBarges { session, _, _ in
                let liner = try #require(try Liner.all().first)
                liner.ports = ["Oslo"]
                try liner.save()
                #expect(try onPrimary("SELECT value FROM liner_ports") == "Oslo")
                #expect(try Liner.where { $0.ports.contains("Oslo") }.all() == [liner])
            }
        }

        @Test("of the increments by sessions that read the replica, none is lost")
        func increments() throws {
            let replica = Store.Configuration.Replica(pair.replicaAddress, maximumLag: .seconds(600))
            let store = try Store(pair.primaryAddress, schema: schema, configuration: .init(replica: replica))
            defer { store.close() }
            let id = try store.withSession { session in
                let barge = Barge("Ann")
                try barge.save()
                try session.waitForReplica()
                return try #require(barge.id)
            }
            try pair.setReplay(isPaused: true)
            let rounds = Scale.rounds(200)
            var stale = 0
            for _ in 0..<rounds {
                try store.withSession { _ in
                    let barge = try #require(try Barge.find(id))
                    try #require(barge.cargo == 0)
                    while true {
                        barge.cargo += 1
                        do {
                            try barge.save()
                            break
                        } catch let error as StoreError where error.code == .staleObject {
                            stale += 1
                            try barge.reload()
                        }
                    }
                }
            }
            #expect(try onPrimary("SELECT cargo FROM barge") == "\(rounds)")
            #expect(stale == rounds - 1)
        }
    }
#endif
