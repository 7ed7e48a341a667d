import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// `loadsStrictly`: accessing a property never runs a statement.
struct StrictLoadingTests {
    final class Person: PersistentObject {
        override class var tableName: String { "person" }
        var name = ""
        @Lazy var photo: Data?
        @Lazy var mentor: Person?
        @Lazy(.weak) var guide: Person?
        @Lazy var tags: [String] = []
        @Inverse(\Pet.owner) var pets: [Pet]
    }

    final class Pet: PersistentObject {
        override class var tableName: String { "pet" }
        var owner: Person?
    }

    /// Calls `body` in a session with `loadsStrictly`, in a store with Joe, his mentor Ann and a pet.
    private func strictly(_ body: (Session, Recorder<String>) throws -> Void) throws {
        let notes = Recorder<String>()
        try withTemporaryStore(.init(onNote: { notes.add($0) })) { store, _ throws in
            try store.withSession { session throws in
                let (joe, ann, pet) = (Person(), Person(), Pet())
                (joe.name, joe.photo, joe.mentor, joe.tags) = ("Joe", Data([1]), ann, ["a"])
                (joe.guide, pet.owner) = (ann, joe)
                try session.save([joe, pet])
            }
            try store.withSession { session throws in
                session.loadsStrictly = true
                try body(session, notes)
            }
        }
    }

    private func find(_ session: Session) throws -> Person {
        try #require(try Person.where { $0.name == "Joe" }.first())
    }

    @Test func `with loadsStrictly, an access runs no statement, reads the initial value and reports why`() throws {
        try strictly { session, notes throws in
            let joe = try find(session)
            let ran = statements(of: session) {
                #expect(joe.photo == nil && joe.mentor == nil && joe.guide == nil && joe.tags.isEmpty)
                #expect(joe.pets.isEmpty && joe["photo"] as? Data == nil)
            }
            #expect(ran.isEmpty)
            let error = joe.$pets.problem as? StoreError
            #expect(error?.code == .notLoaded && error?.className == "Person" && error?.property == "pets")
            #expect(error?.rowID == joe.id)
            #expect(
                error?.message
                    == #"The property is not loaded, and the session has loadsStrictly set. Find the objects with "#
                    + #"including(\.pets), or call $pets.load()"#)
            for problem in [joe.$photo.problem, joe.$mentor.problem, joe.$guide.problem, joe.$tags.problem] {
                #expect((problem as? StoreError)?.code == .notLoaded)
            }
            #expect(!joe.$photo.isLoaded && !joe.$pets.isLoaded && !joe.hasChanges)
            _ = joe.pets
            let heard = notes.take().filter { $0.contains("loadsStrictly") }
            #expect(heard.count == 5 && heard.contains { $0.hasPrefix("Person.pets #") })
        }
    }

    @Test func `properties loaded with including can be read`() throws {
        try strictly { session, notes throws in
            let query = Person.where { $0.name == "Joe" }.including(\.photo, \.mentor, \.tags, \.pets)
            let joe = try #require(try query.first())
            let ran = statements(of: session) {
                #expect(joe.photo == Data([1]) && joe.mentor != nil && joe.tags == ["a"] && joe.pets.count == 1)
            }
            #expect(ran.isEmpty && joe.$photo.problem == nil)
            #expect(try joe.$guide.load() === joe.mentor && joe.guide === joe.mentor && joe.$guide.problem == nil)
            #expect(notes.all.isEmpty)
        }
    }

    @Test func `load() resolves the problem of an earlier access`() throws {
        try strictly { session, _ throws in
            let joe = try find(session)
            #expect(joe.photo == nil && joe.$photo.problem != nil)
            try expect(joe.$photo.load(), Data([1]))
            #expect(joe.photo == Data([1]) && joe.$photo.problem == nil)
            session.loadsStrictly = false
            #expect(joe.pets.count == 1 && joe.$pets.problem == nil)
        }
    }

    @Test func `references to objects in memory, and new objects, are not affected`() throws {
        try strictly { session, _ throws in
            let joe = try find(session)
            let everybody = try Person.all()
            let ran = statements(of: session) { #expect(joe.mentor != nil && joe.guide === joe.mentor) }
            #expect(ran.isEmpty && everybody.count == 2)
            let new = Person()
            #expect(new.photo == nil && new.pets.isEmpty && new.$pets.problem == nil)
            try new.save()
            new.photo = Data([2])
            try new.save()
        }
    }

    @Test func `a save rejects a value edited in place without being loaded, and saves assigned values`() throws {
        try strictly { session, _ throws in
            let joe = try find(session)
            joe.tags.append("b")
            let error = #expect(throws: StoreError.self) { try joe.save() }
            #expect(error?.code == .notLoaded && error?.property == "tags")
            joe.revert()
            joe.photo = Data([3])
            try joe.save()
            #expect(try joe.$tags.load() == ["a"] && joe.photo == Data([3]))
        }
    }

    @Test func `calls that need the whole object load it`() throws {
        try strictly { session, _ throws in
            let joe = try find(session)
            expect(joe.copy().photo, Data([1]))
            let ann = try #require(try Person.where { $0.name != "Joe" }.first())
            expect(ann.dictionary["tags"] as? [String], [])
            #expect(joe.$photo.isLoaded && ann.$photo.isLoaded)
        }
    }
}
