import Foundation
import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

@Suite struct ConcurrencyTests {
    /// The writers wait for each other, on a busy machine for seconds.
    private static var patient: Store.Configuration {
        .init(durability: .relaxed, busyTimeout: .seconds(600), lostEdits: .ignore)
    }

    // If the reader waited for the writer, which waits for the reader, it would time out.
    @Test func `a reader sees committed data while another session writes, and does not wait`() throws {
        let file = try TemporaryStore()
        let store = try file.open(configuration: .waiting(.milliseconds(10)))
        try store.withSession { writer in
            try person("first").save()
            try writer.write {
                try writer.connection.execute(SQL("UPDATE person SET last_name = 'second'"))
                let names = try onSmallStack { try store.withSession { _ in try Person.all().map(\.lastName) } }
                expect(names, ["first"])
            }
            try expect(store.withSession { _ in try Person.all().map(\.lastName) }, ["second"])
        }
    }

    @Test func `two sessions that save at the same time lose nothing`() throws {
        let file = try TemporaryStore()
        let store = try file.open(configuration: Self.patient)
        let errors = Recorder<String>()
        try store.withSession { session in
            let both = [person("both")]
            both[0].age = 0
            try session.save(both)
        }
        DispatchQueue.concurrentPerform(iterations: 2) { number in
            do {
                try store.withSession { _ in
                    let shared = try #require(try Person.find(1))
                    for round in 1...200 {
                        let new = person("thread \(number)")
                        new.age = round
                        try new.save()
                        // Each session changes a different column of the shared row.
                        if number == 0 { shared.age = round } else { shared.weight = Double(round) }
                        try shared.save()
                    }
                }
            } catch { errors.add("\(error)") }
        }
        expect(errors.all, [])
        try expect(file.sqlite("SELECT age, weight FROM person WHERE id = 1"), "200|200.0")
        try expect(
            file.sqlite("SELECT last_name, count(*), sum(age) FROM person WHERE id > 1 GROUP BY 1"),
            "thread 0|200|20100\nthread 1|200|20100")
        try expect(file.sqlite("PRAGMA integrity_check"), "ok")
    }

    @Test func `two stores on one file lose nothing`() throws {
        let file = try TemporaryStore()
        let stores = [try file.open(configuration: Self.patient), try file.open(configuration: Self.patient)]
        try stores[0].prepare(Person.self)
        let errors = Recorder<String>()
        DispatchQueue.concurrentPerform(iterations: 2) { number in
            do {
                try stores[number].withSession { _ in for _ in 0..<100 { try person("store \(number)").save() } }
            } catch { errors.add("\(error)") }
        }
        expect(errors.all, [])
        try expect(file.peopleCount, 200)
    }

    @Test func `this process and another process lose nothing`() throws {
        let file = try TemporaryStore()
        let store = try file.open(
            configuration: .init(durability: .relaxed, busyTimeout: .seconds(60), lostEdits: .ignore))
        try store.withSession { _ in
            try person("first").save()
            let other = try SQLiteProcess(file.path)
            try other.run(".timeout 60000")
            let insert = "BEGIN IMMEDIATE; INSERT INTO person (last_name) VALUES ('theirs'); COMMIT;\n"
            try other.send(String(repeating: insert, count: 200))
            for _ in 0..<200 { try person("ours").save() }
            try expect(other.run(""), "")
            try expect(Person.count(), 401)
        }
        try expect(file.sqlite("SELECT count(*) FROM person GROUP BY last_name ORDER BY last_name"), "1\n200\n200")
    }

    @Test func `several threads can open a store and create its table at the same time`() throws {
        for _ in 0..<3 {
            let file = try TemporaryStore()
            let errors = Recorder<String>()
            DispatchQueue.concurrentPerform(iterations: 8) { number in
                do {
                    try file.open(configuration: .waiting(.seconds(60))).withSession { _ in
                        try person("thread \(number)").save()
                    }
                } catch { errors.add("\(error)") }
            }
            expect(errors.all, [])
            try expect(file.peopleCount, 8)
        }
    }
}
