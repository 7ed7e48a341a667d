import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Properties that are loaded at their first access.
struct LazyTests {
    final class Person: PersistentObject {
        override class var tableName: String { "person" }
        var name = ""
        @Lazy var photo: Data?
        @Lazy var story = "untold"
        @Lazy var mentor: Person?
        @Lazy var tags: [String] = []
        @Lazy var nicks: [String]?
        @Lazy var friends: [Person] = []
        @Lazy var rivals: Set<Person>?
        @Lazy var address = Address()
    }

    struct Address: Codable, Equatable {
        var city = "nowhere"
    }

    /// Saves ten people with a value in each property; the first is the mentor, a friend and a rival of all others.
    static func fill(_ store: Store, count: Int = 10) throws {
        try store.withSession { session in
            let people = (0..<count).map { index in
                let person = Person()
                person.name = "\(index)"
                person.photo = Data([UInt8(index)])
                person.story = "story \(index)"
                person.tags = ["a\(index)", "b", "b"]
                person.nicks = ["n\(index)"]
                person.address.city = "city \(index)"
                return person
            }
            for person in people.dropFirst() {
                person.mentor = people[0]
                person.friends = [people[0], person, people[0]]
                person.rivals = [people[0]]
            }
            try session.save(people)
        }
    }

    static func withPeople(_ body: (Session, TemporaryStore, [Person]) throws -> Void) throws {
        try withTemporaryStore(.init(lostEdits: .ignore)) { store, file in
            try fill(store)
            try store.withSession { session in try body(session, file, try Person.all()) }
        }
    }

    // MARK: Loading

    @Test func `a lazy property is not loaded before its first access`() throws {
        try Self.withPeople { _, _, people in
            let last = people[9]
            #expect(!last.$photo.isLoaded && !last.$story.isLoaded && !last.$mentor.isLoaded && !last.$tags.isLoaded)
            #expect(!last.$nicks.isLoaded && !last.$friends.isLoaded && !last.$address.isLoaded)
            #expect(!last.hasChanges)
            #expect(last.photo == Data([9]) && last.story == "story 9" && last.mentor === people[0])
            #expect(last.tags == ["a9", "b", "b"] && last.nicks == ["n9"] && last.address == Address(city: "city 9"))
            #expect(last.friends == [people[0], last, people[0]] && last.rivals == [people[0]])
            #expect(last.$photo.isLoaded && last.$mentor.isLoaded && last.$tags.isLoaded && last.$friends.isLoaded)
            #expect(!last.hasChanges && last.$photo.problem == nil)
        }
    }

    @Test func `one query loads a property for all siblings`() throws {
        try Self.withPeople { session, _, people in
            func count(_ body: () -> Void) -> Int {
                statements(of: session, body).count { $0.hasPrefix("SELECT") }
            }
            expect(count { _ = people.map(\.photo) }, 1)
            expect(count { _ = people.map(\.story) }, 1)
            expect(count { _ = people.map(\.address) }, 1)
            expect(count { _ = people.map(\.tags) }, 1)
            expect(count { _ = people.map(\.nicks) }, 1)
            expect(count { _ = people.map(\.mentor) }, 0)
            expect(count { _ = people.dropFirst().map(\.friends) }, 1)
            expect(count { _ = people.map(\.rivals) }, 1)
            expect(count { for person in people { _ = (person.photo, person.tags, person.mentor) } }, 0)
        }
    }

    @Test func `references to many rows are loaded with one query`() throws {
        try withTemporaryStore { store, _ in
            try store.withSession { session in
                try session.save(
                    (0..<20).map { index in
                        let person = Person()
                        person.name = index < 10 ? "pupil" : "mentor"
                        return person
                    })
                let people: [Person] = try Person.all()
                for index in 0..<10 { people[index].mentor = people[10 + index] }
                try withExtendedLifetime(people) { try session.saveChanges() }
            }
            try store.withSession { session in
                let pupils = try Person.findBy.name("pupil")
                let log = statements(of: session) {
                    #expect(pupils.allSatisfy { $0.mentor?.name == "mentor" })
                }
                #expect(log.count { $0.hasPrefix("SELECT") } == 1)
            }
        }
    }

