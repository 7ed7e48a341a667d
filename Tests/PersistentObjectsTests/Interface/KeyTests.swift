import Foundation
import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// Objects of classes with keys have the same key in each file.
struct KeyTests {
    class Country: PersistentObject {
        override class var tableName: String { "country" }
        override class var identity: Identity { .string }
        var name = ""
        var capital: City?
    }

    final class Island: Country { var area = 0.0 }

    final class City: PersistentObject {
        override class var tableName: String { "city" }
        override class var identity: Identity { .uuid }
        var name = ""
        var twins: [City] = []
    }

    final class Plain: PersistentObject {
        override class var tableName: String { "plain" }
        var name = ""
    }

    private func saved<T: PersistentObject>(_ object: T, _ name: WritableKeyPath<T, String>, _ text: String) throws -> T
    {
        var object = object
        object[keyPath: name] = text
        try object.save()
        return object
    }

    private func isUUID(_ key: String?) -> Bool {
        key?.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil
    }

    @Test(arguments: [1, 30, 700]) func `a missing key is created by the save, in lowercase`(count: Int) throws {
        try withTemporarySession { session, file throws in
            let cities = (0..<count).map { _ in City() }
            let countries = (0..<count).map { _ in Country() }
            #expect(cities[0].key == nil && cities[0].isNew)
            try session.save(cities + countries)
            let keys = (cities.map(\.key) + countries.map(\.key)).compactMap { $0 }
            #expect(keys.count == 2 * count && Set(keys).count == 2 * count && keys.allSatisfy { isUUID($0) })
            #expect(
                try file.sqlite("SELECT lower(hex(key)) FROM city ORDER BY id")
                    == keys[..<count].map { $0.replacing("-", with: "") }.joined(separator: "\n"))
            #expect(try file.sqlite("SELECT key FROM country ORDER BY id") == keys[count...].joined(separator: "\n"))
            #expect(cities.allSatisfy { !$0.hasChanges })
        }
    }

    @Test func `an assigned key is kept and found without SQL`() throws {
        try withTemporaryStore { store, file throws in
            try store.withSession { session throws in
                let iceland = try saved(try Country(key: "IS"), \.name, "Iceland")
                let id = try #require(UUID(uuidString: "6BA7B810-9DAD-41D1-80B4-00C04FD430C8"))
                let city = try saved(try City(key: id.uuidString), \.name, "Reykjavík")
                expect(city.key, "6ba7b810-9dad-41d1-80b4-00c04fd430c8")
                let log = try statements(of: session) { () throws in
                    #expect(try Country.find("IS") === iceland)
                    #expect(try City.find(id) === city && City.find(id.uuidString) === city)
                    try expect(Country.find(keys: ["IS", "IS"]), [iceland, iceland])
                    #expect(try Country.findByKey("IS") == [iceland] && Country.findBy.key("IS") == [iceland])
                    #expect(try City.findByKey(id) == [city] && City.findFirstBy.key(city.key) === city)
                }
                // On a server with other writers, objects are read again.
                #expect(TestEngine.isPostgres || log.count <= 1, "\(log)")
            }
            try expect(file.sqlite("SELECT id, key, name FROM country"), "1|IS|Iceland")
            try store.withSession { session throws in
                try expect(Country.find("IS")?.name, "Iceland")
                #expect(try Country.find("is") == nil && Country.find("") == nil && City.find("no UUID") == nil)
                #expect(try City.find(UUID()) == nil)
            }
        }
    }

    @Test func `objects are found by keys in the given order, with one SELECT`() throws {
        try withTemporaryStore { store, _ throws in
            let keys = ["a", "ä", "\"q\"", "\\", "😀", "Z", "'", "\u{1}"]
            try store.withSession { session throws in
                try session.save(try keys.map { try Country(key: $0) })
            }
            try store.withSession { session throws in
                _ = try Country.count()
                let held = try #require(try Country.find("Z"))
                let asked = Array(keys.reversed()) + ["none", "a"]
                let log = try statements(of: session) { () throws in
                    let found = try Country.find(keys: asked)
                    #expect(found.map(\.key) == keys.reversed() + ["a"])
                    #expect(found.contains { $0 === held })
                }
                #expect(log.count { $0.hasPrefix("SELECT") } == 1, "\(log)")
                #expect(try Country.find(keys: [String]()).isEmpty)
            }
        }
    }

    @Test func `the key column is unique and not NULL, and has a default for rows of other programs`() throws {
        try withTemporarySession { _, file throws in
            _ = try City.count()
            if TestEngine.isPostgres {
                let columns = "SELECT attname, atttypid::regtype, attnotnull::int FROM pg_attribute"
                #expect(
                    try file.sqlite("\(columns) WHERE attrelid = 'city'::regclass AND attnum > 0 ORDER BY attnum")
                        == "id|bigint|1\nkey|uuid|1\nname|text|1")
                #expect(
                    try file.sqlite(
                        "SELECT indisunique::int FROM pg_index WHERE indexrelid = '\"city.key.unique\"'::regclass")
                        == "1")
            } else {
                #expect(
                    try file.sqlite("SELECT name, type, \"notnull\" FROM pragma_table_info('city')")
                        == "id|INTEGER|0\nkey|BLOB|1\nname|TEXT|1")
                #expect(
                    try file.sqlite("SELECT name, \"unique\" FROM pragma_index_list('city')") == "city.key.unique|1")
            }
            _ = try file.sqlite("INSERT INTO city (name) VALUES ('A'), ('B')")
            let cities = try City.all()
            #expect(cities.count == 2 && cities.allSatisfy { isUUID($0.key) } && cities[0].key != cities[1].key)
        }
    }

    @Test func `a key that already exists throws notUnique, and objects stay unchanged`() throws {
        try withTemporarySession { session, _ throws in
            _ = try saved(try Country(key: "IS"), \.name, "Iceland")
            let (other, third) = (try Country(key: "IS"), Country())
            #expect {
                try session.save([third, other])
            } throws: { error in
                guard let error = error as? StoreError else { return false }
                return error.code == .notUnique && error.className == "Country" && error.property == "key"
            }
            #expect(other.key == "IS" && other.isNew && third.key == nil && third.isNew)
            try other.setKey("IE")
            try session.save([third, other])
            #expect(try Country.find("IE") === other && isUUID(third.key))
        }
    }

    @Test func `invalid keys are refused when they are assigned`() throws {
        try withTemporarySession { _, _ throws in
            for bad in ["", "a\0b"] {
                #expect(throws: StoreError.self) { try Country(key: bad) }
            }
            for bad in ["", "7", "6ba7b810-9dad-41d1-80b4-00c04fd430c"] {
                #expect(throws: StoreError.self) { try City(key: bad) }
            }
            let city = City()
            #expect(throws: StoreError.self) { try city.setKey("x") }
            #expect(city.key == nil)
            let error = #expect(throws: StoreError.self) { try Plain(key: "x") }
            #expect(error?.description.contains("identity") == true && error?.className == "Plain")
            #expect(throws: StoreError.self) { try Plain.find("x") }
            #expect(throws: StoreError.self) { try Plain.find(keys: ["x"]) }
            #expect(Plain().key == nil)
        }
    }

    @Test func `keys can be changed and exchanged and are edits like other properties`() throws {
        try withTemporaryStore { store, file throws in
            try store.withSession { session throws in
                let (a, b) = (try Country(key: "a"), try Country(key: "b"))
                try session.save([a, b])
                try a.setKey("b")
                try b.setKey("a")
                #expect(a.hasChanges && a.changes.map(\.name) == ["key"])
                #expect(a.changes[0].old as? String == "a" && a.changes[0].new as? String == "b")
                try session.saveChanges()
                #expect(try Country.find("a") === b && Country.find("b") === a)
                try a.setKey("c")
                a.revert()
                #expect(a.key == "b" && !a.hasChanges)
                try a.setKey("c")
                try a.reload()
                #expect(a.key == "b")
                #expect(throws: StoreError.self) {
                    try a.set("key", to: nil)
                    try a.save()
                }
            }
            #expect(try file.sqlite("SELECT id, key FROM country ORDER BY id") == "1|b\n2|a")
        }
    }

    @Test func `the key can be read by name, and a copy has no key`() throws {
        try withTemporarySession { _, _ throws in
            let country = try saved(try Country(["key": "IS", "name": "Iceland"]), \.name, "Iceland")
            #expect(country["key"] as? String == "IS" && country.dictionary["key"] as? String == "IS")
            expect(country.description, "Country #1 { key: \"IS\", name: \"Iceland\", capital: nil }")
            let copy = country.copy()
            #expect(copy.key == nil && copy.name == "Iceland")
            try copy.save()
            #expect(isUUID(copy.key))
        }
    }

    @Test func `subclasses share the keys of their root class`() throws {
        try withTemporaryStore { store, _ throws in
            try store.withSession { _ throws in
                _ = try saved(try Island(key: "IS"), \.name, "Iceland")
                _ = try saved(try Country(key: "AT"), \.name, "Austria")
            }
            try store.withSession { _ throws in
                #expect(try Country.find("IS") is Island)
                #expect(try Island.find("IS")?.name == "Iceland" && Island.find("AT") == nil)
                #expect(throws: StoreError.self) { try Island(key: "AT").save() }
            }
        }
    }

    @Test func `a PersistentID contains the key and finds the object in other files`() throws {
        let encoded = try withTemporarySession { _, _ throws in
            _ = try saved(City(), \.name, "first")
            let city = try saved(City(), \.name, "second")
            let country = try Country(key: "IS")
            country.capital = city
            try country.save()
            return try JSONEncoder().encode([try #require(city.persistentID)])
        }
        let id = try JSONDecoder().decode([PersistentID<City>].self, from: encoded)[0]
        #expect(id.value == 2 && isUUID(id.key))
        try withTemporaryStore { store, _ throws in
            try store.withSession { session throws in
                #expect(try City.find(id) == nil)
                let city = try saved(try City(key: try #require(id.key)), \.name, "here")
                _ = try saved(City(), \.name, "another")
                expect(city.id, 1)
                let country = try Country(key: "IS")
                country.capital = city
                city.twins = [city]
                try country.save()
                #expect(try City.find(id) === city && session.object(for: id) === city)
                #expect(try Country.findByCapital(id) == [country] && Country.findBy.capital(id) == [country])
                try expect(City.findByTwinsContaining(id), [city])
                try city.setKey(UUID().uuidString)
                try city.save()
                #expect(try Country.findBy.capital(id).isEmpty && City.find(id) == nil)
            }
        }
        let older = try JSONDecoder().decode(PersistentID<City>.self, from: Data(#"{"value":2}"#.utf8))
        #expect(older == PersistentID(2) && older.key == nil)
    }

    @Test func `a class with rows can get keys and give them up`() throws {
        final class Former: PersistentObject {
            override class var tableName: String { "thing" }
            var name = ""
        }
        final class Thing: PersistentObject {
            override class var tableName: String { "thing" }
            override class var identity: Identity { .uuid }
            var name = ""
        }
        let file = try TemporaryStore()
        try file.open().withSession { session throws in
            try session.save((0..<3).map { _ in Former() })
        }
        try file.open().withSession { _ throws in
            let keys = try Thing.all().map(\.key)
            #expect(keys.count == 3 && Set(keys).count == 3 && keys.allSatisfy { isUUID($0) })
            _ = try saved(Thing(), \.name, "new")
        }
        try file.open().withSession { session throws in
            try session.save((0..<3).map { _ in Former() })
            #expect(try Former.count() == 7)
        }
        // Rows that were added without keys get keys.
        try file.open().withSession { _ throws in
            let keys = try Thing.all().map(\.key)
            #expect(keys.count == 7 && Set(keys).count == 7 && keys.allSatisfy { isUUID($0) })
        }
    }

    @Test func `a class with a conflicting key declaration is refused`() throws {
        final class Owner: PersistentObject {
            override class var tableName: String { "owner" }
            override class var identity: Identity { .string }
            @Column("code") var key = ""
        }
        class Base: PersistentObject {
            override class var tableName: String { "base" }
            var name = ""
        }
        final class Derived: Base { override class var identity: Identity { .uuid } }
        try withTemporarySession { _, _ throws in
            #expect(throws: SchemaError.keyNameTaken(className: "Owner")) { try Owner().save() }
            #expect(throws: SchemaError.identityDiffers(className: "Derived", root: "Base")) { try Derived().save() }
        }
    }

    @Test func `a class without keys can have a property named key`() throws {
        final class Door: PersistentObject {
            override class var tableName: String { "door" }
            var key = ""
        }
        try withTemporarySession { _, _ throws in
            let door = Door()
            door.key = "brass"
            try door.save()
            #expect(try Door.findBy.key("brass") == [door] && Door.findByKey("brass") == [door])
        }
    }
}
