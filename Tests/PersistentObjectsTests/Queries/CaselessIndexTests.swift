import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Case-insensitive indexes over strings, and the queries that use them.
struct CaselessIndexTests {
    final class Account: PersistentObject {
        override class var tableName: String { "caseless_account" }
        override class var indexes: [Index] { [Index(ignoringCase: \Account.email)] }
        var email = ""
        var name: String?
        var inviter: Account?
        convenience init(_ email: String) {
            self.init()
            self.email = email
            name = email
        }
    }
    final class Login: PersistentObject {
        override class var tableName: String { "caseless_login" }
        override class var indexes: [Index] { [Index(ignoringCase: \Login.name, unique: true)] }
        var name = ""
        var text = ""
        convenience init(_ name: String) {
            self.init()
            self.name = name
        }
    }
    final class Shop: PersistentObject {
        struct Address: Codable { var city = "" }
        override class var tableName: String { "caseless_shop" }
        override class var indexes: [Index] { [Index(ignoringCase: \Shop.address.city)] }
        @Embedded var address = Address()
        var owner: Account?
    }
    final class Wrong: PersistentObject {
        override class var indexes: [Index] { [Index(ignoringCase: \Wrong.number)] }
        var number = 0
    }
    enum Later {
        final class Account: PersistentObject {
            override class var tableName: String { "caseless_account" }
            override class var indexes: [Index] { [Index(ignoringCase: \Account.address)] }
            @Column("address", renamedFrom: "email") var address = ""
        }
    }

    /// Characters that lowercasing, combining marks and normalization can turn into one another.
    private static let parts = [
        "a", "A", "k", "K", "\u{212A}", "i", "I", "\u{130}", "ı", "s", "ſ", "ß", "SS", "é", "e\u{301}", "E\u{301}", "É",
        "\u{301}", "\u{307}", "å", "\u{212B}", "Å", ";", "\u{37E}", "`", "\u{1FEF}", "@", "[", "Z", "{", "~", "\u{7F}",
        "\u{80}", "Ω", "\u{2126}", "ω", "Σ", "ς", "σ", "й", "И\u{306}", "Й", "<", "\u{226E}", "<\u{338}", "=",
        "\u{2260}", "日", "한", "\u{1112}\u{1161}\u{11AB}", "😀", " ", "_", "%",
    ]

    private func text(_ random: inout SeededGenerator) -> String {
        (0..<Int.random(in: 0...4, using: &random)).map { _ in Self.parts.randomElement(using: &random) ?? "" }
            .joined()
    }

    @Test(arguments: SeededGenerator.seeds(2))
    func `case-insensitive queries find what Swift finds, with and without the index`(seed: UInt64) throws {
        try withTemporarySession { session, _ in
            var random = SeededGenerator(seed: seed)
            let all = (0..<600).map { _ in Account(text(&random)) }
            for account in all { account.name = account.email }
            try session.save(all)
            for _ in 0..<Scale.rounds(200) {
                let wanted = text(&random)
                let small = wanted.lowercased()
                let ids = all.filter { $0.email.lowercased() == small }.map(\.id)
                try expect(Account.findByEmailIgnoreCase(wanted).map(\.id), ids, "\(Array(wanted.unicodeScalars))")
                try expect(Account.findByNameIgnoreCase(wanted).map(\.id), ids, "\(Array(wanted.unicodeScalars))")
                let found = try Account.where { $0.email.isEqual(to: wanted, ignoringCase: true) }.all()
                expect(found.map(\.id), ids, "\(Array(wanted.unicodeScalars))")
                let others = try Account.where { !$0.email.isEqual(to: wanted, ignoringCase: true) }.count()
                expect(others, all.count - ids.count)
                let prefix = try Account.where { $0.email.hasPrefix(wanted, ignoringCase: true) }.ids()
                let scan = try Account.where { ($0.email + "").hasPrefix(wanted, ignoringCase: true) }.ids()
                expect(prefix, scan, "\(Array(wanted.unicodeScalars))")
            }
        }
    }

