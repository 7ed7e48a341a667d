import Foundation
@_spi(Locks) import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// The contents of a statement's profile, and the time of its report.
struct ProfileTests {
    typealias Person = Profiled.Person

    private func people(_ session: Session, _ count: Int) throws {
        let people = (0..<count).map { place in
            let person = Person()
            person.lastName = "name \(place % 10)"
            person.age = place
            return person
        }
        try session.save(people)
    }

    @Test func `without onQuery, no connection is watched`() throws {
        try withTemporaryStore { store, _ throws in
            try store.withSession { session throws in
                #expect(session.gate.watch == nil && !(session.connection is WatchedConnection))
            }
            store.configuration.onQuery = { _ in }
            try store.withSession { session throws in
                #expect(session.gate.watch != nil && session.connection is WatchedConnection)
            }
            store.configuration.onQuery = nil
            try store.withSession { session throws in
                #expect(session.gate.watch == nil && !(session.connection is WatchedConnection))
            }
        }
    }

    @Test(.enabled(if: StandardEngine.current is SQLiteEngine, "only SQLite counts the rows that it scans"))
    func `rows, changed rows and scanned rows are counted`() throws {
        try withProfiledSession { session, profiles throws in
            try people(session, 50)
            try session.reset()
            let inserted = profiles.take().filter { $0.sql.hasPrefix("INSERT") }
            #expect(inserted.reduce(0) { $0 + $1.changedRows } == 50 && inserted.allSatisfy { $0.rows == 0 })
            let found: [Person] = try Person.findByAge(7)
            #expect(found.count == 1)
            let scan = try #require(profiles.take().first { $0.sql.contains("\"age\" = ?") })
            #expect(scan.rows == 1 && scan.scannedRows == 49 && scan.changedRows == 0 && scan.error == nil)
            let others: [Person] = try Person.findByLastName("name 3")
            #expect(others.count == 5)
            let search = try #require(profiles.take().first { $0.sql.contains("\"last_name\" = ?") })
            #expect(search.rows == 5 && search.scannedRows == 0 && search.sorts == 0)
            _ = try Person.query.order(by: \.age).values(of: \.age)
            #expect(profiles.take().contains { $0.sorts == 1 && $0.rows == 50 })
            #expect(search.duration > .zero && "\(search)".contains(" ms, 5 rows, Person.findByLastName: SELECT"))
        }
    }

    @Test func `a statement that is not read to its end is reported once, with the rows it returned`() throws {
        try withProfiledSession { session, profiles throws in
            try people(session, 30)
            _ = profiles.take()
            _ = try Person.findFirstByCriteria("WHERE age >= 0")
            let told = profiles.take().filter { $0.sql.hasPrefix("SELECT") && $0.sql.contains("\"person\"") }
            #expect(told.count == 1 && told.first?.rows == 1)
        }
    }

    @Test func `arguments are absent unless showsQueryArguments is set`() throws {
        try withProfiledSession { session, profiles throws in
            try people(session, 1)
            let found: [Person] = try Person.findByLastName("secret")
            #expect(found.isEmpty)
            let told = profiles.take()
            #expect(told.allSatisfy { $0.arguments == nil && !"\($0)".contains("secret") })
        }
        try withProfiledSession(.init(showsQueryArguments: true)) { session, profiles throws in
            let id = UUID()
            _ = try session.rows("SELECT ?, ?, ?, ?, ?", 7, 1.5, "text", id, nil)
            let values: [DatabaseValue] = [.integer(7), .real(1.5), .text("text"), .blob(id.bytes), .null]
            #expect(profiles.take().map(\.arguments) == [values])
            try people(session, 2)
            let insert = profiles.take().first { $0.sql.hasPrefix("INSERT INTO \"person\"") }
            #expect(insert?.arguments?.contains(.text("name 0")) == true)
            _ = try Person.find([1, 2, 3])
            _ = try Person.where { $0.lastName.isIn(["a", "b"]) }.all()
            #expect(profiles.take().contains { $0.arguments == [.text("[\"a\",\"b\"]")] })
            let found: [Person] = try Person.findByLastName("x")
            let again: [Person] = try Person.findByLastName("y")
            #expect(found.isEmpty && again.isEmpty)
            #expect(profiles.take().compactMap(\.arguments).filter { !$0.isEmpty } == [[.text("x")], [.text("y")]])
        }
    }

