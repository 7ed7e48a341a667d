import TestSupport
import Testing

@testable import PersistentObjects

class HierarchyVehicle: PersistentObject { var name = "" }
class HierarchyLorry: HierarchyVehicle { var load = 3 }
final class HierarchyTanker: HierarchyLorry { var liquid = "milk" }

/// Classes that join a hierarchy later, and rows of unknown classes.
struct HierarchyGrowthTests {
    class Person: PersistentObject {
        override class var tableName: String { "person" }
        var name = ""
        var friend: Person?
    }

    final class Employee: Person {
        var salary = 100
        var nick: String?
    }

    private final class Secret: Person { var word = "open" }

    @Test func `a file without subclasses keeps its rows when a subclass is added`() throws {
        let file = try TemporaryStore()
        try file.open().withSession { session throws in try session.save([Person(), Person()]) }
        #expect(try !file.sqlite("SELECT sql FROM sqlite_schema WHERE name = 'person'").contains("class"))
        try file.open().withSession { _ throws in
            let employee = Employee()
            employee.friend = try Person.find(1)
            try employee.save()
            try expect(Person.all().map { "\(type(of: $0))" }, ["Person", "Person", "Employee"])
            #expect(try Employee.all() == [employee] && Person.count() == 3)
        }
        try expect(file.sqlite("SELECT class, salary FROM person"), "Person|\nPerson|\nEmployee|100")
        try expect(file.sqlite("PRAGMA integrity_check; PRAGMA foreign_key_check"), "ok")
    }

    @Test func `objects in memory are kept when a subclass is added`() throws {
        try withTemporarySession { session, file throws in
            let people = [Person(), Person()]
            people[0].name = "Ann"
            try session.save(people)
            people[1].name = "edited"
            try Employee().save()
            #expect(try Person.find(1) === people[0] && Person.all().prefix(2) == people[...])
            #expect(people[1].hasChanges)
            people[0].name = "Anna"
            try withExtendedLifetime(people) { try session.saveChanges() }
            try expect(file.sqlite("SELECT class, name FROM person"), "Person|Anna\nPerson|edited\nEmployee|")
        }
    }

    @Test func `a second subclass can be added while the others are in use`() throws {
        try withTemporarySession { session, _ throws in
            try Employee().save()
            try expect(Person.all().count, 1)
            try {
                let secret = Secret()
                secret.word = "sesame"
                try secret.save()
            }()
            try expect(Person.query.order(by: \.id).all().compactMap { ($0 as? Secret)?.word }, ["sesame"])
            #expect(try (Person.find(2) as? Secret)?.word == "sesame" && Person.findByName("").count == 2)
            withExtendedLifetime(session) {}
        }
    }

    @Test func `another session can start using a subclass while this session is open`() throws {
        try withTemporaryStore { store, _ throws in
            try store.withSession { session throws in
                let ann = Person()
                ann.name = "Ann"
                try ann.save()
                _ = try Person.all()
                try store.withSession { _ throws in
                    let employee = Employee()
                    employee.friend = try Person.find(1)
                    try employee.save()
                }
                let people = try Person.all()
                expect(people.map { "\(type(of: $0))" }, ["Person", "Employee"])
                #expect(people[0] === ann && people[1].friend === ann)
                #expect(try Person.find(2) === people[1] && Person.findByName("").count == 1)
                try store.withSession { _ throws in try Secret().save() }
                #expect(try Person.find(3) is Secret && Person.count() == 3)
                #expect(try session.space(of: Person.self).identity.brokenInvariant() == nil)
            }
        }
    }

    @Test func `a subclass is found by its name before the program has used it`() throws {
        let file = try TemporaryStore()
        try file.open().withSession { session throws in
            let tanker = HierarchyTanker()
            tanker.load = 8
            try session.save([HierarchyVehicle(), tanker, HierarchyLorry()])
        }
        for root in [true, false] {
            try file.open().withSession { _ throws in
                let vehicles = try root ? HierarchyVehicle.all() : HierarchyLorry.all()
                let tankers = vehicles.compactMap { $0 as? HierarchyTanker }
                #expect(tankers.count == 1 && tankers[0].load == 8 && tankers[0].liquid == "milk")
                expect(vehicles.count, root ? 3 : 2)
                try expect(HierarchyLorry.count(), 2)
            }
        }
        try file.open().withSession { _ throws in
            #expect(try HierarchyVehicle.find(2) is HierarchyTanker)
            try expect(HierarchyLorry.count(), 2)
        }
    }

    @Test func `rows of a class that another process added are found while a session is open`() throws {
        let file = try TemporaryStore()
        try file.open().prepare(HierarchyTanker.self)
        try file.open().withSession { _ throws in
            #expect(try HierarchyVehicle.all().isEmpty)
            // A second store on the file is equivalent to a second process.
            try file.open().withSession { session throws in
                try session.save([HierarchyVehicle(), HierarchyLorry(), HierarchyVehicle(), HierarchyTanker()])
            }
            let vehicles = try HierarchyVehicle.all()
            expect(
                vehicles.map { "\(type(of: $0))".replacing("Hierarchy", with: "") },
                ["Vehicle", "Lorry", "Vehicle", "Tanker"])
            #expect(try HierarchyVehicle.all() == vehicles && HierarchyLorry.count() == 2)
        }
    }