    @Test(.onSQLite("PostgreSQL does not explain queries yet"))
    func `finders and conditions use the case-insensitive index`() throws {
        try withTemporarySession { session, _ in
            try session.save((0..<500).map { Account("N\($0)@example.com") })
            try expect(Account.findFirstByEmailIgnoreCase("n77@EXAMPLE.com")?.email, "N77@example.com")
            try expect(Account.countByEmailStartingWithIgnoreCase("n49"), 11)
            try expect(Account.findByEmailIgnoreCaseOrEmailIgnoreCase("n1@example.com", "N2@example.com").count, 2)
            for plan in try [
                Account.where { $0.email.isEqual(to: "n77@example.com", ignoringCase: true) }.explain(),
                Account.where { $0.email.hasPrefix("n77", ignoringCase: true) }.explain(),
            ] { #expect("\(plan)".contains("caseless_account.email."), "\(plan)") }
        }
    }

    @Test func `embedded fields can have a case-insensitive index, and references can be compared`() throws {
        try withTemporarySession { session, _ in
            let ann = Account("Ann@example.com")
            for city in ["Graz", "GRAZ", "Kiel"] {
                let shop = Shop()
                (shop.address.city, shop.owner) = (city, ann)
                try shop.save()
            }
            try expect(Shop.where { $0.address.city.isEqual(to: "graz", ignoringCase: true) }.count(), 2)
            try expect(Shop.where { $0.address.city.hasPrefix("KI", ignoringCase: true) }.count(), 1)
            try expect(Shop.where { $0.owner.email.isEqual(to: "ANN@EXAMPLE.COM", ignoringCase: true) }.count(), 3)
            try expect(Shop.where { $0.owner.email.isEqual(to: "bob", ignoringCase: true) }.count(), 0)
        }
    }

    @Test(.onSQLite("PostgreSQL does not explain queries yet"))
    func `the case-insensitive index over an embedded field is used`() throws {
        try withTemporarySession { _, _ in
            let plan = try Shop.where { $0.address.city.isEqual(to: "graz", ignoringCase: true) }.explain()
            #expect(plan.contains("USING INDEX caseless_shop.address_city."), "\(plan)")
        }
    }

    @Test func `a unique case-insensitive index rejects strings that differ only by case and names the property`()
        throws
    {
        try withTemporarySession { session, _ in
            let ann = Login("Ann")
            try ann.save()
            let other = Login("aNN")
            let error = #expect(throws: StoreError.self) { try other.save() }
            #expect(error?.code == .notUnique && error?.property == "name", "\(String(describing: error))")
            other.name = "Anna"
            try other.save()
            // Both names are exchanged in one save.
            (ann.name, other.name) = ("ANNA", "ANN")
            try session.saveChanges()
            #expect(try Login.findOnlyByNameIgnoreCase("anna") === ann)
            #expect(throws: (any Error).self) { try session.upsert(Login("ann"), on: \.name) }
            try expect(Login.count(), 2)
        }
    }

    @Test func `a renamed property keeps its index, and an index on a non-string property throws`() throws {
        let file = try TemporaryStore()
        for isLater in [false, true] {
            let store = try Store(file.path)
            try store.withSession { session in
                guard isLater else { return try Account("Ann").save() }
                #expect(try Later.Account.findByAddressIgnoreCase("ANN").count == 1)
                #expect(try session.store.schemaPlan(for: Later.Account.self).isEmpty)
            }
            store.close()
        }
        try withTemporarySession { _, _ in
            let error = #expect(throws: SchemaError.self) { try Wrong().save() }
            #expect("\(String(describing: error))".contains("number is not a String"))
        }
    }

    @Test(.onSQLite("another program is SQLite's command line"))
    func `other programs can write the table, and queries find their rows`() throws {
        try withTemporarySession { session, file in
            try Account("Ann").save()
            _ = try file.sqlite("INSERT INTO caseless_account (email) VALUES ('BOB'), ('\u{212A}irk'), ('kirk')")
            try expect(Account.findByEmailIgnoreCase("bob").count, 1)
            try expect(Account.findByEmailIgnoreCase("KIRK").count, 2)
            try expect(file.sqlite("PRAGMA integrity_check"), "ok")
        }
    }
}
