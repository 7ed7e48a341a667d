import TestSupport
import Testing

@testable import PersistentObjects

/// `reload()` to the row, `revert()` to the values read or saved last, and `copy()`.
struct ReloadTests {
    struct Address: Codable, Equatable { var street = "Main" }

    final class Person: PersistentObject {
        override class var tableName: String { "person" }
        var name = "nobody"
        var age: Int?
        var address = Address()
        @Indexed var city = ""
        @Transient var isSelected = false
        var initials: String { String(name.prefix(1)) }
        @Transient var didSets = 0
        var watched = 0 { didSet { didSets += 1 } }
    }

    @Test func `reload reads the row again and drops the edits`() throws {
        try withTemporarySession { session, file in
            let joe = Person()
            try joe.save()
            joe.age = 5
            joe.isSelected = true
            joe.address.street = "Side"
            _ = try file.sqlite("UPDATE person SET name = 'Joe', city = 'Bern'")
            let log = try statements(of: session) { try joe.reload() }
            let reads = log.filter { $0.hasPrefix("SELECT") }
            #expect(reads.count == 1 && reads[0].hasSuffix("WHERE \"id\" = ?"))
            #expect(joe.name == "Joe" && joe.city == "Bern" && joe.age == nil && joe.address.street == "Main")
            #expect(!joe.hasChanges && joe.isSelected, "what is not stored is not reloaded")
        }
    }

    @Test func `reload refuses an object without a row`() throws {
        try withTemporarySession { _, file in
            let new = Person()
            let never = #expect(throws: StoreError.self) { try new.reload() }
            #expect(never?.code == .misuse && never?.message.contains("never saved") == true)
            try new.save()
            new.age = 3
            _ = try file.sqlite("DELETE FROM person")
            let gone = #expect(throws: StoreError.self) { try new.reload() }
            #expect(gone?.code == .rowGone && gone?.className == "Person" && gone?.rowID == 1)
            #expect(new.age == 3 && new.hasChanges)
            try new.delete()
            let deleted = #expect(throws: StoreError.self) { try new.reload() }
            #expect(deleted?.code == .misuse && deleted?.message.contains("deleted") == true)
        }
    }

    @Test func `reload names the property whose value cannot be decoded`() throws {
        try withTemporarySession { _, file in
            let joe = Person()
            try joe.save()
            _ = try file.sqlite("UPDATE person SET address = x'7B7D' WHERE id = 1")
            let error = #expect(throws: StoreError.self) { try joe.reload() }
            #expect(error?.code == .typeMismatch && error?.property == "address" && error?.rowID == 1)
            #expect(joe.address == Address())
            _ = try file.sqlite("UPDATE person SET address = cast('{\"street\":\"New\"}' AS BLOB)")
            try joe.reload()
            #expect(joe.address.street == "New")
        }
    }

    @Test func `revert restores the values read or saved last, without SQL`() throws {
        try withTemporarySession { session, file in
            let joe = Person()
            joe.name = "Joe"
            joe.age = 1
            try joe.save()
            _ = try file.sqlite("UPDATE person SET city = 'Bern'")
            joe.name = "Jim"
            joe.age = nil
            joe.address.street = "Side"
            let log = statements(of: session) { joe.revert() }
            #expect(log.isEmpty && !joe.hasChanges)
            #expect(joe.name == "Joe" && joe.age == 1 && joe.address.street == "Main" && joe.city.isEmpty)
            joe.age = 2
            try joe.save()
            joe.age = 3
            joe.revert()
            expect(joe.age, 2)
        }
    }

    @Test func `revert of one property keeps the edits of the others`() throws {
        try withTemporarySession { _, _ in
            let joe = Person()
            try joe.save()
            joe.name = "Joe"
            joe.age = 5
            joe.city = "Bern"
            joe.revert(\.age)
            #expect(joe.age == nil && joe.changes.map(\.name) == ["name", "city"])
            joe.revert(\.city)
            joe.revert(\.city)
            expect(joe.changes.map(\.name), ["name"])
            joe.revert(\.initials)
            joe.revert(\.isSelected)
            joe.revert(\.address.street)
            joe.revert(\.id)
            #expect(joe.changes.map(\.name) == ["name"] && joe.name == "Joe")
        }
    }

    @Test func `revert does not change a new object`() throws {
        let joe = Person()
        joe.age = 5
        joe.revert()
        joe.revert(\.age)
        #expect(joe.age == 5 && joe.hasChanges)
    }

    @Test func `revert calls no property observers, and works after the session ended`() throws {
        let file = try TemporaryStore()
        try file.open().withSession { _ in
            let joe = Person()
            try joe.save()
            joe.watched = 5
            joe.revert()
            #expect(joe.watched == 0 && joe.didSets == 1)
        }
        var kept: Person?
        try file.open().withSession { _ in kept = try Person.find(1) }
        kept?.age = 7
        expect(kept?.changes.map(\.name), ["age"])
        kept?.revert()
        #expect(kept?.age == nil && kept?.hasChanges == false)
    }

    @Test func `the changes of a new object are all its properties`() throws {
        let joe = Person()
        joe.name = "Joe"
        #expect(joe.hasChanges)
        expect(joe.changes.map(\.name), ["name", "age", "address", "city", "watched"])
        #expect(joe.changes.allSatisfy { $0.old == nil })
        #expect(joe.changes[0].new as? String == "Joe" && joe.changes[1].new == nil)
    }

    @Test func `a copy is a new object with the same stored values`() throws {
        try withTemporarySession { session, file in
            let joe = Person()
            joe.name = "Joe"
            joe.age = 5
            joe.isSelected = true
            try joe.save()
            joe.age = 6
            let copy = joe.copy()
            #expect(type(of: copy) == Person.self && copy !== joe && copy.isNew && copy.id == nil)
            #expect(copy.name == "Joe" && copy.age == 6 && copy.address == joe.address && !copy.isSelected)
            copy.address.street = "Side"
            copy.name += "!"
            #expect(joe.address.street == "Main" && joe.name == "Joe")
            try session.save([copy, joe])
            try expect(file.sqlite("SELECT id, name, age FROM person"), "1|Joe|6\n2|Joe!|6")
            let new = Person()
            new.name = "new"
            expect(new.copy().name, "new")
        }
    }
}
