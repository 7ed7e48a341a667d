import TestSupport
import Testing

@testable import PersistentObjects

/// Two subclasses with a property of the same name share its column; new names do not take values from the other class,
/// and an older program does not read the values of another property.
struct SharedNameTests {
    enum V1 {
        class Document: PersistentObject { override class var tableName: String { "shared_document" } }
        final class Letter: Document { var note = "" }
        final class Invoice: Document {
            var note = ""
            var words: [String] = []
        }
        final class Memo: Document { var words: [String] = [] }
    }
    /// One of two classes renames the property, and a class is gone.
    enum V2 {
        class Document: PersistentObject { override class var tableName: String { "shared_document" } }
        final class Letter: Document { var note = "" }
        final class Invoice: Document {
            @Column("remark", renamedFrom: "note") var remark = ""
            var words: [String] = []
        }
        final class Memo: Document { @Column("terms", renamedFrom: "words") var terms: [String] = [] }
    }
    /// The copy that the error advises.
    enum Copied {
        class Document: PersistentObject { override class var tableName: String { "shared_document" } }
        final class Letter: Document { var note = "" }
        final class Invoice: Document {
            override class var conversions: [PropertyConversion] {
                [PropertyConversion(\Copied.Invoice.remark, from: "note") { (note: String) in note }]
            }
            var remark = ""
            var words: [String] = []
        }
    }
    /// Both classes rename the property in the same way.
    enum Both {
        class Document: PersistentObject { override class var tableName: String { "shared_document" } }
        final class Letter: Document { @Column("remark", renamedFrom: "note") var remark = "" }
        final class Invoice: Document {
            @Column("remark", renamedFrom: "note") var remark = ""
            var words: [String] = []
        }
    }

    private func open(_ file: TemporaryStore, _ body: (Store) throws -> Void) throws {
        let store = try Store(file.path, configuration: .init(onNote: { _ in }))
        defer { store.close() }
        try store.withSession { _ in try body(store) }
    }

    private func rows(_ file: TemporaryStore, _ table: String) throws -> [String] {
        var rows: [String] = []
        try open(file) { store in
            try store.withSession { session in
                rows = try session.rows("SELECT * FROM \(table) ORDER BY id").map { "\($0)" }
            }
        }
        return rows
    }

    private func filled() throws -> TemporaryStore {
        let file = try TemporaryStore()
        try open(file) { _ in
            let (letter, invoice, memo) = (V1.Letter(), V1.Invoice(), V1.Memo())
            (letter.note, invoice.note, invoice.words, memo.words) = ("letter", "invoice", ["a"], ["b"])
            for document in [letter, invoice, memo] { try document.save() }
        }
        return file
    }

    @Test(arguments: [V2.Letter.self, V2.Invoice.self] as [PersistentObject.Type])
    func `a column that another class uses is not renamed`(first: PersistentObject.Type) throws {
        let file = try filled()
        try open(file) { store in
            let error = try #require(throws: SchemaError.self) { try store.prepare(first, V2.Invoice.self) }
            guard case .unsupportedChange("Invoice", "remark", let reason) = error else { throw error }
            let advice = #"PropertyConversion(\Invoice.remark, from: "note") { (value: String) in value }"#
            #expect(reason.contains("Letter") && reason.contains(advice), "\(reason)")
        }
        try open(file) { _ in
            try expect(Copied.Invoice.query.single().remark, "invoice")
            try expect(Copied.Letter.query.single().note, "letter")
        }
    }

    @Test func `a collection's table that another class uses is not renamed`() throws {
        let file = try filled()
        try open(file) { _ in
            let error = try #require(throws: SchemaError.self) { try V2.Memo.count() }
            guard case .unsupportedChange("Memo", "terms", let reason) = error else { throw error }
            #expect(reason.contains("Invoice") && reason.contains("store.migrate"))
            try expect(V1.Memo.query.single().words, ["b"])
        }
    }

