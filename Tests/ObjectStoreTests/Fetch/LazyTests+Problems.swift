import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

extension LazyTests {
    // MARK: Values that cannot be loaded

    @Test func `after the session ended, a lazy property reads its initial value and reports a problem`() throws {
        try withTemporaryStore { store, _ in
            try Self.fill(store)
            var kept: [Person] = []
            try store.withSession { _ in kept = try Person.all() }
            let person = kept[1]
            #expect(person.photo == nil && person.story == "untold" && person.mentor == nil && person.tags == [])
            #expect(person.nicks == nil && person.friends == [] && person.rivals == nil && person.address == Address())
            #expect((person.$photo.problem as? StoreError)?.code == .sessionEnded)
            #expect((person.$friends.problem as? StoreError)?.property == "friends")
            let error = #expect(throws: StoreError.self) { try person.$mentor.load() }
            #expect(error?.code == .sessionEnded && error?.rowID == 2 && error?.property == "mentor")
            #expect(!person.$photo.isLoaded && !person.hasChanges)
        }
    }

    @Test
    func `if another program deleted the row, a lazy property reads its initial value and reports a problem`() throws {
        try Self.withPeople { _, file, people in
            _ = try file.sqlite("PRAGMA foreign_keys = ON; DELETE FROM person WHERE id = 5")
            #expect(people[4].photo == nil && people[4].story == "untold")
            expect((people[4].$photo.problem as? StoreError)?.code, .rowGone)
            let error = #expect(throws: StoreError.self) { try people[4].$story.load() }
            #expect(error?.code == .rowGone && error?.rowID == 5)
            #expect(people[5].photo == Data([5]) && people[5].$photo.problem == nil)
        }
    }

    @Test func `a damaged value is an error of its object, and can be replaced`() throws {
        try Self.withPeople { _, file, people in
            _ = try file.sqlite("UPDATE person SET address = x'7b' WHERE id = 2")
            _ = try file.sqlite(
                "UPDATE person_tags SET value = CAST(x'ff' AS TEXT) WHERE owner_id = 2 AND value = 'a1'")
            #expect(people[1].address == Address() && people[1].tags == [])
            let error = #expect(throws: StoreError.self) { try people[1].$address.load() }
            #expect(error?.rowID == 2 && error?.property == "address")
            #expect((people[1].$tags.problem as? StoreError)?.rowID == 2)
            #expect(people[1].$address.problem != nil && !people[1].hasChanges)
            _ = try file.sqlite("UPDATE person SET address = '{\"city\":\"x\"}' WHERE 0")
            _ = try file.sqlite("UPDATE person SET address = CAST('{\"city\":\"x\"}' AS BLOB) WHERE id = 2")
            #expect(try people[1].$address.load() == Address(city: "x") && people[1].$address.problem == nil)
            people[1].tags = ["whole"]
            try people[1].save()
            #expect(try file.sqlite("SELECT value FROM person_tags WHERE owner_id = 2") == "whole")
        }
    }

    @Test func `a damaged value of one object does not prevent its siblings from loading theirs`() throws {
        try Self.withPeople { _, file, people in
            _ = try file.sqlite("UPDATE person SET address = x'7b' WHERE id = 2")
            expect(people[0].address, Address(city: "city 0"))
            #expect(people[1].address == Address() && people[1].$address.problem != nil)
            #expect(people[2].address == Address(city: "city 2") && people[2].$address.problem == nil)
        }
    }

    @Test func `a save rejects a value edited in place that could not be read, and the stored value stays`() throws {
        try Self.withPeople { _, file, people in
            _ = try file.sqlite(
                "UPDATE person_tags SET value = CAST(x'ff' AS TEXT) WHERE owner_id = 2 AND value = 'a1'")
            people[1].tags.append("more")
            #expect(people[1].$tags.problem != nil && people[1].hasChanges)
            let error = #expect(throws: StoreError.self) { try people[1].save() }
            #expect(error?.property == "tags" && error?.rowID == 2)
            try expect(file.sqlite("SELECT count(*) FROM person_tags WHERE owner_id = 2"), "3")
            people[1].revert()
            _ = try file.sqlite("UPDATE person_tags SET value = 'a1' WHERE owner_id = 2 AND value != 'b'")
            people[1].tags.append("more")
            try people[1].save()
            #expect(people[1].tags == ["a1", "b", "b", "more"] && people[1].$tags.problem == nil)
        }
    }

    @Test func `a dangling lazy reference is an error of load(), and can be set to nil`() throws {
        try Self.withPeople { _, file, people in
            let id = people[1].id ?? 0
            _ = try file.sqlite("PRAGMA foreign_keys = OFF; UPDATE person SET mentor_id = 99 WHERE id = \(id)")
            try people[1].reload()
            #expect(people[1].mentor == nil)
            let error = #expect(throws: StoreError.self) { try people[1].$mentor.load() }
            #expect(error?.code == .brokenReference && error?.property == "mentor" && error?.rowID == id)
            people[1].mentor = nil
            try people[1].save()
            #expect(people[1].mentor == nil && people[1].$mentor.problem == nil)
            try expect(file.sqlite("SELECT mentor_id IS NULL FROM person WHERE id = \(id)"), "1")
        }
    }

