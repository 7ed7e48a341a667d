#if PostgreSQL
    import Dispatch
    import Foundation
    import PersistentObjects
    import StoreEngine
    import Synchronization
    import TestSupport
    import Testing

    private final class Account: PersistentObject {
        override class var tableName: String { "account" }
        var owner = ""
        var balance = 0
    }

    private final class Page: PersistentObject {
        override class var tableName: String { "page" }
        var text = ""
    }

    private final class Topic: PersistentObject {
        override class var tableName: String { "topic" }
        @Unique var text = ""
        var lines = 0
    }

    private final class Lamp: PersistentObject {
        override class var tableName: String { "lamp" }
        var watts = 0
    }

    /// Concurrent transactions that write are serializable.
    @Suite(.onPostgres("files have one writer at a time")) struct SerializableTests {
        /// Runs `body` several times concurrently, each on a separate thread, and returns the results.
        private static func beside<R: Sendable>(
            _ count: Int, _ body: @escaping @Sendable (Int) throws -> R
        ) async -> [Result<R, any Error>] {
            await withTaskGroup { group in
                for number in 0..<count {
                    group.addTask {
                        await withCheckedContinuation { done in
                            Thread.detachNewThread { done.resume(returning: (number, Result { try body(number) })) }
                        }
                    }
                }
                var results: [(Int, Result<R, any Error>)] = []
                for await result in group { results.append(result) }
                return results.sorted { $0.0 < $1.0 }.map(\.1)
            }
        }

        /// A point at which two threads wait for each other once.
        private final class Meeting: Sendable {
            private let come = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]
            private let first = Atomic(false)
            private let second = Atomic(false)

            /// Waits for the other thread, the first time only, because a retried transaction must not wait again.
            func wait(_ number: Int) {
                let isAgain =
                    number == 0
                    ? first.exchange(true, ordering: .sequentiallyConsistent)
                    : second.exchange(true, ordering: .sequentiallyConsistent)
                guard !isAgain else { return }
                come[1 - number].signal()
                come[number].wait()
            }
        }

        private static func failures(_ results: [Result<some Sendable, any Error>]) -> [StoreError.Code] {
            results.compactMap { result in
                if case .failure(let error) = result { (error as? StoreError)?.code ?? .misuse } else { nil }
            }
        }

        /// Withdraws 100 from one account if the sum of both is sufficient.
        private static func withdraw(_ number: Int, in store: Store, _ meeting: Meeting, retries: Int) throws -> Bool {
            try store.withSession { session in
                let mine = try #require(try Account.find(number + 1))
                do {
                    return try session.transaction(retries: retries) {
                        let sum = try Account.all().reduce(0) { $0 + $1.balance }
                        meeting.wait(number)
                        guard sum >= 100 else { return false }
                        mine.balance -= 100
                        try mine.save()
                        return true
                    }
                } catch {
                    // Memory agrees with the database.
                    #expect(mine.balance == 60 && !mine.hasChanges)
                    throw error
                }
            }
        }

        @Test("if two transactions each read what the other writes, one is busy or retried", arguments: [0, 1])
        func writeSkew(retries: Int) async throws {
            let store = try TemporaryStore().open()
            try store.withSession { session in
                for name in ["a", "b"] {
                    let account = Account()
                    (account.owner, account.balance) = (name, 60)
                    try account.save()
                }
            }
            let meeting = Meeting()
            let results = await Self.beside(2) { try Self.withdraw($0, in: store, meeting, retries: retries) }
            let withdrawn = results.filter { (try? $0.get()) == true }.count
            #expect(withdrawn == 1)
            // The retry sees that the balance is insufficient.
            #expect(Self.failures(results) == (retries == 0 ? [.busy] : []))
            #expect(try store.withSession { _ in try Account.all().reduce(0) { $0 + $1.balance } } == 20)
        }

        @Test("after a deadlock one transaction continues, and the other is busy or retried", arguments: [0, 1])
        func deadlock(retries: Int) async throws {
            let store = try TemporaryStore().open()
            try store.withSession { session in try session.save([Account(), Account()]) }
            let meeting = Meeting()
            let results = await Self.beside(2) { number in
                try store.withSession { session in
                    let one = try #require(try Account.find(number + 1))
                    let other = try #require(try Account.find(2 - number))
                    try session.transaction(retries: retries) {
                        one.balance += 1
                        try one.save()
                        meeting.wait(number)
                        other.balance += 1
                        try other.save()
                    }
                }
            }
            #expect(Self.failures(results) == (retries == 0 ? [.busy] : []))
            let balances = try store.withSession { _ in try Account.all().map(\.balance) }
            #expect(balances == (retries == 0 ? [1, 1] : [2, 2]))
        }

        @Test(
            "a session can write while another transaction is open, unless isolation is exclusive",
            arguments: [false, true])
        func besideOpen(isExclusive: Bool) async throws {
            var configuration = Store.Configuration(busyTimeout: .milliseconds(isExclusive ? 100 : 5000))
            configuration.isolation = isExclusive ? .exclusive : .serializable
            let store = try TemporaryStore().open(configuration: configuration)
            try store.prepare(Page.self)
            let isOpen = DispatchSemaphore(value: 0)
            let mayEnd = DispatchSemaphore(value: 0)
            let results = await Self.beside(2) { number in
                try store.withSession { session in
                    guard number == 0 else {
                        isOpen.wait()
                        defer { mayEnd.signal() }
                        return try Page().save()
                    }
                    try session.transaction {
                        try Page().save()
                        isOpen.signal()
                        mayEnd.wait()
                    }
                }
            }
            #expect(Self.failures(results) == (isExclusive ? [.busy] : []))
            #expect(try store.withSession { _ in try Page.count() } == (isExclusive ? 1 : 2))
        }

        @Test("saves and transactions with retries are repeated after a conflict, and lose no update")
        func counting() async throws {
            let store = try TemporaryStore().open(configuration: .init(busyTimeout: .seconds(60)))
            try store.withSession { session in try session.save((0..<4).map { _ in Account() }) }
            let results = await Self.beside(4) { number in
                try store.withSession { session in
                    let mine = try #require(try Account.find(number + 1))
                    let all = try #require(try Account.find(1))
                    for _ in 0..<15 {
                        // Adjacent rows, in pages that the server locks as a whole.
                        if number > 0 {
                            mine.balance += 1
                            try mine.save()
                        }
                        try session.transaction(retries: 1) {
                            try all.reload()
                            all.balance += 1
                            try all.save()
                        }
                    }
                }
            }
            #expect(Self.failures(results) == [])
            #expect(try store.withSession { _ in try Account.all().map(\.balance) } == [60, 15, 15, 15])
        }

        @Test("upserts and insertMissing are repeated after a serialization failure")
        func upserts() throws {
            try TemporaryStore().open().withSession { session in
                try session.store.prepare(Topic.self)
                func meetsOthers(_ times: Int) throws {
                    try session.execute("DROP SEQUENCE IF EXISTS met")
                    try session.execute("CREATE SEQUENCE met")
                    try session.execute(
                        """
                        CREATE OR REPLACE FUNCTION meet() RETURNS trigger LANGUAGE plpgsql AS $$
                        BEGIN
                            IF nextval('met') <= \(times) THEN
                                RAISE EXCEPTION USING ERRCODE = 'serialization_failure';
                            END IF;
                            RETURN NEW;
                        END $$
                        """)
                }
                try meetsOthers(0)
                try session.execute(
                    "CREATE TRIGGER meet BEFORE INSERT OR UPDATE ON topic FOR EACH ROW EXECUTE FUNCTION meet()")
                func topic(_ text: String, _ lines: Int) -> Topic {
                    let topic = Topic()
                    (topic.text, topic.lines) = (text, lines)
                    return topic
                }
                let kept = topic("a", 1)
                try kept.save()
                try meetsOthers(3)
                #expect(try session.upsert(topic("a", 2), on: \.text) === kept)
                #expect(kept.lines == 2 && !kept.hasChanges)
                try meetsOthers(3)
                let saved = try session.insertMissing([topic("a", 3), topic("b", 3)], on: \.text)
                #expect(saved.first === kept && kept.lines == 2)
                #expect(try Topic.query.order(by: \.text).values(of: \.lines) == [2, 3])
                // With more failures than retries, and in an explicit transaction, the call throws and memory stays
                // unchanged.
                try meetsOthers(4)
                #expect(throws: StoreError.self) { try session.upsert(topic("a", 4), on: \.text) }
                try meetsOthers(1)
                let error = #expect(throws: StoreError.self) {
                    try session.transaction { _ = try session.upsert(topic("a", 5), on: \.text) }
                }
                #expect(error?.code == .busy && kept.lines == 2 && !kept.hasChanges)
            }
        }

        @Test("several sessions create a table at once, each at the start of a transaction")
        func firstUse() async throws {
            let file = try TemporaryStore()
            // A separate store for each, as in separate processes.
            let stores = try (0..<4).map { _ in try file.open() }
            let results = await Self.beside(4) { number in
                try stores[number].withSession { session in
                    try session.transaction {
                        try Page().save()
                        try Lamp().save()
                    }
                }
            }
            #expect(Self.failures(results) == [])
            #expect(try stores[0].withSession { _ in try (Page.count(), Lamp.count()) } == (4, 4))
        }

        @Test("a table change inside a concurrent transaction throws busy, unless the transaction is retried")
        func tableChange() throws {
            let file = try TemporaryStore()
            let store = try file.open()
            try store.withSession { session in
                try session.execute("CREATE TABLE lamp (id BIGINT PRIMARY KEY, watts TEXT COLLATE \"C\" NOT NULL)")
                try session.execute("INSERT INTO lamp VALUES (1, '60')")
                try store.prepare(Page.self)
                func use(retries: Int) throws {
                    try session.transaction(retries: retries) {
                        try Page().save()
                        #expect(try Lamp.find(1)?.watts == 60)
                    }
                }
                let refusal = #expect(throws: StoreError.self) { () throws in try use(retries: 0) }
                #expect(refusal?.code == .busy && refusal?.className == "Lamp")
                #expect(try Page.count() == 0)
                try use(retries: 1)
                #expect(try Page.count() == 1)
            }
        }

        @Test("the table of a new class is created inside a transaction")
        func newClass() throws {
            try TemporaryStore().open().withSession { session in
                try Page().save()
                try session.transaction {
                    try Page().save()
                    try Lamp().save()
                }
                #expect(try Lamp.count() == 1)
            }
        }

        @Test("a query rejected with a serialization failure throws busy, and the next query works")
        func refusedQuery() throws {
            try TemporaryStore().open().withSession { session in
                try session.execute(
                    """
                    CREATE FUNCTION met() RETURNS int LANGUAGE plpgsql AS $$
                    BEGIN RAISE EXCEPTION USING ERRCODE = 'serialization_failure'; END $$
                    """)
                for _ in 0..<2 {
                    let error = #expect(throws: StoreError.self) { _ = try session.rows("SELECT met()") }
                    #expect(error?.code == .busy)
                }
                #expect(try session.rows("SELECT 7").first?[0] == .integer(7))
                try Page().save()
            }
        }

        @Test("rows that other sessions insert with explicit ids do not collide with new objects")
        func idsOfOthers() throws {
            let file = try TemporaryStore()
            try file.open().withSession { session in
                let page = Page()
                try page.save()
                let id = try #require(page.id)
                _ = try file.open().withSession { other in
                    // One id in the block that the session reserved, and one in the next block.
                    try other.execute("INSERT INTO page (id, text) VALUES (?, 'x'), (?, 'y')", id + 1, id + 64)
                }
                try Page().save()
                try session.save((0..<100).map { _ in Page() })
                try session.transaction(retries: 1) { try Page().save() }
                #expect(try Page.count() == 105)
            }
        }
    }
#endif
