import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Reverting objects to an earlier time.
struct HistoryRevertTests {
    struct Address: Codable, Equatable { var city = ""; var zip = 0 }
    enum Mood: String { case good, bad }

    class Person: PersistentObject {
        override class var keepsHistory: Bool { true }
        override class var tableName: String { "revert_person" }
        override class var identity: Identity { .uuid }
        override class var versionProperty: AnyKeyPath? { \Person.version }
        var version = 0
        var name = ""
        var age: Int?
        var mood = Mood.good
        var data = Data()
        var price = Decimal(0)
        var home = Address()
        @Embedded var work: Address?
        @Lazy var photo = Data()
        @Column("surname") var lastName = ""
        var employer: Company?
        @Lazy var boss: Person?
        weak var friend: Person?
        var tags: [String] = []
    }
    final class Worker: Person { var wage = 1.5 }
    final class Company: PersistentObject {
        override class var tableName: String { "revert_company" }
        var name = ""
    }
    final class Plain: PersistentObject { override class var tableName: String { "revert_plain" } }

    final class Kin: PersistentObject {
        override class var keepsHistory: Bool { true }
        override class var tableName: String { "revert_kin" }
        var mother: Kin?
        var friends: [Kin] = []
        var byName: [String: Kin] = [:]
    }

    private func fill(_ person: Person, _ number: Int, _ company: Company?, _ other: Person?) {
        person.name = "n\(number)"
        person.age = number % 2 == 0 ? number : nil
        person.mood = number % 2 == 0 ? .good : .bad
        person.data = Data([UInt8(number)])
        person.price = Decimal(number) / 100
        person.home = Address(city: "c\(number)", zip: number)
        person.work = number % 2 == 0 ? nil : Address(city: "w\(number)", zip: -number)
        person.photo = Data(repeating: UInt8(number), count: 10)
        person.lastName = "l\(number)"
        person.employer = company
        person.boss = other
        person.friend = other
    }

    private func check(_ person: Person, _ number: Int, _ company: Company?, _ other: Person?) {
        #expect(person.name == "n\(number)" && person.age == (number % 2 == 0 ? number : nil))
        #expect(person.mood == (number % 2 == 0 ? .good : .bad) && person.data == Data([UInt8(number)]))
        #expect(person.price == Decimal(number) / 100 && person.home == Address(city: "c\(number)", zip: number))
        expect(person.work, number % 2 == 0 ? nil : Address(city: "w\(number)", zip: -number))
        #expect(person.photo == Data(repeating: UInt8(number), count: 10) && person.lastName == "l\(number)")
        #expect(person.employer === company && person.boss === other && person.friend === other)
    }

