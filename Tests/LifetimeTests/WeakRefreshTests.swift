import TestSupport
import Testing

@testable import PersistentObjects

/// References that do not keep their target alive.
struct WeakRefreshTests {
    final class Person: PersistentObject {
        override class var tableName: String { "person" }
        weak var friend: Person?
        var name = ""
    }

    @Test func `saving an object saves a new target of its weak reference`() throws {
        try withTemporarySession { session, file in
            let (person, friend) = (Person(), Person())
            try person.save()
            person.friend = friend
            #expect(person.hasChanges)
            try person.save()
            #expect(!friend.isNew && !person.hasChanges)
            try expect(file.sqlite("SELECT id, friend_id FROM person ORDER BY id"), "1|2\n2|")
        }
    }

    @Test func `a weak reference whose target was released is not an edit, and a fetch or reload restores it`() throws {
        try withTemporarySession { session, file in
            let person = Person()
            do {
                let friend = Person()
                friend.name = "friend"
                person.friend = friend
                try person.save()
            }
            #expect(person.friend == nil && !person.hasChanges)
            try session.saveChanges()
            try expect(file.sqlite("SELECT friend_id FROM person WHERE id = 1"), "2")
            let all: [Person] = try Person.all()
            #expect(person.friend === all[1] && person.friend?.name == "friend")
        }
        try withTemporarySession { _, _ in
            let person = Person()
            do {
                let friend = Person()
                person.friend = friend
                try person.save()
            }
            try person.reload()
            #expect(person.friend != nil && !person.hasChanges)
        }
    }
}