    @Test func `with a threshold, only slow statements are reported`() throws {
        let slow = SQLFunction("wait") { _ in
            Thread.sleep(forTimeInterval: 0.06)
            return .integer(1)
        }
        try withProfiledSession(.init(slowQuery: .milliseconds(50), functions: [slow])) { session, profiles throws in
            _ = try session.rows("SELECT 1")
            _ = try session.rows("SELECT wait() AS slow")
            let told = profiles.take()
            #expect(told.contains { $0.sql.contains("wait()") && $0.duration >= .milliseconds(60) })
        }
        try withProfiledSession(.init(slowQuery: .seconds(3600))) { session, profiles throws in
            try people(session, 3)
            #expect(throws: StoreError.self) { try session.rows("SELECT nothing") }
            #expect(profiles.all.isEmpty)
        }
    }

    @Test func `without a closure, a slow statement is reported as a note`() throws {
        let notes = Recorder<String>()
        try withTemporaryStore(.init(onNote: { notes.add($0) }, slowQuery: .zero)) { store, _ throws in
            try store.withSession { session throws in
                _ = try session.rows("SELECT 'secret' || ?", "more")
            }
        }
        let note = notes.all.first { $0.contains("SELECT") }
        #expect(note?.hasPrefix("Slow query: ") == true && note?.contains("Session.rows(_:arguments:)") == true)
        expect(note?.contains("more"), false)
    }

