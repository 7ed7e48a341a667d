import Observation
import TestSupport
import Testing

@testable import PersistentObjects

/// `@Observable` subclasses, and objects on the main actor.
struct ObservableTests {
    @Observable final class Person: PersistentObject {
        override class var tableName: String { "person" }
        override class var columns: [String: String] { ["nick": "nickname"] }
        override class var transient: Set<String> { ["isSelected"] }
        override class var indexes: [Index] { [Index("email", unique: true)] }
        var lastName = ""
        var age: Int?
        var nick: String?
        var email: String?
        var isSelected = false
        @ObservationIgnored var ignored = 1
    }

    @Test(.onSQLite("other transactions of the server count as commits of others"))
    func `an observable object is saved, found, changed and reverted`() throws {
        try withTemporarySession { session, file in
            let joe = Person()
            (joe.lastName, joe.age, joe.nick, joe.isSelected) = ("Smith", 39, "Joe", true)
            try joe.save()
            #expect(try file.sqlite("SELECT * FROM person") == "1|Smith|39|Joe||1")
            let columns =
                TestEngine.isPostgres
                ? "SELECT attname FROM pg_attribute WHERE attrelid = 'person'::regclass AND attnum > 0 ORDER BY attnum"
                : "SELECT name FROM pragma_table_info('person')"
            #expect(try file.sqlite(columns) == "id\nlast_name\nage\nnickname\nemail\nignored")
            joe.age = 40
            #expect(joe.changes.map(\.name) == ["age"])
            let log = try statements(of: session) { try joe.save() }
            #expect(log[1] == #"UPDATE "person" SET "age" = ? WHERE "id" = ?"#)
            #expect(try Person.findByLastNameAndNick("Smith", "Joe") == [joe] && Person.findBy.age(40) == [joe])
            joe.lastName = "Jones"
            joe.revert()
            #expect(joe.lastName == "Smith" && joe.isSelected && !joe.hasChanges)
            try session.store.withSession { _ throws in
                let other = try #require(try Person.find(1))
                #expect(other.nick == "Joe" && other.age == 40 && !other.isSelected)
            }
            let twin = Person()
            twin.email = "a@b.c"
            joe.email = "a@b.c"
            try joe.save()
            let error = #expect(throws: StoreError.self) { try twin.save() }
            #expect(error?.property == "email")
        }
    }

    @Test func `observers are notified of edits`() throws {
        try withTemporarySession { _, _ in
            let joe = Person()
            try joe.save()
            let heard = Recorder<String>()
            withObservationTracking {
                _ = joe.age
            } onChange: {
                heard.add("age")
            }
            joe.lastName = "x"
            #expect(heard.all.isEmpty)
            joe.age = 5
            expect(heard.all, ["age"])
        }
    }

    @MainActor @Test func `objects can be used on the main actor`() async throws {
        let file = try TemporaryStore()
        let store = try file.open()
        try await store.withSession { session in
            let joe = Person()
            joe.lastName = "Smith"
            try joe.save()
            await Task.yield()
            let found = try Person.findFirstByLastName("Smith")?.id
            #expect(found == 1 && session.store === store)
            joe.age = 3
            await Self.touch(joe)
            try joe.save()
        }
        try expect(file.sqlite("SELECT age FROM person"), "4")
    }

    @MainActor private static func touch(_ person: Person) async {
        await Task.yield()
        person.age? += 1
    }
}
