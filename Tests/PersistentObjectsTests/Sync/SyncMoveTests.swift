import TestSupport
import Testing

@testable import PersistentObjects

/// Captured changes of rows that leave their table, of tables that exchange their names, and of references to them.
@Suite(.onSQLite("PostgreSQL captures no changes"))
struct SyncMoveTests {
    class Synced: PersistentObject {
        override class var isAbstract: Bool { true }
        override class var identity: Identity { .uuid }
        override class var isSynced: Bool { true }
    }
    enum Together {
        class Person: Synced {
            override class var tableName: String { "sync_person" }
            var name = ""
        }
        final class Worker: Person {
            @Merged(.counter) var hours = 0
            var tools: [String] = []
        }
        final class Club: Synced {
            override class var tableName: String { "sync_club" }
            var workers: Set<Worker> = []
        }
    }
    enum Apart {
        class Person: Synced {
            override class var tableName: String { "sync_person" }
            var name = ""
        }
        final class Worker: Synced {
            override class var tableName: String { "sync_worker" }
            var name = ""
            @Merged(.counter) var hours = 0
            var tools: [String] = []
        }
        final class Club: Synced {
            override class var tableName: String { "sync_club" }
            var workers: Set<Worker> = []
        }
    }
    enum Before {
        final class One: Synced {
            override class var tableName: String { "sync_one" }
            var name = ""
            var list: [Int] = []
        }
        final class Two: Synced {
            override class var tableName: String { "sync_two" }
            var title = ""
        }
    }
    enum After {
        final class One: Synced {
            override class var tableName: String { "sync_two" }
            override class var formerTableNames: [String] { ["sync_one"] }
            var name = ""
            var list: [Int] = []
        }
        final class Two: Synced {
            override class var tableName: String { "sync_one" }
            override class var formerTableNames: [String] { ["sync_two"] }
            var title = ""
        }
    }

    private func open(_ file: TemporaryStore, _ body: (Session) throws -> Void) throws {
        let store = try Store(file.path, configuration: .init(onNote: { _ in }))
        defer { store.close() }
        try store.withSession(body)
    }

    @Test func `the changes of a subclass's rows follow them to a table of their own`() throws {
        let file = try TemporaryStore()
        let marks = SyncFile(file: file)
        try open(file) { session in
            let (person, worker, club) = (Together.Person(), Together.Worker(), Together.Club())
            (worker.name, worker.tools, club.workers) = ("w", ["saw", "axe"], [])
            try session.save([person, worker, club])
            try marks.absorb("sync_person_tools")
            (person.name, worker.name, worker.hours) = ("p", "v", 4)
            worker.tools.removeFirst()
            club.workers = [worker]
            try session.save([person, worker, club])
        }
        let worker = try marks.lines("SELECT id FROM sync_person WHERE class = 'Worker'")[0]
        let person = worker == "1" ? "2" : "1"
        try expect(
            marks.marks(),
            [
                "sync_club_workers#1 [\(worker)] +", "sync_person#\(person) name", "sync_person#\(worker) hours,name",
                "sync_person_tools#\(worker) -",
            ].sorted())
        try open(file) { session in
            try session.store.prepare(Apart.Person.self, Apart.Worker.self, Apart.Club.self)
            let id = try #require(try Apart.Worker.first()?.id)
            try expect(
                marks.marks(),
                [
                    "sync_club_workers#1 [\(id)] +", "sync_person#\(person) name", "sync_worker#\(id) hours,name",
                    "sync_worker_tools#\(id) -",
                ])
            try expect(marks.counts(), ["hours#\(id) 4"])
            try expect(marks.places("sync_worker_tools"), ["axe:2"])
            try expect(marks.gone(), ["saw:1"])
            let club = try #require(try Apart.Club.first())
            _ = try marks.takeMarks()
            club.workers = []
            try club.save()
            try expect(marks.takeMarks(), ["sync_club_workers#1 [\(id)] -"])
        }
    }

    @Test func `the changes of tables that exchange their names follow their rows`() throws {
        let file = try TemporaryStore()
        let marks = SyncFile(file: file)
        try open(file) { session in
            let (one, two) = (Before.One(), Before.Two())
            one.list = [7, 8]
            try session.save([one, two])
            try marks.absorb("sync_one_list")
            one.name = "1"
            one.list = [8, 7]
            try one.save()
            two.title = "2"
            try two.save()
        }
        let numbers = try marks.lines(
            "SELECT number FROM po_sync_table WHERE name IN ('sync_one', 'sync_two') ORDER BY name")
        let places = try marks.places("sync_one_list")
        try open(file) { session in
            try session.store.prepare(After.One.self, After.Two.self)
            try expect(
                marks.marks(), ["sync_one#1 title", "sync_two#1 name", "sync_two_list#1 position"])
            try expect(
                marks.lines("SELECT number FROM po_sync_table WHERE name IN ('sync_one', 'sync_two') ORDER BY name"),
                numbers.reversed())
            try expect(marks.places("sync_two_list"), places)
            _ = try marks.takeMarks()
            let two = try #require(try After.Two.first())
            two.title = "3"
            try two.save()
            try expect(marks.takeMarks(), ["sync_one#1 title"])
        }
    }
}