    @Test func `a profile returns the query plan, in the closure and later, until the store is closed`() throws {
        let plans = Recorder<String>()
        let profiles = Recorder<StatementProfile>()
        let file = try TemporaryStore()
        let store = try file.open(
            configuration: .init(onQuery: { profile in
                profiles.add(profile)
                plans.add("\(profile.sql.prefix(6)): \((try? profile.plan()) ?? "no plan")")
            }))
        try store.withSession { session throws in
            try people(session, 3)
            let found: [Person] = try Person.findByAge(2)
            let others: [Person] = try Person.findByLastName("name 1")
            #expect(found.count == 1 && others.count == 1)
        }
        #expect(
            plans.all.contains("SELECT: SCAN person") && plans.all.contains { $0.hasPrefix("CREATE: ") }
                && plans.all.contains("COMMIT: "))
        #expect(plans.all.contains { $0.contains("SEARCH person USING INDEX person.last_name.index") })
        let select = try #require(profiles.all.last { $0.sql.contains("\"age\" = ?") })
        #expect(try select.plan() == "SCAN person")
        let create = try #require(profiles.all.first { $0.sql.hasPrefix("CREATE TABLE") })
        #expect(throws: StoreError.self) { try create.plan() }
        store.close()
        #expect(throws: StoreError.self) { try select.plan() }
    }

    @Test func `a statement that fails is reported with its error`() throws {
        try withProfiledSession { session, profiles throws in
            #expect(throws: StoreError.self) { try session.rows("SELECT nothing FROM nowhere") }
            var failed = profiles.take().filter { $0.error != nil }
            #expect(
                failed.map { $0.error?.code } == [.invalidSQL] && failed.first?.sql == "SELECT nothing FROM nowhere")
            #expect(failed.first.map { "\($0)".contains("failed with invalidSQL") } == true)
            #expect(throws: StoreError.self) { try session.execute("INSERT INTO person (email) VALUES ('a'), ('a')") }
            let told = profiles.take()
            failed = told.filter { $0.error != nil }
            #expect(
                failed.map { $0.error?.code } == [.notUnique] && failed.first?.call == "Session.execute(_:arguments:)")
            #expect(told.last?.sql == "ROLLBACK" && told.last?.error == nil)
            #expect(throws: StoreError.self) {
                try session.rows("SELECT sum(9223372036854775807) FROM (VALUES (1), (2))")
            }
            #expect(profiles.take().compactMap(\.error).count == 1)
        }
    }

    @Test func `the closure can use the store and the session, and its statements are not reported`() throws {
        let count = Recorder<Int>()
        let failures = Recorder<String>()
        let store = Slot<Store>()
        let file = try TemporaryStore()
        let opened = try file.open(
            configuration: .init(onQuery: { _ in
                count.add(1)
                guard let store = store.value else { return }
                do {
                    // The current session, a new session, and a write.
                    _ = try Person.count()
                    try store.withSession { _ throws in try Person().save() }
                } catch { failures.add("\(error)") }
            }))
        try opened.prepare(Person.self)
        _ = count.take()
        store.value = opened
        try opened.withSession { session throws in
            let joe = Person()
            try joe.save()
            try session.transaction {
                joe.age = 1
                try joe.save()
            }
            _ = try session.rows("SELECT 1")
        }
        #expect(failures.all.isEmpty, "\(failures.all)")
        // Each of the three calls runs some statements, and the statements of the closure are not added to them.
        #expect(count.all.count >= 8 && count.all.count < 40)
        try expect(file.sqlite("SELECT count(*) FROM person"), "\(1 + count.all.count)")
        store.value = nil
    }

    @Test func `statements inside another session's transaction are reported after it ended`() throws {
        try withProfiles { store, profiles, _ throws in
            try store.prepare(Person.self)
            _ = profiles.take()
            try store.withSession { session throws in
                try session.transaction {
                    try Person().save()
                    try store.withSession { inner throws in _ = try inner.rows("SELECT 1") }
                    // The write lock is held.
                    #expect(profiles.all.isEmpty)
                }
                #expect(profiles.all.contains { $0.sql == "SELECT 1" } && profiles.all.last?.sql == "COMMIT")
            }
        }
    }

    @Test func `the number of reported statements per call is limited, and a note reports the rest`() throws {
        let notes = Recorder<String>()
        try withProfiledSession(.init(onNote: { notes.add($0) })) { session, profiles throws in
            try session.transaction { for _ in 0..<(StatementWatch.limit + 7) { _ = try session.rows("SELECT 1") } }
            expect(profiles.take().count, StatementWatch.limit)
            // BEGIN was reported, COMMIT was not.
            expect(notes.take().first { $0.contains("not reported") }?.hasPrefix("9 statements"), true)
            _ = try session.rows("SELECT 1")
            #expect(profiles.take().count == 1 && notes.all.isEmpty)
        }
    }

    @Test func `watching does not change the stored and loaded objects`() throws {
        func roundTrip(_ configuration: Store.Configuration) throws -> [String] {
            try withTemporaryStore(configuration) { store, _ throws in
                try store.withSession { session throws in
                    try people(session, 700)
                    let joe = Person()
                    joe.lastName = "a\0é"
                    joe.photo = Data([0, 255])
                    joe.tags = ["x", ""]
                    joe.email = "j"
                    try joe.save()
                    let all = try Person.all()
                    for person in all.prefix(400) { person.age += 1 }
                    try session.saveChanges()
                    try session.delete(Array(all[650..<680]))
                }
                return try store.withSession { session throws in
                    let all = try Person.all()
                    return all.map {
                        "\($0.id ?? 0) \($0.lastName) \($0.age) \($0.tags) \($0.photo.map { [UInt8]($0) } ?? [])"
                    }
                        + [try session.rows("SELECT sum(age), total(age), max(email) FROM person").description]
                }
            }
        }
        let plain = try roundTrip(.init())
        expect(plain.count, 672)
        try expect(roundTrip(.init(onQuery: { _ in })), plain)
        try expect(roundTrip(.init(onQuery: { _ in }, showsQueryArguments: true)), plain)
    }

    @Test func `a query that times out is reported as failed`() throws {
        var configuration = Store.Configuration()
        configuration.queryTimeout = .milliseconds(20)
        try withProfiledSession(configuration) { session, profiles throws in
            let endless = "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
            #expect(throws: StoreError.self) { try session.rows(endless) }
            #expect(profiles.take().compactMap { $0.error?.code } == [.timedOut])
            #expect(try session.rows("SELECT 1").count == 1)
        }
    }
}

/// A value that any thread can read and set.
private final class Slot<Value: Sendable>: Sendable {
    private let stored = Locked<Value?>(nil)

    var value: Value? {
        get { stored.withLock { $0 } }
        set { stored.withLock { $0 = newValue } }
    }
}
