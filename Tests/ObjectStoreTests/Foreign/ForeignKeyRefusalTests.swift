import TestSupport
import Testing

@testable import PersistentObjects

/// Keys of existing tables that identify no row.
struct ForeignKeyRefusalTests {
    final class Part: PersistentObject {
        override class var tableName: String { "Part" }
        override class var origin: TableOrigin { .existing }
        override class var primaryKey: [AnyKeyPath] { [\Part.maker, \Part.number] }
        @Column("Maker") var maker = ""
        @Column("Number") var number = 0
    }

    final class Order: PersistentObject {
        override class var tableName: String { "Orders" }
        override class var origin: TableOrigin { .existing }
        @Column("Part") var part: Part?
    }

    final class Mark: PersistentObject {
        override class var tableName: String { "Marks" }
        override class var origin: TableOrigin { .existing }
        override class var primaryKey: [AnyKeyPath] { [\Mark.height] }
        @Column("Height") var height = 0.0
    }

    @Test func `a find by a NaN key is an error with class and property`() throws {
        try SampleFile.with("CREATE TABLE Marks (Height REAL PRIMARY KEY); INSERT INTO Marks VALUES (1.5)") {
            session, _ throws in
            #expect(try Mark.find(key: 1.5)?.height == 1.5)
            let error = #expect(throws: StoreError.self) { try Mark.find(key: Double.nan) }
            #expect(error?.code == .notRepresentable && error?.className == "Mark" && error?.property == "height")
            withExtendedLifetime(session) {}
        }
    }

    final class Region: PersistentObject {
        override class var tableName: String { "Region" }
        override class var origin: TableOrigin { .existing }
        override class var primaryKey: [AnyKeyPath] { [\Region.code] }
        @Column("Code") var code = ""
        @Column("Parent") var parent: Region? = nil
    }

    @Test func `if a trigger refuses the keys of a ring, the error has class, property and row`() throws {
        try SampleFile.with(
            """
            CREATE TABLE Region (Code TEXT PRIMARY KEY, Parent TEXT REFERENCES Region (Code));
            CREATE TRIGGER keep BEFORE UPDATE ON Region BEGIN SELECT RAISE(ABORT, 'as it was'); END
            """
        ) { session, file throws in
            let (north, south) = (Region(), Region())
            (north.code, south.code) = ("N", "S")
            (north.parent, south.parent) = (south, north)
            let error = #expect(throws: StoreError.self) { try north.save() }
            #expect(error?.className == "Region" && error?.property == "parent" && error?.rowID != nil)
            #expect(error?.message.contains("as it was") == true, "\(String(describing: error))")
            #expect(north.id == nil && south.id == nil)
            #expect(try file.sqlite("SELECT count(*) FROM Region") == "0")
            withExtendedLifetime(session) {}
        }
    }

    @Test func `a reference to a composite key needs as many columns, and the error names them`() throws {
        try SampleFile.with(
            """
            CREATE TABLE Part (Maker TEXT NOT NULL, Number INTEGER NOT NULL, PRIMARY KEY (Maker, Number));
            CREATE TABLE Orders (ID INTEGER PRIMARY KEY, Part TEXT)
            """
        ) { session, _ throws in
            let error = #expect(throws: SchemaError.self) { try Order.all() }
            guard case .tableDiffers("Order", "Orders", let differences)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(
                differences.contains {
                    $0.hasPrefix("part is stored in Part, but the key of Part is Maker, Number. Name a column for each")
                }, "\(differences)")
            withExtendedLifetime(session) {}
        }
    }
}
