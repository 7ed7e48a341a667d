import Foundation
import PersistentObjects
import PersistentTransfer
import TestSupport
import Testing

/// Files with the tables that Core Data creates for a model with the entities Animal, Dog (a subentity of Animal),
/// Owner and Tag.
struct CoreDataFileTests {
    class Animal: PersistentObject {
        override class var tableName: String { "core_animal" }
        var name = ""
        var age: Int?
        var weight = 0.0
        var price = Decimal(0)
        var born: Date?
        var isTame = false
        var photo: Data?
        var plain: Data?
        var token: UUID?
        var link: URL?
        var nickNames: [String] = []
        var traits: [String: Int]?
        var owner: Owner?
        var tags: Set<Tag> = []
        var friends: [Animal] = []
        var added = "new"
    }

    final class Dog: Animal { var tricks = 0 }

    final class Owner: PersistentObject {
        override class var tableName: String { "core_owner" }
        var firstName = ""
        @Inverse(\Animal.owner) var animals: [Animal]
    }

    final class Keeper: PersistentObject {
        override class var tableName: String { "core_keeper" }
        var firstName = ""
        var animals: [Animal] = []
    }

    final class Tag: PersistentObject {
        override class var tableName: String { "core_tag" }
        override class var identity: Identity { .uuid }
        var label = ""
        @Inverse(\Animal.tags) var animals: [Animal]
    }

    private static let record = "F0E1D2C3-1111-4222-8333-444455556666"

    static func makeFile(_ path: String) throws {
        let names = try LegacyFileTests.archive(["Rex", "Rexi"])
        let traits = try LegacyFileTests.archive(["speed": 7])
        func external(_ uuid: String) -> String { LegacyFileTests.hex(Data([2] + Array(uuid.utf8) + [0])) }
        _ = try SQLiteTool.run(
            path,
            """
            CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
            INSERT INTO Z_PRIMARYKEY VALUES (1, 'Animal', 0, 6), (2, 'Dog', 1, 0), (3, 'Owner', 0, 2), (4, 'Tag', 0, 2),
            (5, 'Cat', 1, 0), (6, 'Log', 0, 0);
            CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
            CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB);
            CREATE TABLE ZANIMAL (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAGE INTEGER, ZISTAME INTEGER,
            ZOWNER INTEGER, Z_FOK_OWNER INTEGER, ZTRICKS INTEGER, ZBORN TIMESTAMP, ZPRICE DECIMAL, ZWEIGHT FLOAT,
            ZNAME VARCHAR, ZLINK VARCHAR, ZNICKNAMES BLOB, ZPHOTO BLOB, ZPLAIN BLOB, ZTOKEN BLOB, ZTRAITS BLOB,
            ZCOLOUR VARCHAR);
            INSERT INTO ZANIMAL VALUES
            (1, 1, 1, 3, 1, 2, 2048, NULL, 500000000.125, 12.25, 1.5, 'Tim', 'http://a.example/b', NULL,
             x'01AABB', x'0102', x'6BA7B8109DAD41D180B400C04FD430C8', NULL, 'red'),
            (2, 2, 1, NULL, 0, 2, 1024, 5, NULL, NULL, NULL, 'Rex', NULL, \(names), \(external(record)), x'FF', NULL,
             \(traits), NULL),
            (4, 1, 1, NULL, NULL, 99, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
             \(external("00000000-0000-4000-8000-000000000000")), NULL, NULL, NULL, NULL),
            (6, 5, 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'Mia', NULL, NULL, NULL, NULL, NULL, NULL, NULL);
            CREATE TABLE ZOWNER (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZFIRSTNAME VARCHAR);
            INSERT INTO ZOWNER VALUES (1, 3, 1, 'Ann'), (2, 3, 1, 'Joe');
            CREATE TABLE ZTAG (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZLABEL VARCHAR);
            INSERT INTO ZTAG VALUES (1, 4, 1, 'big'), (2, 4, 1, 'old');
            CREATE TABLE Z_1TAGS (Z_1ANIMALS INTEGER, Z_4TAGS INTEGER, PRIMARY KEY (Z_1ANIMALS, Z_4TAGS));
            INSERT INTO Z_1TAGS VALUES (1, 1), (1, 2), (2, 2);
            CREATE TABLE Z_1FRIENDS (Z_1FRIENDS INTEGER, Z_1FRIENDS1 INTEGER, Z_FOK_1FRIENDS INTEGER,
            PRIMARY KEY (Z_1FRIENDS, Z_1FRIENDS1));
            INSERT INTO Z_1FRIENDS VALUES (4, 1, 2048), (2, 1, 1024), (1, 2, 1024);
            CREATE TABLE Z_3PARKS (Z_3OWNERS INTEGER, Z_4PARKS INTEGER);
            CREATE TABLE ZLOG (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER);
            """)
        let folder = URL(filePath: path).deletingLastPathComponent().appending(path: ".Model_SUPPORT/_EXTERNAL_DATA")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data([9, 8, 7]).write(to: folder.appending(path: record))
    }

