import Foundation
import PersistentObjectsTesting
import TestSupport
import Testing

@testable import PersistentObjects

/// Random commits with random watched queries: each delivered state equals a fresh query, and no state is missed.
@Suite(.hangLimit) @MainActor
struct WatchedQueryModelTests {
    typealias Person = HeardEvents.Person
    typealias Company = HeardEvents.Company

    /// A watched query or value.
    private final class Watcher {
        let name: String
        /// The last delivered state as a string.
        var latest: () -> String = { "" }
        /// The result of a fresh query in a separate session.
        let fresh: () throws -> String
        /// Delivered states that differed from the fresh result.
        var wrong: [String] = []
        var task: Task<Void, Never>?

        init(_ name: String, _ fresh: @escaping () throws -> String) {
            self.name = name
            self.fresh = fresh
        }
    }

    private static func words(_ person: Person) -> String {
        "\(person.id ?? 0) \(person.name) \(person.age) \(person.tags) \(person.employer?.id ?? 0)"
    }

    private static func words(_ company: Company) -> String { "\(company.id ?? 0) \(company.name)" }

    private func watch<T: Persistent>(
        _ name: String, _ query: Query<T>, _ store: Store, _ words: @escaping (T) -> String
    ) -> Watcher {
        let watcher = Watcher(name) { try store.withSession { _ in try query.all().map(words).joined(separator: ";") } }
        var objects: [T] = []
        watcher.latest = { objects.map(words).joined(separator: ";") }
        watcher.task = Task {
            do {
                for try await update in query.updates() {
                    objects = update.objects
                    let fresh = try watcher.fresh()
                    if watcher.latest() != fresh { watcher.wrong.append("\(watcher.latest()) for \(fresh)") }
                }
            } catch { watcher.wrong.append("\(error)") }
        }
        return watcher
    }

    private func watch<Value: Equatable>(
        _ name: String, _ query: Query<Person>, _ store: Store, value: @escaping (Query<Person>) throws -> Value
    ) -> Watcher {
        let watcher = Watcher(name) { try store.withSession { _ in "\(try value(query))" } }
        var latest = ""
        watcher.latest = { latest }
        watcher.task = Task {
            do {
                for try await value in query.updates({ try value($0) }) {
                    if latest == "\(value)" { watcher.wrong.append("\(value) twice") }
                    latest = "\(value)"
                    let fresh = try watcher.fresh()
                    if latest != fresh { watcher.wrong.append("\(latest) for \(fresh)") }
                }
            } catch { watcher.wrong.append("\(error)") }
        }
        return watcher
    }

    private func watchers(_ store: Store) -> [Watcher] {
        let people = Person.query
        return [
            watch("age", Person.where { $0.age > 2 }, store, Self.words),
            watch("order", people.order(by: \.name).limit(3), store, Self.words),
            watch("offset", people.order(by: \.age, .descending).offset(1).limit(2), store, Self.words),
            watch("id", Person.where { $0.id == 2 }, store, Self.words),
            watch("ids", Person.where { $0.id.isIn([1, 3]) && $0.age < 4 }, store, Self.words),
            watch("tags", Person.where { $0.tags.contains("a") }, store, Self.words),
            watch("employer", people.order { $0.employer.name }, store, Self.words),
            watch("staff", Company.where { $0.staff.any { $0.age > 2 } }, store, Self.words),
            watch("companies", Company.where { $0.name != "b" }, store, Self.words),
            watch("count", Person.where { $0.age > 2 }, store) { try $0.count() },
            watch("sum", Person.where { $0.name < "c" }, store) { try $0.sum(\.age) ?? 0 },
            watch("names", people.order(by: \.name), store) { try $0.values(of: \.name) },
            watch("exists", Person.where { $0.employer.name == "a" }, store) { try $0.exists() },
            watch("all", people, store) { try $0.count() },
        ]
    }

    private func change(_ session: Session, _ random: inout SeededGenerator) throws {
        func number(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }
        let letters = ["a", "b", "c", "d"]
        let people = try Person.query.order(by: \.id).all()
        let companies = try Company.query.order(by: \.id).all()
        let person = people.isEmpty ? nil : people[number(people.count)]
        switch number(14) {
        case 0, 1, 2:
            let new = Person(letters[number(4)], age: number(6))
            if !companies.isEmpty { new.employer = companies[number(companies.count)] }
            try new.save()
        case 3: try person?.delete()
        case 4:
            person?.age = number(6)
            try session.saveChanges()
        case 5:
            person?.name = letters[number(4)]
            try person?.save(number(2) == 0 ? .silently : [])
        case 6:
            person?.tags = Array(letters.prefix(number(3)))
            try session.saveChanges()
        case 7:
            let company = Company()
            company.name = letters[number(4)]
            try company.save()
        case 8:
            if let company = companies.first {
                company.name = letters[number(4)]
                try company.save()
            }
        case 9: try companies.last?.delete()
        case 10:
            let name = letters[number(4)]
            _ = try Person.where { $0.name == name }.update { $0.age = $0.age + 1 }
        case 11: try session.execute("UPDATE heard_person SET age = age - 1 WHERE id % 2 = 0")
        case 12:
            try session.transaction { () throws in
                person?.age += 1
                try session.saveChanges()
                if number(2) == 0 { session.rollBack() }
            }
        default:
            person?.employer = companies.first
            for other in people.prefix(2) { other.name = letters[number(4)] }
            try session.saveChanges()
        }
    }

    @Test(arguments: SeededGenerator.seeds(8))
    func `watched queries deliver each state and no wrong one`(seed: UInt64) async throws {
        try await withSession { session, _ in
            var random = SeededGenerator(seed: seed)
            for _ in 0..<4 { try change(session, &random) }
            _ = (try Person.count(), try Company.count())
            let watchers = watchers(session.store)
            for step in 0..<30 {
                switch random.next() % 3 {
                case 0: try change(session, &random)
                case 1:
                    // Two commits that become one update, or a rolled back transaction next to a commit.
                    try change(session, &random)
                    try change(session, &random)
                default:
                    let store = session.store
                    var other = random
                    random = try store.withSession { session throws in
                        try change(session, &other)
                        return other
                    }
                }
                for watcher in watchers {
                    // No other session commits at this time.
                    let fresh = try watcher.fresh()
                    await wait { watcher.latest() == fresh }
                    expect(watcher.latest(), fresh, "\(watcher.name) in step \(step) of seed \(seed)")
                    expect(watcher.wrong, [], "\(watcher.name) in step \(step) of seed \(seed)")
                    if watcher.latest() != fresh { return }
                }
            }
            for watcher in watchers { watcher.task?.cancel() }
            await settle()
            #expect(!session.store.hub.isWatched)
        }
    }
}
