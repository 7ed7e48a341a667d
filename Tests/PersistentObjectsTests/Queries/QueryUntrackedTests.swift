import Foundation
import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// `untracked()` returns read-only objects that no session tracks.
struct QueryUntrackedTests {
    final class Plain: PersistentObject {
        override class var tableName: String { "plain" }
        var name = ""
        var age: Int?
    }

    class Person: PersistentObject {
        override class var tableName: String { "person" }
        var name = ""
        var boss: Person?
        weak var friend: Person?
        var tags: [String] = []
        var children: [Person] = []
        @Lazy var photo: Data?
        @Inverse(\Person.boss) var staff: [Person]
    }

    final class Manager: Person {
        var budget = 0
    }

    private func checkMaps(_ session: Session) {
        #expect(session.classes.allIdentities.allSatisfy { $0.brokenInvariant() == nil })
        #expect(session.reader().classes.allIdentities.allSatisfy { $0.count == 0 })
        expect(session.busyStatementCount, 0)
    }

    private func family(_ session: Session) throws -> [Person] {
        let people: [Person] = (0..<4).map { $0 == 0 ? Manager() : Person() }
        for (index, person) in people.enumerated() {
            person.name = "p\(index)"
            person.boss = index > 0 ? people[0] : nil
            person.friend = people[3]
            person.tags = ["t\(index)"]
            person.photo = Data([UInt8(index)])
        }
        people[0].children = [people[1], people[2]]
        try session.save(people)
        return people
    }

    @Test func `untracked objects are separate instances with the same values`() throws {
        try withTemporarySession { session, _ throws in
            let plain = Plain()
            plain.name = "Joe"
            plain.age = 3
            try plain.save()
            plain.name = "unsaved"
            let found = try Plain.query.untracked().single()
            #expect(found !== plain && found.id == plain.id && found.persistentID == plain.persistentID)
            #expect(found.name == "Joe" && found.age == 3)
            #expect(!found.isNew && !found.isDeleted && !found.hasChanges && found.changes.isEmpty)
            #expect("\(found)".contains("#1 (untracked)"))
            found.age = 4
            found.revert()
            #expect(!found.hasChanges && found.age == 4)
            #expect(try Plain.query.untracked().first() !== found)
            try expect(Plain.query.all(), [plain])
            try withExtendedLifetime(plain) { try session.saveChanges() }
            try expect(Plain.query.untracked().single().name, "unsaved")
            checkMaps(session)
        }
    }

    @Test func `untracked objects cannot be written, and neither can objects that refer to them`() throws {
        try withTemporarySession { session, file throws in
            let people = try family(session)
            try Plain().save()
            let plain = try Plain.query.untracked().single()
            let person = try Person.where { $0.name == "p1" }.untracked().single()
            for object in [plain, person] as [PersistentObject] {
                let calls: [() throws -> Void] = [
                    { try object.save() }, { try object.delete() }, { try object.reload() },
                ]
                for call in calls {
                    let error = #expect(throws: StoreError.self) { try call() }
                    #expect(error?.code == .misuse && error?.rowID == object.id)
                    #expect(error?.message.contains("untracked") == true)
                }
                #expect(throws: StoreError.self) { try session.save([object]) }
                #expect(throws: StoreError.self) { try session.delete([object]) }
            }
            people[2].boss = person
            #expect(throws: StoreError.self) { try people[2].save() }
            people[2].revert()
            #expect(people[2].boss === people[0])
            let new = Person()
            new.children = [person]
            #expect(throws: StoreError.self) { try new.save() }
            #expect(new.isNew)
            people[0].staff.append(person)
            #expect(throws: StoreError.self) { try people[0].save() }
            people[0].revert()
            #expect(try file.sqlite("SELECT count(*) FROM person") == "4")
            // A copy can be saved.
            let copy = plain.copy()
            try copy.save()
            #expect(try Plain.count() == 2)
            checkMaps(session)
        }
    }