    private static func withFile(_ body: (Store, String) throws -> Void) throws {
        try withTemporaryStore { store, file in
            let path = file.folder.appending(path: "Model.sqlite").path
            try makeFile(path)
            let before = try Data(contentsOf: URL(filePath: path))
            try body(store, path)
            try expect(Data(contentsOf: URL(filePath: path)), before)
        }
    }

    @Test func `attributes and relationships of all types are converted`() throws {
        try CoreDataFileTests.withFile { store, path in
            let report = try store.importCoreData(from: path, Animal.self, Dog.self, Owner.self, Tag.self)
            #expect(report.converted == ["Animal": 2, "Dog": 1, "Owner": 2, "Tag": 2])
            try store.withSession { _ throws in
                let tim = try Animal.findOnlyBy.name("Tim")
                #expect(tim.id == 1 && tim.age == 3 && tim.weight == 1.5 && tim.price == Decimal(string: "12.25"))
                #expect(tim.born == Date(timeIntervalSinceReferenceDate: 500_000_000.125) && tim.isTame)
                #expect(tim.photo == Data([0xAA, 0xBB]) && tim.plain == Data([1, 2]))
                #expect(tim.token?.uuidString == "6BA7B810-9DAD-41D1-80B4-00C04FD430C8")
                #expect(tim.link?.absoluteString == "http://a.example/b" && tim.traits == nil && tim.added == "new")
                let rex = try #require(try Animal.findOnlyBy.name("Rex") as? Dog)
                #expect(rex.tricks == 5 && rex.nickNames == ["Rex", "Rexi"] && rex.traits == ["speed": 7])
                #expect(rex.photo == Data([9, 8, 7]) && rex.plain == Data([255]) && rex.price == 0 && rex.age == nil)
                let joe = try Owner.findOnlyBy.firstName("Joe")
                #expect(tim.owner === joe && rex.owner === joe && Set(joe.animals) == [tim, rex])
                #expect(Set(tim.tags.map(\.label)) == ["big", "old"] && rex.tags.map(\.label) == ["old"])
                #expect(tim.tags.allSatisfy { UUID(uuidString: $0.key ?? "") != nil })
                // The list is ordered and is read from the side that the columns name.
                #expect(tim.friends.map(\.id) == [2, 4] && rex.friends == [tim])
            }
        }
    }

