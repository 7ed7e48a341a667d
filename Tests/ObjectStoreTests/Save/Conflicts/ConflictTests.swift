import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// A save never overwrites values that other sessions changed after the object was read, unless the policy allows it.
struct ConflictTests {
    final class Person: PersistentObject {
        override class var tableName: String { "person" }
        var name = ""
        var age = 0
        var tags: [String] = []
        var home = Address()
        var friend: Person?
        var updatedAt: Date?
        struct Address: Codable { var city = "" }
    }

    final class Page: PersistentObject {
        override class var tableName: String { "page" }
        override class var versionProperty: AnyKeyPath? { \Page.version }
        var title = ""
        var text = ""
        var version = 0
    }

    private func withPerson(_ body: (Session, Person, (String) throws -> Void) throws -> Void) throws {
        try withTemporarySession { session, file in
            let joe = Person()
            joe.name = "Joe"
            joe.age = 1
            joe.tags = ["a"]
            try joe.save()
            try body(session, joe) { sql in
                try session.store.withSession { other throws in
                    let theirs = try #require(try Person.find(joe.id ?? 0))
                    switch sql {
                    case "age": theirs.age = 40
                    case "name": theirs.name = "Theirs"
                    case "tags": theirs.tags.append("theirs")
                    case "home": theirs.home.city = "Bonn"
                    case "friend": theirs.friend = theirs
                    default: break
                    }
                    try theirs.save()
                }
            }
        }
    }

    @Test func `a property changed by both sides is an error with the base and both new values`() throws {
        try withPerson { session, joe, others throws in
            joe.age = 2
            try others("age")
            let error = #expect(throws: StoreError.self) { try joe.save() }
            #expect(error?.code == .staleObject && error?.property == "age" && error?.rowID == joe.id)
            let conflict = try #require(error?.conflicts.first)
            #expect(conflict.property == "age")
            #expect(conflict.base as? Int == 1 && conflict.mine as? Int == 2 && conflict.theirs as? Int == 40)
            #expect(error.map { !"\($0)".contains("40") } == true, "values are no part of a description")
            #expect(joe.age == 2 && joe.hasChanges)
            // The conflict persists.
            #expect(throws: StoreError.self) { try joe.save() }
            try joe.save(.onConflict(.mine))
            #expect(!joe.hasChanges)
            try session.store.withSession { _ throws in #expect(try Person.first()?.age == 2) }
        }
    }

    @Test func `a query in between does not hide the conflict`() throws {
        try withPerson { session, joe, others throws in
            joe.age = 2
            try others("age")
            try expect(Person.all(), [joe])
            #expect(joe.age == 2 && joe.changes.first?.old as? Int == 1)
            try session.refresh()
            #expect(!joe.isDeleted && joe.age == 2)
            let error = #expect(throws: StoreError.self) { try session.saveChanges() }
            expect(error?.code, .staleObject)
            try joe.reload()
            expect(joe.age, 40)
            joe.age = 41
            try joe.save()
        }
    }

    @Test func `properties changed by only one side are merged`() throws {
        try withPerson { session, joe, others throws in
            joe.age = 2
            try others("name")
            try joe.save()
            #expect(joe.name == "Theirs" && joe.age == 2 && !joe.hasChanges)
            try session.store.withSession { _ throws in
                let row = try Person.first()
                #expect(row?.name == "Theirs" && row?.age == 2)
            }
        }
    }

    @Test func `the same change of a string by both sides is not a conflict`() throws {
        try withPerson { session, joe, others throws in
            joe.name = "Theirs"
            try others("name")
            try joe.save()
            #expect(!joe.hasChanges)
        }
    }

    @Test func `the same change of a number by both sides is a conflict`() throws {
        try withPerson { session, joe, others throws in
            let base = joe.age
            joe.age = 40
            try others("age")
            // The conflict persists until it is resolved.
            for _ in 0..<2 {
                let error = #expect(throws: StoreError.self) { try joe.save() }
                #expect(error?.code == .staleObject && error?.conflicts.map(\.property) == ["age"])
                #expect(error?.conflicts.first?.theirs as? Int == 40 && joe.age == 40)
                _ = try Person.all()
                #expect(joe.changes.first?.old as? Int == base)
            }
            try joe.save(.onConflict(.resolve { conflict in .value((conflict.mine as? Int ?? 0) + 1) }))
            #expect(joe.age == 41 && !joe.hasChanges)
        }
    }

    @Test(arguments: ["age", "tags", "home", "friend"])
    func `conflicts are detected in each kind of property`(property: String) throws {
        try withPerson { session, joe, others throws in
            let ann = Person()
            try ann.save()
            switch property {
            case "age": joe.age = 2
            case "tags": joe.tags.insert("mine", at: 0)
            case "home": joe.home.city = "Rom"
            default: joe.friend = ann
            }
            try others(property)
            let error = #expect(throws: StoreError.self) { try joe.save() }
            #expect(error?.code == .staleObject && error?.property == property)
            try joe.save(.onConflict(.theirs))
            #expect(!joe.hasChanges)
            switch property {
            case "age": #expect(joe.age == 40)
            case "tags": #expect(joe.tags == ["a", "theirs"])
            case "home": #expect(joe.home.city == "Bonn")
            default: #expect(joe.friend === joe)
            }
            joe.friend = nil
            try joe.save()
        }
    }

    @Test func `the policy mine also works for collections`() throws {
        try withPerson { session, joe, others throws in
            joe.tags = ["x", "y"]
            try others("tags")
            try joe.save(.onConflict(.mine))
            try session.store.withSession { _ throws in try expect(Person.first()?.tags, ["x", "y"]) }
        }
    }

    @Test func `a closure resolves conflicts by property`() throws {
        try withPerson { session, joe, others throws in
            joe.age = 2
            joe.name = "Mine"
            try others("age")
            try others("name")
            session.conflictPolicy = .resolve { conflict in
                conflict.property == "age"
                    ? .value((conflict.mine as? Int ?? 0) + (conflict.theirs as? Int ?? 0)) : .theirs
            }
            try joe.save()
            #expect(joe.age == 42 && joe.name == "Theirs" && !joe.hasChanges)
            try session.store.withSession { _ throws in try expect(Person.first()?.age, 42) }
        }
    }

    @Test func `with the policy fail, any change by another session is a conflict`() throws {
        try withPerson { session, joe, others throws in
            session.conflictPolicy = .fail
            joe.age = 2
            try others("name")
            let error = #expect(throws: StoreError.self) { try joe.save() }
            #expect(error?.code == .staleObject && error?.conflicts.map(\.property) == ["name"])
            try joe.reload()
            joe.age = 2
            try joe.save()
        }
    }

    @Test func `raw SQL of the same session counts as a change by another session`() throws {
        try withPerson { session, joe, _ throws in
            joe.age = 2
            try session.execute("UPDATE person SET age = 9")
            let error = #expect(throws: StoreError.self) { try joe.save() }
            expect(error?.code, .staleObject)
        }
    }

    @Test func `saving a row that another session deleted is an error`() throws {
        try withPerson { session, joe, _ throws in
            joe.age = 2
            try session.store.withSession { _ throws in _ = try Person.deleteAll() }
            let error = #expect(throws: StoreError.self) { try joe.save() }
            #expect(error?.code == .rowGone)
        }
    }

    @Test func `a transaction with retries is repeated after a conflict`() throws {
        try withPerson { session, joe, others throws in
            var attempts = 0
            try session.transaction(retries: 2) { () throws in
                attempts += 1
                joe.age += 1
                if attempts == 1 { try session.execute("UPDATE person SET age = 10") }
                try joe.save()
            }
            #expect(attempts == 2)
            #expect(joe.age == 2)
            let error = #expect(throws: StoreError.self) {
                try session.transaction(retries: 1) { () throws in
                    joe.age += 1
                    try session.execute("UPDATE person SET age = 10")
                    try joe.save()
                }
            }
            #expect(error?.code == .staleObject)
            #expect(joe.age == 2)
        }
    }