    @Test func `revert sets properties of all types as unsaved edits, which can be saved`() throws {
        try withTemporarySession { session, file in
            let (acme, other, joe) = (Company(), Person(), Worker())
            try other.save()
            var times: [Date] = []
            for number in 1...4 {
                fill(joe, number, number == 2 ? nil : acme, number == 3 ? nil : other)
                joe.wage = Double(number)
                joe.tags = ["\(number)"]
                try joe.save()
                times.append(apart { Date() })
            }
            let (key, version) = (joe.key, joe.version)
            for number in [1, 4, 2, 3] {
                try joe.revert(to: times[number - 1])
                check(joe, number, number == 2 ? nil : acme, number == 3 ? nil : other)
                #expect(
                    joe.wage == Double(number) && joe.tags == ["\(number)"] && joe.key == key && joe.version == version)
                // After commits of other sessions, an object on a server is read again, without its lazy values. A value
                // that is then assigned counts as changed.
                #expect(joe.hasChanges == (number != 4) || TestEngine.isPostgres)
            }
            try joe.save()
            expect(joe.version, version + 1)
            try session.reset()
            let again = try #require(try Worker.find(key: key ?? ""))
            let otherAgain = try Person.find(other.id ?? 0)
            #expect(again.name == "n3" && again.photo == Data(repeating: 3, count: 10) && again.work?.city == "w3")
            #expect(again.employer?.id == acme.id && again.boss == nil && again.friend == nil && otherAgain != nil)
            try again.revert(to: Date())
            #expect(!again.hasChanges)
        }
    }

    @Test func `a lazy property with the same value stays unloaded after revert`() throws {
        try withTemporarySession { session, _ in
            let joe = Person()
            fill(joe, 1, nil, nil)
            try joe.save()
            let time = apart { Date() }
            joe.name = "other"
            try joe.save()
            try session.reset()
            let again = try #require(try Person.first())
            try again.revert(to: time)
            #expect(again.changes.map(\.name) == ["name"] && again.name == "n1")
            again.revert()
            expect(again.name, "other")
        }
    }

    @Test func `a deleted row is restored with its id, key and class`() throws {
        try withTemporarySession { session, file in
            let (acme, other, joe) = (Company(), Person(), Worker())
            try other.save()
            fill(joe, 1, acme, other)
            joe.wage = 7
            try joe.save()
            let (id, key, time) = (try #require(joe.id), joe.key, apart { Date() })
            fill(joe, 2, acme, other)
            try joe.save()
            try joe.delete()
            let gone = apart { Date() }
            try Worker().save()
            #expect(throws: StoreError.self) { try Company.restored(id, to: time) }
            let back = try Person.restored(id, to: time)
            check(back, 1, acme, other)
            #expect((back as? Worker)?.wage == 7 && back.id == nil && back.key == key)
            try back.save()
            #expect(back.id == id && back !== joe)
            #expect(try Person.find(id) === back)
            #expect(
                try file.sqlite("SELECT class, wage, name FROM revert_person WHERE id = \(id)")
                    == "Worker|7\(TestEngine.isPostgres ? "" : ".0")|n1")
            #expect(
                try Person.history.where { $0.object == id }.all().map(\.change) == [
                    .created, .changed, .deleted, .created,
                ])
            let there = #expect(throws: StoreError.self) { try Person.restored(id, to: time) }
            #expect(there?.code == .misuse)
            let deleted = #expect(throws: StoreError.self) { try back.revert(to: gone) }
            #expect(deleted?.code == .notFound && deleted?.rowID == id)
            try back.revert(to: time)
            #expect(!back.hasChanges)
        }
    }

    @Test func `the save of a restored object can be rolled back and repeated`() throws {
        struct Stop: Error {}
        try withTemporarySession { session, _ in
            let joe = Plainer()
            try joe.save()
            try Plainer().save()
            let (id, time) = (try #require(joe.id), apart { Date() })
            try joe.delete()
            let back = try Plainer.restored(id, to: time)
            #expect(throws: Stop.self) {
                try session.transaction {
                    try back.save()
                    #expect(back.id == id)
                    throw Stop()
                }
            }
            #expect(back.id == nil)
            let second = Plainer()
            second.link = back
            try second.save()
            #expect(back.id == id && second.id == 3)
        }
    }
    final class Plainer: PersistentObject {
        override class var keepsHistory: Bool { true }
        override class var tableName: String { "revert_plainer" }
        var text = ""
        var link: Plainer?
    }

    @Test func `a reference to an object deleted since is nil after revert`() throws {
        try withTemporarySession { session, _ in
            let (acme, joe) = (Company(), Person())
            fill(joe, 1, acme, nil)
            try joe.save()
            let time = apart { Date() }
            joe.name = "x"
            try joe.save()
            try acme.delete()
            try joe.revert(to: time)
            #expect(joe.name == "n1" && joe.employer == nil)
            try joe.save()
        }
    }

    @Test func `revert also undoes changes of other sessions`() throws {
        try withTemporarySession { session, _ in
            let joe = Plainer()
            joe.text = "a"
            try joe.save()
            let time = apart { Date() }
            func change(_ text: String) throws {
                try session.store.withSession { _ in
                    let same = try #require(try Plainer.find(joe.id ?? 0))
                    same.text = text
                    try same.save()
                }
            }
            try change("b")
            #expect(joe.text == "a")
            try joe.revert(to: time)
            #expect(joe.text == "a" && joe.changes.map(\.name) == ["text"])
            try joe.save()
            try change("c")
            joe.text = "edited"
            try joe.revert(to: time)
            try joe.save()
            #expect(try Plainer.query.values(of: \.text) == ["a"])
            try session.store.withSession { _ in _ = try Plainer.deleteAll() }
            let error = #expect(throws: StoreError.self) { try joe.revert(to: time) }
            #expect(error?.code == .rowGone && error?.rowID == 1)
        }
    }

    @Test func `revert throws for times without a row and for objects without one`() throws {
        try withTemporarySession { session, _ in
            let before = apart { Date() }
            let joe = Person()
            let new = #expect(throws: StoreError.self) { try joe.revert(to: before) }
            #expect(new?.code == .misuse)
            joe.name = "joe"
            try joe.save()
            joe.name = "edited"
            let early = #expect(throws: StoreError.self) { try joe.revert(to: before) }
            #expect(early?.code == .notFound && early?.className == "Person" && joe.name == "edited")
            try joe.delete()
            #expect(throws: StoreError.self) { try joe.revert(to: apart { Date() }) }
            #expect(throws: StoreError.self) { try Person.restored(99, to: apart { Date() }) }
            #expect(throws: StoreError.self) { try Person.restored(joe.id ?? 0, to: apart { Date() }) }
            let plain = Plain()
            try plain.save()
            let none = #expect(throws: StoreError.self) { try plain.revert(to: apart { Date() }) }
            #expect(none?.message.contains("keepsHistory") == true)
        }
    }

    @Test func `a value that the property cannot hold throws an error that names it, and changes nothing`() throws {
        try withTemporarySession { session, _ in
            let joe = Person()
            try joe.save()
            try session.execute("UPDATE revert_person SET mood = 'sad', name = 'x'")
            let time = apart { Date() }
            try session.execute("UPDATE revert_person SET mood = 'bad', name = 'y'")
            try joe.reload()
            let error = #expect(throws: StoreError.self) { try joe.revert(to: time) }
            #expect(error?.property == "mood" && error?.rowID == joe.id && !joe.hasChanges)
            let entry = try #require(try joe.history.all().last)
            let unreadable = #expect(throws: StoreError.self) { _ = try entry.old(\Person.mood) }
            #expect(unreadable?.property == "mood" && unreadable?.message.contains("entry") == true)
            #expect(try entry.new(\Person.mood) == .bad)
        }
    }

    @Test func `entries can be read only through properties of their class`() throws {
        try withTemporarySession { session, _ in
            let joe = Person()
            (joe.lastName, joe.employer) = ("S", Company())
            try joe.save()
            let entry = try #require(try joe.history.first())
            #expect(try entry.new(\Person.lastName) == "S" && entry.new(\Person.employer)?.value == joe.employer?.id)
            #expect(try entry.new(\Person.price) == 0 && entry.new(\Person.home) == Address())
            #expect(try !entry.didChange(\Person.tags) && entry.new(\Person.tags) == nil)
            #expect(throws: StoreError.self) { _ = try entry.new(\Company.name) }
            #expect(throws: FinderError.self) { _ = try entry.new(\Person.hasChanges) }
        }
    }

    @Test func `entries can be deleted, and reverting to a time that needs them throws`() throws {
        try withTemporarySession { session, file in
            let joe = Person()
            var times: [Date] = []
            for number in 1...3 {
                fill(joe, number, nil, nil)
                try joe.save()
                times.append(apart { Date() })
            }
            let still = Person()
            try still.save()
            session.recordsUndo = true
            #expect(try Person.history.where { $0.date < times[1] }.delete() == 2)
            #expect(!session.canUndo)
            let left = try file.sqlite(
                "SELECT count(*) FROM po_history_value WHERE entry_id IS NULL OR "
                    + "entry_id NOT IN (SELECT id FROM po_history_entry)")
            #expect(left == "0")
            #expect(try joe.history.count() == 1)
            let pruned = #expect(throws: StoreError.self) { try joe.revert(to: times[0]) }
            #expect(pruned?.code == .notFound && pruned?.message.contains("history entries before") == true)
            #expect(throws: StoreError.self) { try joe.revert(to: times[1]) }
            try joe.revert(to: times[2])
            check(joe, 3, nil, nil)
            #expect(try Person.history.delete() == 2)
            #expect(throws: StoreError.self) { try still.revert(to: apart { Date() }) }
        }
    }

    @Test func `revert does not return objects that another session deleted`() throws {
        try withTemporaryStore { store, _ in
            let (one, two) = (try Session(store), try Session(store))
            defer { for session in [one, two] { session.close() } }
            try one.use {
                let (mother, child, friend) = (Kin(), Kin(), Kin())
                (child.mother, child.friends, child.byName) = (mother, [mother, friend], ["m": mother, "f": friend])
                try child.save()
                Thread.sleep(forTimeInterval: 0.01)
                let then = Date()
                Thread.sleep(forTimeInterval: 0.01)
                (child.mother, child.friends, child.byName) = (nil, [], [:])
                try child.save()
                try two.use { _ = try Kin.find(#require(mother.id))?.delete() }
                #expect(try Kin.count() == 2)
                try child.revert(to: then)
                #expect(child.mother == nil && child.friends == [friend] && child.byName == ["f": friend])
                try child.save()
                #expect(!child.hasChanges)
                withExtendedLifetime(mother) {}
            }
        }
    }
}
