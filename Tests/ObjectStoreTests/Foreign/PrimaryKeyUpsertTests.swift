import PersistentObjects
import TestSupport
import Testing

/// Upserts and insertions of missing objects by the primary key of an existing table, which has no `@Unique`.
@Suite(.onSQLite("the tables are SQLite's"))
struct PrimaryKeyUpsertTests {
    final class Country: PersistentObject {
        override class var tableName: String { "Countries" }
        override class var origin: TableOrigin { .existing }
        override class var primaryKey: [AnyKeyPath] { [\Country.code] }
        @Column("Code") var code = ""
        @Column("Name") var name = ""

        convenience init(_ code: String, _ name: String) {
            self.init()
            (self.code, self.name) = (code, name)
        }
    }

    final class Price: PersistentObject {
        override class var tableName: String { "Prices" }
        override class var origin: TableOrigin { .existing }
        override class var primaryKey: [AnyKeyPath] { [\Price.country, \Price.year] }
        @Column("Country") var country: Country? = nil
        @Column("Year") var year = 0
        @Column("Amount") var amount = 0

        convenience init(_ country: Country, _ year: Int, _ amount: Int) {
            self.init()
            (self.country, self.year, self.amount) = (country, year, amount)
        }
    }

    private func withTables(_ body: (Session, TemporaryStore) throws -> Void) throws {
        let file = try TemporaryStore()
        _ = try file.sqlite(
            """
            CREATE TABLE Countries (Code TEXT PRIMARY KEY, Name TEXT);
            CREATE TABLE Prices (Country TEXT REFERENCES Countries, Year INTEGER, Amount INTEGER,
                PRIMARY KEY (Country, Year));
            INSERT INTO Countries VALUES ('AT', 'Austria');
            INSERT INTO Prices VALUES ('AT', 2024, 1);
            """)
        let store = try Store(file.path)
        defer { store.close() }
        try store.withSession { try body($0, file) }
    }

    @Test func `an upsert by a string key updates the row and inserts others`() throws {
        try withTables { session, file in
            let saved = try session.upsert([Country("AT", "Österreich"), Country("DE", "Germany")], on: \.code)
            #expect(try saved[0] === Country.find(key: "AT") && saved[0].name == "Österreich")
            try session.insertMissing([Country("DE", "none"), Country("FR", "France")], on: \.code)
            try expect(
                file.sqlite("SELECT * FROM Countries ORDER BY Code"), "AT|Österreich\nDE|Germany\nFR|France")
        }
    }

    @Test func `an upsert by a key of a reference and a number, in any order`() throws {
        try withTables { session, file in
            let austria = try #require(try Country.find(key: "AT"))
            let first = try #require(try Price.find(key: "AT", 2024))
            #expect(try session.upsert(Price(austria, 2024, 5), on: \.year, \.country) === first)
            try session.upsert(Price(austria, 2025, 6), on: \.country, \.year)
            expect(first.amount, 5)
            try expect(file.sqlite("SELECT * FROM Prices ORDER BY Year"), "AT|2024|5\nAT|2025|6")
        }
    }

    @Test func `a part of the key identifies no row`() throws {
        try withTables { session, _ in
            let austria = try #require(try Country.find(key: "AT"))
            let error = #expect(throws: StoreError.self) { try session.upsert(Price(austria, 2024, 5), on: \.year) }
            #expect(error?.message.contains("as @Unique or primaryKey declares it") == true, "\(error as Any)")
        }
    }
}