    final class Sheet: PersistentObject {
        override class var tableName: String { "sheet" }
        override class var versionProperty: AnyKeyPath? { \Sheet.version }
        var title = ""
        var version = 0
    }

    @Test func `a save of several classes increments the version of each versioned object, in any order`() throws {
        try withTemporarySession { session, _ in
            let (page, joe, sheet) = (Page(), Person(), Sheet())
            let orders: [[PersistentObject]] = [
                [page, joe, sheet], [sheet, joe, page], [joe, page, sheet], [page, sheet, joe],
            ]
            for (round, objects) in orders.enumerated() {
                (page.title, sheet.title, joe.age) = ("\(round)", "\(round)", round + 1)
                try session.save(objects)
                #expect(page.version == round && sheet.version == round)
            }
        }
    }

    @Test func `a version is incremented by each save, and any change by another session is a conflict`() throws {
        try withTemporarySession { session, file throws in
            let page = Page()
            try page.save()
            #expect(page.version == 0)
            page.title = "A"
            try page.save()
            try page.save()
            #expect(page.version == 1)
            try session.store.withSession { _ throws in
                let theirs = try #require(try Page.first())
                theirs.text = "theirs"
                try theirs.save()
                #expect(theirs.version == 2)
            }
            page.title = "B"
            let error = #expect(throws: StoreError.self) { try page.save() }
            #expect(error?.code == .staleObject)
            #expect(page.version == 1 && page.title == "B")
            try page.save(.onConflict(.mine))
            #expect(page.version == 3 && page.text == "theirs")
            #expect(try file.sqlite("SELECT title, text, version FROM page") == "B|theirs|3")
        }
    }
}