    // MARK: Wrappers, copies, edits and reloads

    @Test func `a wrapper can outlive its object`() throws {
        try withTemporaryStore { store, _ in
            try Self.fill(store)
            try store.withSession { _ in
                func kept() throws -> (Lazy<Data?>, Lazy<[Person]>, Lazy<[String]>) {
                    let person = try #require(try Person.find(2))
                    _ = person.tags
                    return (person.$photo, person.$friends, person.$tags)
                }
                let (photo, friends, tags) = try kept()
                #expect(photo.wrappedValue == nil && friends.wrappedValue == [] && tags.wrappedValue == [])
                #expect(try photo.load() == nil && friends.load() == [])
                photo.wrappedValue = Data([1])
                expect(photo.wrappedValue, Data([1]))
            }
        }
    }

    @Test func `description does not load a lazy property; dictionary and subscript do`() throws {
        try Self.withPeople { session, _, people in
            let log = statements(of: session) {
                #expect("\(people[1])".contains("photo: (not loaded)") && "\(people[1])".contains("tags: (not loaded)"))
                #expect(people[1].changes.isEmpty && !people[1].hasChanges)
            }
            #expect(log.isEmpty && !people[1].$photo.isLoaded)
            #expect(people[1]["photo"] as? Data == Data([1]) && people[1].$photo.isLoaded)
            let values = people[1].dictionary
            #expect(values["story"] as? String == "story 1" && values["mentor"] as? Person === people[0])
            #expect(values["tags"] as? [String] == ["a1", "b", "b"] && people[1].$tags.isLoaded)
            #expect("\(people[1])".contains(#"story: "story 1""#))
        }
    }

    @Test func `a lazy property can be set by name without being loaded`() throws {
        try Self.withPeople { _, file, people in
            try people[1].set("story", to: "set")
            #expect(people[1].hasChanges && people[1].story == "set")
            try people[1].save()
            try expect(file.sqlite("SELECT story FROM person WHERE id = 2"), "set")
        }
    }

    @Test func `a copy has the values that the original has not loaded`() throws {
        try Self.withPeople { _, file, people in
            let copy = people[1].copy()
            #expect(copy.isNew && copy.photo == Data([1]) && copy.mentor === people[0] && copy.tags == people[1].tags)
            copy.tags.append("copied")
            #expect(people[1].tags == ["a1", "b", "b"] && !people[1].hasChanges)
            try copy.save()
            try expect(file.sqlite("SELECT count(*) FROM person_friends WHERE owner_id = \(copy.id ?? 0)"), "3")
        }
    }

    @Test func `changes and revert include lazy properties, loaded or not`() throws {
        try Self.withPeople { _, file, people in
            _ = people[1].tags
            people[1].tags = ["x"]
            people[1].story = "x"
            people[1].mentor = nil
            people[1].friends = []
            expect(Set(people[1].changes.map(\.name)), ["tags", "story", "mentor", "friends"])
            people[1].revert()
            #expect(!people[1].hasChanges && people[1].changes.isEmpty)
            #expect(people[1].tags == ["a1", "b", "b"] && people[1].story == "story 1")
            #expect(people[1].mentor === people[0] && people[1].friends.count == 3)
            people[1].story = "y"
            people[1].tags = []
            people[1].revert(\.tags)
            #expect(people[1].tags.count == 3 && people[1].story == "y" && people[1].changes.map(\.name) == ["story"])
            try people[1].save()
            try expect(file.sqlite("SELECT story FROM person WHERE id = 2"), "y")
        }
    }

    @Test func `reload drops edits and reads lazy properties again`() throws {
        try Self.withPeople { _, file, people in
            people[1].photo = nil
            people[1].tags = []
            _ = people[1].story
            _ = try file.sqlite("UPDATE person SET story = 'elsewhere', mentor_id = 3 WHERE id = 2")
            _ = try file.sqlite("DELETE FROM person_tags WHERE owner_id = 2 AND value = 'b'")
            try people[1].reload()
            #expect(people[1].photo == Data([1]) && people[1].tags == ["a1"] && people[1].story == "elsewhere")
            #expect(people[1].mentor === people[2] && !people[1].hasChanges)
        }
    }

    @Test func `a fetch reads changes of other programs and keeps edits`() throws {
        try Self.withPeople { _, file, people in
            _ = (people[1].story, people[1].mentor, people[1].tags)
            people[2].story = "mine"
            _ = try file.sqlite("UPDATE person SET story = 'elsewhere', mentor_id = 4")
            _ = try file.sqlite("UPDATE person_tags SET value = 'z'")
            _ = try Person.all() as [Person]
            #expect(
                people[1].story == "elsewhere" && people[1].mentor === people[3] && people[1].tags == ["z", "z", "z"])
            #expect(people[2].story == "mine" && people[2].hasChanges && !people[1].hasChanges)
        }
    }
}
