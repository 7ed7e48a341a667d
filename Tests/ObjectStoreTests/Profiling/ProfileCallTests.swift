import Foundation
import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// Each profile names the call that ran the statement.
struct ProfileCallTests {
    typealias Person = Profiled.Person
    typealias Company = Profiled.Company

    @Test func `profiles of reads have the name of the call`() throws {
        try withProfiledSession { session, profiles throws in
            let joe = Person()
            joe.lastName = "Smith"
            joe.email = "joe@a.b"
            let acme = Company()
            joe.employer = acme
            try session.save([joe])
            let id = try #require(joe.id)
            let calls: [(String, () throws -> Void)] = [
                ("Person.reload()", { try joe.reload() }),
                ("Person.find(_:)", { _ = try Person.find(id) }),
                ("Person.find(_:)", { _ = try Person.find([id]) }),
                ("Person.all()", { _ = try Person.all() }),
                ("Person.first()", { _ = try Person.first() }),
                ("Person.query.last()", { _ = try Person.last() }),
                ("Person.count()", { _ = try Person.count() }),
                (
                    "Person.findByLastName",
                    {
                        let found: [Person] = try Person.findByLastName("Smith"); _ = found
                    }
                ),
                (
                    "Person.countByAge",
                    {
                        let count: Int = try Person.countByAge(3); _ = count
                    }
                ),
                ("Person.findBy.lastName", { _ = try Person.findBy.lastName("Smith") }),
                ("Person.findFirstBy.age", { _ = try Person.findFirstBy.age(in: 1...) }),
                ("Person.existsBy.employer.name", { _ = try Person.existsBy.employer.name("Acme") }),
                (
                    "Person.findOrInitializeByEmail",
                    {
                        let new: Person = try Person.findOrInitializeByEmail("x"); _ = new
                    }
                ),
                ("Person.findByCriteria", { _ = try Person.findByCriteria("WHERE age > ?", 3) }),
                ("Person.countByCriteria", { _ = try Person.countByCriteria("WHERE age > ?", 3) }),
                ("Person.query.all()", { _ = try Person.where { $0.age > 3 }.all() }),
                ("Person.query.first()", { _ = try Person.where { $0.age > 3 }.first() }),
                ("Person.query.single()", { _ = try Person.where { $0.age == 0 }.single() }),
                ("Person.query.count()", { _ = try Person.where { $0.age > 3 }.count() }),
                ("Person.query.exists()", { _ = try Person.query.exists() }),
                ("Person.query.ids()", { _ = try Person.query.ids() }),
                ("Person.query.sum(_:)", { _ = try Person.query.sum(\.age) }),
                ("Person.query.values(of:)", { _ = try Person.query.values(of: \.age) }),
                ("Person.join.all()", { _ = try Person.join(Company.self) { $0.employer == $1 }.all() }),
                ("Person.query.explain()", { _ = try Person.query.explain() }),
                ("Session.rows(_:arguments:)", { _ = try session.rows("SELECT 1") }),
                ("Session.refresh()", { try session.refresh() }),
            ]
            for (name, call) in calls {
                if !name.hasSuffix("reload()") { try session.reset() }
                _ = profiles.take()
                try call()
                expect(profiles.take().calls.last, name, "\(name)")
            }
        }
    }

    @Test func `loading a lazy property has a call name`() throws {
        try withProfiledSession { session, profiles throws in
            let acme = Company()
            let joe = Person()
            joe.employer = acme
            joe.photo = Data([1])
            try session.save([joe])
            try withExtendedLifetime((joe, acme)) { () throws in try session.reset() }
            let found = try #require(try Person.first())
            let company = try #require(try Company.first())
            _ = profiles.take()
            expect(found.photo, Data([1]))
            expect(profiles.take().calls, ["Person.photo"])
            expect(company.staff.count, 1)
            expect(profiles.take().calls, ["Company.staff"])
        }
    }

