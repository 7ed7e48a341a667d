#if PostgreSQL
    import Foundation
    import PersistentObjects
    import TestSupport
    import Testing

    private final class Coin: PersistentObject {
        override class var tableName: String { "coin" }
        var value = 0
    }

    extension ProxyTests {
        /// A connection lost during a commit is reported as committed, as not committed, or as unknown, and never
        /// incorrectly.
        @Suite struct LostCommitTests {
            /// With the NUL that ends a string, because READ COMMITTED must not match.
            private static let commit = "COMMIT\0"

            /// Runs work whose connection is cut at its COMMIT. Returns the reported error code, the row on the
            /// server, and the value in memory.
            private func cut(
                _ cut: PostgresProxy.Cut, _ work: (Session, Coin) throws -> Void
            ) throws -> (code: StoreError.Code?, row: String, memory: Int) {
                let proxy = try PostgresProxy()
                let schema = try proxy.makeSchema()
                let store = try Store(.postgres(schema.address))
                defer { store.close() }
                return try store.withSession { session in
                    let coin = Coin()
                    try coin.save()
                    coin.value = 1
                    try coin.save()
                    proxy.setCut(cut)
                    coin.value = 2
                    var code: StoreError.Code?
                    do { try work(session, coin) } catch let error as StoreError { code = error.code }
                    #expect(proxy.cutCount == 1)
                    let row = try schema.psql("SELECT value FROM coin")
                    let memory = coin.value
                    #expect(coin.hasChanges == (code != nil))
                    // The session continues to work, and a later save is stored.
                    if code == .commitUnknown {
                        coin.revert()
                        try coin.reload()
                        #expect(coin.value == Int(row))
                    }
                    coin.value = 3
                    try coin.save()
                    #expect(try schema.psql("SELECT value FROM coin") == "3")
                    #expect(try Coin.all() == [coin])
                    return (code, row, memory)
                }
            }

            @Test("a transaction whose commit reached the server is reported as committed")
            func made() throws {
                let end = try cut(.after(Self.commit)) { session, coin in try session.transaction { try coin.save() } }
                #expect(end.code == nil)
                #expect(end.row == "2" && end.memory == 2)
            }

            @Test("a transaction whose commit did not reach the server throws, and memory keeps the edits")
            func notMade() throws {
                let end = try cut(.before(Self.commit)) { session, coin in try session.transaction { try coin.save() } }
                #expect(end.code == .connectionLost && end.row == "1" && end.memory == 2)
            }

            @Test("a transaction with retries runs again only if its commit did not reach the server")
            func again() throws {
                for (cutting, runs) in [(PostgresProxy.Cut.before(Self.commit), 2), (.after(Self.commit), 1)] {
                    var count = 0
                    let end = try cut(cutting) { session, coin in
                        try session.transaction(retries: 2) {
                            count += 1
                            try coin.save()
                        }
                    }
                    #expect(end.code == nil && end.row == "2" && end.memory == 2 && count == runs)
                }
            }

            @Test("a transaction with retries runs again if the connection was lost in its middle")
            func earlier() throws {
                var count = 0
                let end = try cut(.before("count(*)")) { session, coin in
                    try session.transaction(retries: 1) {
                        count += 1
                        try coin.save()
                        #expect(try Coin.count() == 1)
                    }
                }
                #expect(end.code == nil && end.row == "2" && end.memory == 2 && count == 2)
            }

            @Test("a save in one round trip whose result was lost throws commitUnknown", arguments: [true, false])
            func unknown(hasArrived: Bool) throws {
                let end = try cut(hasArrived ? .after(Self.commit) : .before(Self.commit)) { _, coin in try coin.save()
                }
                #expect(end.code == .commitUnknown && end.row == (hasArrived ? "2" : "1") && end.memory == 2)
            }

            @Test("a connection that ended while idle is replaced without an error")
            func replaced() throws {
                let schema = try PostgresProxy().makeSchema()
                let store = try Store(.postgres(schema.directAddress))
                defer { store.close() }
                try store.withSession { session in
                    let coin = Coin()
                    for value in 0..<4 {
                        coin.value = value
                        try coin.save()
                        // The function returns when the other connections have ended.
                        let end = "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity"
                        _ = try schema.psql("\(end) WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'")
                        #expect(try Coin.find(1) === coin)
                    }
                    coin.value = 9
                    try session.transaction { try coin.save() }
                    #expect(try schema.psql("SELECT value FROM coin") == "9")
                }
            }

            @Test("a server that does not come back is reported within the busy timeout")
            func gone() throws {
                let proxy = try PostgresProxy()
                let schema = try proxy.makeSchema()
                let store = try Store(.postgres(schema.address), configuration: .init(busyTimeout: .milliseconds(300)))
                defer { store.close() }
                try store.withSession { session in
                    let coin = Coin()
                    try coin.save()
                    coin.value = 1
                    proxy.setCut(.forGood(Self.commit))
                    var count = 0
                    let error = #expect(throws: StoreError.self) { () throws in
                        try session.transaction(retries: 3) {
                            count += 1
                            try coin.save()
                        }
                    }
                    #expect(error?.code == .commitUnknown && count == 1)
                    proxy.setCut(nil)
                    try coin.save()
                    #expect(try schema.psql("SELECT value FROM coin") == "1")
                }
            }
        }
    }
#endif
