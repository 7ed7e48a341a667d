import TestSupport
import Testing

@testable import PersistentObjects

/// Sessions that client code creates and owns.
struct OwnSessionTests {
    final class Person: PersistentObject {
        override class var tableName: String { "person" }
        var name = ""

        convenience init(_ name: String) {
            self.init()
            self.name = name
        }
    }

    private actor Register {
        private let session: Session
        private var people: [Person] = []

        init(_ store: Store) throws { session = try Session(store) }

        func add(_ name: String) throws {
            try session.use {
                let person = Person(name)
                try person.save()
                people.append(person)
            }
        }

        func rename(_ place: Int, _ name: String) async throws -> Bool {
            people[place].name = name
            return try await session.use {
                await Task.yield()
                try session.saveChanges()
                return try Person.find(people[place].id ?? 0) === people[place]
            }
        }

        func names() throws -> [String] { try session.use { try Person.all().map(\.name) } }

        func close() { session.close() }
    }

    @Test func `an actor can own a session and its objects across calls`() async throws {
        let store = try Store.inMemory()
        let register = try Register(store)
        for name in ["Ann", "Bob"] { try await register.add(name) }
        #expect(try await register.rename(1, "Ben"))
        #expect(try await register.names() == ["Ann", "Ben"])
        #expect(try store.withSession { _ in try Person.all().map(\.name) } == ["Ann", "Ben"])
        await register.close()
        let error = await #expect(throws: StoreError.self) { try await register.names() }
        #expect(error?.code == .sessionEnded)
    }

    @Test func `several actors write concurrently, and no object is lost`() async throws {
        let file = try TemporaryStore()
        // The actors wait for each other, on a busy machine for seconds.
        let store = try file.open(configuration: .init(busyTimeout: .seconds(600)))
        try store.prepare(Person.self)
        try await withThrowingTaskGroup { group in
            for worker in 0..<4 {
                group.addTask {
                    let register = try Register(store)
                    for number in 0..<25 { try await register.add("\(worker).\(number)") }
                    try await expect(register.names().filter { $0.hasPrefix("\(worker).") }.count, 25)
                }
            }
            try await group.waitForAll()
        }
        try expect(store.withSession { _ in try Person.count() }, 100)
        store.close()
    }

    @Test func `outside session.use, calls on classes use another session`() throws {
        let store = try Store.inMemory()
        let session = try Session(store)
        let joe = Person("Joe")
        try session.save(joe)
        try store.withSession { other in
            let twin = try #require(try Person.find(1))
            #expect(twin !== joe)
            let found = try session.use { try Person.find(1) }
            #expect(found === joe)
            #expect(try Store.session() === other)
        }
        joe.name = "Jim"
        try joe.save()
        try expect(session.use { try Person.findBy.name("Jim") }, [joe])
    }

    @Test func `a session ends with its last reference and releases its connection`() throws {
        let file = try TemporaryStore()
        let store = try file.open()
        var session: Session? = try Session(store)
        weak let watched = session
        let joe = Person("Joe")
        try session?.save(joe)
        session = nil
        #expect(watched == nil && joe.name == "Joe")
        let error = #expect(throws: StoreError.self) { try joe.delete() }
        expect(error?.code, .sessionEnded)
        store.close()
        #expect(throws: StoreError.self) { try Session(store) }
    }
}