    @Test func `skipped rows and omitted values are reported with table, row and reason`() throws {
        try CoreDataFileTests.withFile { store, path in
            var told: [String] = []
            let report = try store.importCoreData(from: path, Animal.self, Dog.self, Owner.self, Tag.self) {
                told.append("\($0)")
            }
            #expect(
                report.skipped.map { "\($0)" } == [
                    "table ZANIMAL, row 6: There is no class for the entity Cat. Name its class in the call, too"
                ])
            let leftOut = report.leftOut.map { "\($0)" }
            #expect(leftOut.count == 2 && told.count == 3, "\(leftOut)")
            #expect(
                leftOut.contains {
                    $0.hasPrefix("table ZANIMAL, row 4: Animal.photo: The file that contains the value does not")
                })
            #expect(
                leftOut.contains { $0.hasPrefix("Animal.owner #4: The object refers to Owner #99, which is neither") })
            #expect(report.unusedColumns == ["ZANIMAL.ZCOLOUR", "ZLOG", "Z_3PARKS"])
            #expect(report.unfilledProperties == ["Animal.added", "Dog.added"])
        }
    }

    @Test func `a class can be imported alone, without its references to other classes`() throws {
        try CoreDataFileTests.withFile { store, path in
            let report = try store.importCoreData(from: path, Owner.self)
            #expect(report.converted == ["Owner": 2] && report.skipped.isEmpty && report.leftOut.isEmpty)
            let animals = try store.importCoreData(from: path, Animal.self)
            // Dog is found by its name, but there is no class named Cat.
            #expect(animals.skipped.map { $0.table } == ["ZANIMAL"] && animals.converted == ["Animal": 2, "Dog": 1])
            expect(Set(animals.leftOut.map(\.property)), ["owner", "tags", "photo"])
            try store.withSession { _ throws in
                let tim = try Animal.findOnlyBy.name("Tim")
                #expect(tim.owner == nil && tim.tags.isEmpty)
                expect(tim.friends.map { String(describing: type(of: $0)) }, ["Dog", "Animal"])
            }
        }
    }

    @Test func `a mapping can specify entities, columns, the other side of lists, and inline data`() throws {
        try CoreDataFileTests.withFile { store, path in
            let mapping = ForeignMapping(
                entities: ["Keeper": "Owner"],
                columns: ["Keeper.animals": "ZOWNER", "Animal.added": "ZCOLOUR"], inlineData: ["Animal.photo"])
            let report = try store.importCoreData(from: path, Keeper.self, Animal.self, Dog.self, mapping: mapping)
            #expect(report.unusedColumns.contains("ZTAG") && !report.unusedColumns.contains("ZANIMAL.ZCOLOUR"))
            try store.withSession { _ throws in
                let joe = try Keeper.findOnlyBy.firstName("Joe")
                expect(joe.animals.map(\.name), ["Rex", "Tim"])
                let tim = try Animal.findOnlyBy.name("Tim")
                #expect(tim.photo == Data([1, 0xAA, 0xBB]) && tim.added == "red")
            }
        }
    }

    @Test func `a second import adds separate objects with their own references`() throws {
        try CoreDataFileTests.withFile { store, path in
            for _ in 0..<2 { try store.importCoreData(from: path, Animal.self, Dog.self, Owner.self, Tag.self) }
            try store.withSession { _ throws in
                let tims = try Animal.where { $0.name == "Tim" }.order(by: \.weight).all()
                #expect(tims.count == 2 && tims[0].owner !== tims[1].owner)
                #expect(tims.allSatisfy { $0.owner?.firstName == "Joe" && $0.friends.count == 2 })
                #expect(try Tag.count() == 4)
            }
        }
    }

    @Test func `a file without Core Data's tables or without the entity throws`() throws {
        try CoreDataFileTests.withFile { store, path in
            let error = try #require(throws: TransferError.self) {
                try store.importCoreData(from: path, LegacyFileTests.Shop.self)
            }
            #expect("\(error)".contains("no entity \"Shop\" for the class"))
            let other = URL(filePath: path).deletingLastPathComponent().appending(path: "other.sqlite").path
            _ = try SQLiteTool.run(other, "CREATE TABLE ZOWNER (Z_PK INTEGER)")
            let none = try #require(throws: TransferError.self) { try store.importCoreData(from: other, Owner.self) }
            #expect("\(none)".contains("not written by Core Data"))
        }
    }

    @Test func `a cycle of entities ends, and external file names cannot leave their folder`() throws {
        try CoreDataFileTests.withFile { store, path in
            let bad = URL(filePath: path).deletingLastPathComponent().appending(path: "bad.sqlite").path
            try FileManager.default.copyItem(atPath: path, toPath: bad)
            _ = try SQLiteTool.run(
                bad,
                """
                UPDATE Z_PRIMARYKEY SET Z_SUPER = 3 WHERE Z_ENT = 3;
                UPDATE ZANIMAL SET ZPHOTO = CAST(x'02' || '../../../../../../../../etc/passwd/x' AS BLOB)
                WHERE Z_PK = 2;
                """)
            let report = try store.importCoreData(from: bad, Animal.self, Dog.self, Owner.self, Tag.self)
            expect(report.converted["Owner"], 2)
            #expect(report.leftOut.contains { $0.message.contains("is not a UUID") }, "\(report)")
        }
    }
}