    @Test func `classes that rename a property in the same way keep their values`() throws {
        let file = try filled()
        try open(file) { _ in
            try expect(Both.Invoice.query.single().remark, "invoice")
            try expect(Both.Letter.query.single().remark, "letter")
        }
    }

    enum Named {
        class Person: PersistentObject {
            override class var tableName: String { "rooted_person" }
            var name = ""
        }
        final class Worker: Person { var job = "" }
    }
    enum Renamed {
        class Human: PersistentObject {
            override class var tableName: String { "rooted_human" }
            override class var formerTableNames: [String] { ["rooted_person"] }
            var name = ""
        }
        final class Worker: Human { var job = "" }
    }

    @Test func `the rows of a root that is renamed with its table are found`() throws {
        let file = try TemporaryStore()
        try open(file) { _ in
            for person in [Named.Person(), Named.Worker()] { try person.save() }
        }
        for _ in 1...2 {
            try open(file) { store in
                let all = try Renamed.Human.query.order(by: \.id).all()
                #expect(all.map { "\(type(of: $0))" } == ["Human", "Worker"])
                #expect(try store.schemaPlan(for: Renamed.Human.self, Renamed.Worker.self).isEmpty)
            }
        }
    }

    enum Filling {
        final class Listed: PersistentObject {
            override class var conversions: [PropertyConversion] {
                [PropertyConversion(\Listed.words, from: "text") { (text: String) in [text] }]
            }
            var words: [String] = []
        }
        struct Address: Codable, Equatable { var city = "" }
        final class Housed: PersistentObject {
            override class var conversions: [PropertyConversion] {
                [PropertyConversion(\Housed.home, from: "city") { (city: String) in Address(city: city) }]
            }
            @Embedded var home = Address()
        }
    }

    @Test func `conversions to collections and embedded values are refused`() throws {
        try withTemporarySession { session, _ in
            let refused: [(PersistentObject.Type, String)] = [
                (Filling.Listed.self, "words"), (Filling.Housed.self, "home"),
            ]
            for (type, property) in refused {
                let error = try #require(throws: SchemaError.self) { try session.store.prepare(type) }
                guard case .unsupportedChange("\(type)", property, let reason) = error else { throw error }
                #expect(reason.contains("store.migrate"))
            }
        }
    }

    enum Old {
        final class Item: PersistentObject {
            override class var tableName: String { "exchanged_item" }
            var a = "A"
            var b = "B"
        }
        final class Number: PersistentObject {
            override class var tableName: String { "exchanged_number" }
            @Unique var a = 0
        }
    }
    enum Exchanged {
        final class Item: PersistentObject {
            override class var tableName: String { "exchanged_item" }
            @Column("b", renamedFrom: "a") var x = "A"
            @Column("a", renamedFrom: "b") var y = "B"
        }
    }
    enum Reused {
        final class Item: PersistentObject {
            override class var tableName: String { "exchanged_item" }
            @Column("c", renamedFrom: "a") var x = "A"
            var a = "new"
            var b = "B"
        }
        final class Number: PersistentObject {
            override class var tableName: String { "exchanged_number" }
            @Unique @Column("b", renamedFrom: "a") var b = 0
        }
    }

    @Test(arguments: [Exchanged.Item.self, Reused.Item.self, Reused.Number.self] as [PersistentObject.Type])
    func `a program whose names mean other properties now is an older version`(newer: PersistentObject.Type) throws {
        let older = newer == Reused.Number.self ? Old.Number.self : Old.Item.self as PersistentObject.Type
        let file = try TemporaryStore()
        try open(file) { store in
            for number in 1...2 {
                let object = older.init()
                (object as? Old.Number)?.a = number
                try object.save()
            }
        }
        try open(file) { store in try store.prepare(newer) }
        let before = try rows(file, older.tableName)
        expect(before.count, 2)
        try open(file) { store in
            let error = try #require(throws: SchemaError.self) { try store.prepare(older) }
            guard case .olderVersion("\(older)", let changes, _, _) = error else { throw error }
            #expect(changes.count == 1)
        }
        try expect(rows(file, older.tableName), before)
    }
}