    @Test func `a row of a class that the program does not have is an error with the remedy`() throws {
        try withTemporaryStore { store, file throws in
            try store.withSession { session throws in try session.save([Person(), Employee()]) }
            _ = try file.sqlite("UPDATE person SET class = 'Ghost' WHERE id = 2")
            try store.withSession { session throws in
                let error = #expect(throws: StoreError.self) { try Person.all() }
                #expect(error?.code == .unknownClass && error?.className == "Person" && error?.rowID == 2)
                #expect(error?.message.contains("class Ghost") == true)
                #expect(error?.message.contains("try store.prepare(Ghost.self)") == true)
                #expect(try session.space(of: Person.self).identity.liveObjects().isEmpty)
                #expect(try Person.find(1) != nil)
                #expect(throws: StoreError.self) { try Person.find(2) }
                #expect(try Employee.all().isEmpty && Person.count() == 2)
                let ann = try #require(try Person.find(1))
                _ = try file.sqlite("UPDATE person SET friend_id = 2 WHERE id = 1")
                #expect(throws: StoreError.self) { try Person.findByCriteria("WHERE id = 1") }
                #expect(ann.friend == nil && !ann.hasChanges)
            }
        }
    }

    @Test func `the error for a row of a renamed class contains the SQL that fixes it`() throws {
        try withTemporaryStore { store, file throws in
            try store.withSession { session throws in try session.save([Person(), Employee()]) }
            _ = try file.sqlite("UPDATE person SET class = 'Worker' WHERE id = 2")
            try store.withSession { session throws in
                let error = #expect(throws: StoreError.self) { try Person.all() }
                let text = try #require(error).message
                let statement = #"UPDATE "person" SET "class" = ? WHERE "class" = ?"#
                #expect(text.contains(statement) && text.contains("\"Worker\""))
                try session.execute(statement, "Employee", "Worker")
                #expect(try Person.all().map { "\(type(of: $0))" } == ["Person", "Employee"])
            }
        }
    }

    @Test func `a malicious class name in a file is shortened and escaped in the error`() throws {
        try withTemporaryStore { store, file throws in
            try store.withSession { session throws in try session.save([Person(), Employee()]) }
            _ = try file.sqlite(
                "UPDATE person SET class = 'A.B' || char(0, 10, 27) || hex(zeroblob(500000)) WHERE id = 2")
            try store.withSession { _ throws in
                let error = #expect(throws: StoreError.self) { try Person.all() }
                let text = try #require(error).message
                #expect(text.contains("A.B\\u{0}\\u{a}\\u{1b}000") && text.count < 1000)
                #expect(!text.unicodeScalars.contains { $0.value < 32 })
            }
        }
    }

    @Test func `the table of a subclass is the table of its hierarchy`() throws {
        #expect(HierarchyTanker.tableName == "hierarchy_vehicle" && HierarchyVehicle.tableName == "hierarchy_vehicle")
        #expect(Employee.tableName == "person" && Secret.tableName == "person")
        try withTemporarySession { session, _ throws in
            try HierarchyTanker().save()
            try expect(session.rows("SELECT * FROM \(HierarchyTanker.tableName)").count, 1)
        }
    }

    @Test func `a private or nested class is found by its name if the name is unique`() throws {
        let file = try TemporaryStore()
        try file.open().withSession { session throws in try session.save([Secret(), Person()]) }
        #expect(try file.sqlite("SELECT class, word FROM person") == "Secret|open\nPerson|")
        let store = try file.open()
        try store.withSession { _ throws in
            let people = try Person.all()
            #expect((people[0] as? Secret)?.word == "open" && people.count == 2)
        }
    }

    class Thing: PersistentObject {
        override class var isAbstract: Bool { true }
        var label = "none"
    }

    class Book: Thing {
        override class var isAbstract: Bool { false }
        override class var tableName: String { "book" }
        var pages = 1
        var sequel: Book?
    }

    final class Atlas: Book { var maps = 2 }

    final class Lamp: Thing {
        override class var isAbstract: Bool { false }
        override class var tableName: String { "lamp" }
        var book: Book?
    }

    @Test func `subclasses of an abstract class are roots`() throws {
        try withTemporaryStore { store, file throws in
            try store.withSession { session throws in
                let atlas = Atlas()
                atlas.label = "world"
                let lamp = Lamp()
                lamp.book = atlas
                let book = Book()
                book.sequel = atlas
                try session.save([lamp, book])
                #expect(throws: SchemaError.self) { try Thing.all() }
            }
            #expect(try file.sqlite("SELECT id, label, book_id FROM lamp") == "1|none|2")
            #expect(try file.sqlite("SELECT class, label, pages, maps FROM book") == "Book|none|1|\nAtlas|world|1|2")
            let tables = try file.sqlite("SELECT count(*) FROM sqlite_schema WHERE name LIKE '%thing%'")
            #expect(tables == "0")
            try store.withSession { _ throws in
                #expect((try Lamp.first()?.book as? Atlas)?.maps == 2)
                #expect(try Book.all().count == 2 && Atlas.all().count == 1 && Lamp.count() == 1)
                #expect(try Book.find(1)?.sequel is Atlas)
            }
        }
    }
}