    @Test func `profiles of writes have the name of the call, including BEGIN and COMMIT`() throws {
        try withProfiledSession { session, profiles throws in
            let joe = Person()
            try joe.save()
            var told = profiles.take()
            #expect(told.calls == ["Person.save()"])
            #expect(told.first?.sql.hasPrefix("BEGIN") == true && told.last?.sql == "COMMIT")
            #expect(told.contains { $0.sql.hasPrefix("INSERT INTO \"person\"") && $0.changedRows == 1 })
            joe.age = 7
            try session.saveChanges()
            told = profiles.take()
            #expect(told.calls == ["Session.saveChanges()"])
            #expect(told.contains { $0.sql.hasPrefix("UPDATE \"person\"") && $0.changedRows == 1 })
            try joe.save()
            #expect(profiles.take().isEmpty)
            try session.save([Person(), Person()])
            #expect(profiles.take().calls == ["Session.save(_:)"])
            #expect(try Person.query.update { $0.age = 8 } == 3)
            told = profiles.take()
            #expect(told.calls == ["Person.query.update(_:)"] && told.contains { $0.changedRows == 3 })
            try session.execute("UPDATE person SET age = 9 WHERE id = ?", 1)
            #expect(profiles.take().calls == ["Session.execute(_:arguments:)"])
            _ = try Person.where { $0.age == 8 }.delete()
            #expect(profiles.take().calls == ["Person.query.delete()"])
            try joe.delete()
            #expect(profiles.take().calls == ["Person.delete()"])
            _ = try Person.findOrCreateBy.email("a@b.c")
            #expect(profiles.take().calls == ["Person.query.findOrCreateBy"])
            _ = try Person.deleteAll()
            #expect(profiles.take().calls == ["Person.deleteAll()"])
        }
    }

    @Test
    func `profiles in a transaction name the innermost call, and are reported after the transaction ended`() throws {
        try withProfiledSession { session, profiles throws in
            try session.transaction {
                try Person().save()
                try session.transaction { _ = try Person.count() }
                #expect(profiles.all.isEmpty)
            }
            let told = profiles.take()
            let transaction = "Session.transaction(retries:keepingEdits:timeout:_:)"
            expect(told.calls, [transaction, "Person.save()", "Person.count()"])
            #expect(told.map(\.sql).contains("SAVEPOINT") && told.map(\.sql).contains("RELEASE"))
            #expect(told.last?.sql == "COMMIT" && told.last?.call == transaction)
            try session.transaction {
                try Person().save()
                session.rollBack()
            }
            expect(profiles.take().last?.sql, "ROLLBACK")
        }
    }

    @Test func `creating tables is profiled with the name of the class`() throws {
        try withProfiles { store, profiles, _ throws in
            try store.withSession { _ throws in
                _ = try Person.count()
                let told = profiles.take()
                #expect(told.calls.contains("Store.prepare(Person)") && told.last?.call == "Person.count()")
                let made = told.filter { $0.sql.hasPrefix("CREATE TABLE") && !$0.sql.contains("po_") }
                #expect(made.count == 3 && made.allSatisfy { $0.call == "Store.prepare(Person)" })
                _ = try Person.count()
                #expect(profiles.take().calls == ["Person.count()"])
            }
        }
    }

    @Test func `undo and redo are profiled`() throws {
        try withProfiledSession { session, profiles throws in
            session.recordsUndo = true
            let joe = Person()
            try joe.save()
            _ = profiles.take()
            try session.undo()
            let told = profiles.take()
            #expect(told.calls == ["Session.undo()"] && told.contains { $0.sql == "-- undo" && $0.changedRows == 1 })
            #expect(try told.first { $0.sql == "-- undo" }?.plan() == "")
            try session.redo()
            #expect(profiles.take().calls == ["Session.redo()"])
            #expect(try Person.count() == 1)
        }
    }

    @Test func `profiles of two parallel sessions have the right session and call`() throws {
        try withProfiles { store, profiles, _ throws in
            try store.prepare(Person.self)
            _ = profiles.take()
            let sessions = Recorder<[String: Int]>()
            let failures = Recorder<String>()
            DispatchQueue.concurrentPerform(iterations: 2) { number in
                do {
                    try store.withSession { session throws in
                        sessions.add([
                            number == 0 ? "Person.count()" : "Session.rows(_:arguments:)": session.number
                        ])
                        for _ in 0..<200 {
                            if number == 0 { _ = try Person.count() } else { _ = try session.rows("SELECT 1") }
                        }
                    }
                } catch { failures.add("\(error)") }
            }
            #expect(failures.all.isEmpty)
            for (call, session) in sessions.all.flatMap({ $0 }) {
                let own = profiles.all.filter { $0.session == session && $0.sql.hasPrefix("SELECT") }
                #expect(own.count == 200 && own.calls == [call])
            }
            expect(profiles.all.count { $0.sql.hasPrefix("SELECT") }, 400)
        }
    }

    @Test func `statements of tasks that share connections, and of perform, are profiled too`() async throws {
        let profiles = Recorder<StatementProfile>()
        let store = try Store.temporary(configuration: .init(onQuery: { profiles.add($0) }))
        _ = try await store.perform { session in
            try session.save([Person()])
            return try Person.count()
        }
        expect(profiles.take().calls.suffix(2), ["Session.save(_:)", "Person.count()"])
        let count = try await store.withSession { _ in
            try await Task.sleep(for: .milliseconds(1))
            return try Person.count()
        }
        #expect(count == 1 && profiles.take().calls == ["Person.count()"])
        store.close()
    }
}