    @Test func `an object that was fetched alone is loaded alone, and released siblings are skipped`() throws {
        try withTemporaryStore { store, _ in
            try Self.fill(store)
            try store.withSession { _ in
                try expect(Person.find(3)?.photo, Data([2]))
                var people: [Person] = try Person.all()
                people.removeSubrange(2..<9)
                expect(people.map(\.photo), [Data([0]), Data([1]), Data([9])])
                expect(people.map(\.tags.count), [3, 3, 3])
            }
        }
    }

    // MARK: Saving

    @Test func `assigned lazy properties are saved without being loaded`() throws {
        try Self.withPeople { session, file, people in
            let log = try statements(of: session) {
                people[1].photo = nil
                people[1].story = "told"
                people[1].mentor = people[2]
                people[1].tags = ["new"]
                people[1].nicks = nil
                people[1].friends = []
                people[1].rivals = [people[3]]
                people[1].address = Address(city: "there")
                #expect(people[1].hasChanges)
                try people[1].save()
            }
            #expect(!log.contains { $0.hasPrefix("SELECT") && $0.contains("\"photo\"") })
            #expect(!people[1].hasChanges && people[1].story == "told" && people[1].nicks == nil)
            #expect(
                try file.sqlite("SELECT photo IS NULL, story, mentor_id, json(address) FROM person WHERE id = 2")
                    == #"1|told|3|{"city":"there"}"#)
            #expect(try file.sqlite("SELECT value FROM person_tags WHERE owner_id = 2") == "new")
            #expect(try file.sqlite("SELECT count(*) FROM person_nicks WHERE owner_id = 2") == "0")
            #expect(try file.sqlite("SELECT count(*) FROM person_friends WHERE owner_id = 2") == "0")
            #expect(try file.sqlite("SELECT value_id FROM person_rivals WHERE owner_id = 2") == "4")
        }
    }

    @Test func `a lazy property edited in place is loaded and then saved`() throws {
        try Self.withPeople { session, file, people in
            people[1].tags.append("c")
            people[1].address.city += "!"
            people[1].friends.removeLast()
            people[1].nicks?.insert("first", at: 0)
            try session.saveChanges()
            try expect(file.sqlite("SELECT group_concat(value, ' ') FROM person_tags WHERE owner_id = 2"), "a1 b b c")
            try expect(file.sqlite("SELECT count(*) FROM person_friends WHERE owner_id = 2"), "2")
            try expect(file.sqlite("SELECT json(address) FROM person WHERE id = 2"), #"{"city":"city 1!"}"#)
            try expect(file.sqlite("SELECT count(*) FROM person_nicks WHERE owner_id = 2"), "2")
        }
    }

    @Test func `saving other properties leaves lazy properties unloaded`() throws {
        try Self.withPeople { _, file, people in
            people[1].name = "other"
            try people[1].save()
            #expect(!people[1].$photo.isLoaded && !people[1].$tags.isLoaded)
            try expect(file.sqlite("SELECT name, hex(photo), mentor_id FROM person WHERE id = 2"), "other|01|1")
            #expect(people[1].photo == Data([1]) && people[1].tags.count == 3)
        }
    }
}

/// Wrappers do not retain objects.
struct LazyLifetimeTests {
    static let tracker = LifetimeTracker()

    final class Tracked: PersistentObject {
        override class var tableName: String { "tracked" }
        @Transient var token = LazyLifetimeTests.tracker.token()
        var name = ""
        @Lazy var mentor: Tracked?
        @Lazy var friends: [Tracked] = []
        @Lazy var photo: Data?
    }

    @Test func `wrappers of lazy properties leak no objects`() throws {
        // The class map holds an object.
        _ = try ClassMap.map(of: Tracked.self)
        let before = Self.tracker.liveCount
        try withTemporaryStore { store, _ in
            try store.withSession { session in
                let all = (0..<10).map { _ in Tracked() }
                for object in all.dropFirst() {
                    object.mentor = all[0]
                    object.friends = [all[0]]
                    object.photo = Data([1])
                }
                try session.save(all)
            }
            try store.withSession { session in
                var kept: [Any] = []
                do {
                    let all: [Tracked] = try Tracked.all()
                    for object in all.dropFirst() { _ = (object.mentor, object.friends, object.photo) }
                    kept = all.map(\.$photo)
                    kept += all.map(\.$friends) as [Any]
                    try session.saveChanges()
                }
                expect(kept.count, 20)
                expect(Self.tracker.liveCount, before, "\(Self.tracker.liveCount - before) live")
            }
        }
        expect(Self.tracker.liveCount, before)
    }
}