    @Test func `references and collections of untracked objects are untracked, with one instance per row`() throws {
        try withTemporarySession { session, _ throws in
            let people = try family(session)
            let found = try Person.query.order(by: \.name).untracked().all()
            #expect(found.map(\.name) == ["p0", "p1", "p2", "p3"])
            #expect(zip(found, people).allSatisfy { $0 !== $1 })
            #expect(found[0] is Manager && found[1].boss === found[0] && found[0].children == [found[1], found[2]])
            #expect(found.allSatisfy { $0.friend === found[3] })
            #expect(found.map(\.tags) == people.map(\.tags))
            let alone = try Person.where { $0.name == "p1" }.untracked().single()
            #expect(alone.boss?.name == "p0" && alone.boss !== people[0])
            #expect(alone.friend?.name == "p3")
            checkMaps(session)
        }
    }

    @Test func `lazy parts of untracked objects are available if included, and otherwise throw`() throws {
        try withTemporarySession { session, _ throws in
            let people = try family(session)
            let without = try Person.where { $0.name == "p0" }.untracked().single()
            #expect(without.photo == nil && without.$photo.problem != nil && without.staff.isEmpty)
            let error = #expect(throws: StoreError.self) { try without.$photo.load() }
            #expect(error?.code == .misuse && error?.message.contains("including") == true)
            #expect(throws: StoreError.self) { try without.$staff.load() }
            let with = try Person.where { $0.name == "p0" }.including(\.photo, \.staff).untracked().single()
            #expect(with.photo == Data([0]) && with.staff.map(\.name) == ["p1", "p2", "p3"])
            #expect(with.staff.allSatisfy { staff in !people.contains { $0 === staff } })
            checkMaps(session)
        }
    }

    @Test func `untracked objects outlive their session`() throws {
        try withTemporaryStore { store, _ in
            let found = try store.withSession { session in
                _ = try family(session)
                return try Person.query.untracked().all()
            }
            #expect(found.count == 4 && found[1].boss === found[0])
            #expect(throws: StoreError.self) { try found[0].$photo.load() }
        }
    }

    @Test func `untracked works with batches, lazy results and other terminal methods`() throws {
        try withTemporarySession { session, _ throws in
            _ = try family(session)
            let query = Person.query.order(by: \.name).untracked()
            var names: [String] = []
            try query.forEachBatch(of: 3) { names += $0.map(\.name) }
            try query.forEach { names.append($0.name) }
            expect(names, ["p0", "p1", "p2", "p3", "p0", "p1", "p2", "p3"])
            let lazy = try query.lazily()
            #expect(try lazy[2].name == "p2" && lazy[2] === lazy[2] && lazy[2].boss?.name == "p0")
            #expect(try query.count() == 4 && query.exists() && query.ids() == [1, 2, 3, 4])
            try expect(query.limit(1).update { $0.name = "new" }, 1)
            try expect(query.where { $0.name == "new" }.count(), 1)
            checkMaps(session)
        }
    }

    @Test func `a failed untracked query throws and leaves no objects behind`() throws {
        try withTemporarySession { session, file throws in
            _ = try family(session)
            try Plain().save()
            _ = try file.sqliteWithoutForeignKeys("DELETE FROM person WHERE name = 'p0'")
            #expect(throws: StoreError.self) { try Person.where { $0.name == "p1" }.untracked().all() }
            #expect(throws: (any Error).self) { try Person.where { $0.boss == Person() }.untracked().all() }
            checkMaps(session)
        }
    }

    @Test func `edits of untracked objects are not reported as lost`() throws {
        let lost = Recorder<String>()
        var configuration = Store.Configuration()
        configuration.lostEdits = .report { lost.add($0.className) }
        try withTemporarySession(configuration) { session, _ in
            _ = try family(session)
            for person in try Person.query.untracked().all() { person.name = "edited" }
        }
        #expect(lost.all.isEmpty)
    }
}
