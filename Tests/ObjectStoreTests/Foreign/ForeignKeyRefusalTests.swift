import TestSupport
import Testing

@testable import PersistentObjects

/// Keys of tables of others that name no row.
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

    @Test func `a reference by a key of several columns needs as many, and the error names them`() throws {
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
                    $0.hasPrefix("part stands in Part, but a Part is named by Maker, Number; name a column for each")
                }, "\(differences)")
            withExtendedLifetime(session) {}
        }
    }
}
