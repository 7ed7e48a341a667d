import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Schema plans, kept and dropped data, and refused changes.
struct PlanTests {
    enum Old {
        final class Person: PersistentObject {
            override class var tableName: String { "person" }
            @Unique var name = ""
            @Indexed var nick = "n"
            var age = 1
            var tags: [String] = ["t"]
            var gone: [Int] = [1]
        }
    }
    enum New {
        final class Person: PersistentObject {
            override class var tableName: String { "person" }
            var name = ""
            @Unique var token = UUID()
            var age: String?
            var tags: Set<String> = []
        }
    }

    private func file() throws -> TemporaryStore {
        let file = try TemporaryStore()
        let store = try Store(file.path)
        defer { store.close() }
        try store.withSession { session throws in
            let people = (0..<5).map { _ in Old.Person() }
            for (index, person) in people.enumerated() { person.name = "\(index)" }
            try session.save(people)
        }
        return file
    }

    @Test func `a plan lists all changes and changes nothing; running it makes the listed changes`() throws {
        let file = try file()
        let before = try file.sqlite(".dump")
        let store = try Store(file.path)
        defer { store.close() }
        let plan = try store.schemaPlan(for: New.Person.self)
        #expect(try file.sqlite(".dump") == before)
        #expect(!plan.isEmpty && plan.losses.isEmpty && plan.rowCount >= 10 && plan.estimatedDuration > .zero)
        #expect(plan.changes.contains { $0.property == "age" && $0.rows == 5 && $0.summary.contains("TEXT") })
        #expect(plan.statements.contains { $0.contains("ADD COLUMN \"token\"") })
        #expect(
            plan.leftBehind.contains { $0.contains("nick") } && plan.leftBehind.contains { $0.contains("person_gone") })
        #expect("\(plan)".contains("Person.age") && "\(plan)".contains("ALTER TABLE"))
        let told = Recorder<String>()
        try store.run(plan) { told.add($0.change) }
        #expect(Set(told.all) == Set(plan.changes.map(\.summary)))
        #expect(try store.schemaPlan(for: New.Person.self).isEmpty)
        try store.withSession { _ throws in
            let people = try New.Person.all()
            #expect(people.map(\.age) == Array(repeating: "1", count: 5) && Set(people.map(\.token)).count == 5)
            #expect(people.allSatisfy { $0.tags == ["t"] })
            people[0].name = "1"
            try people[0].save()
        }
        #expect(try file.sqlite("SELECT DISTINCT nick FROM person; SELECT count(*) FROM person_gone") == "n\n5")
    }

    @Test func `unused columns and tables are dropped only on request, and the plan lists the losses`() throws {
        let file = try file()
        let store = try Store(file.path, configuration: .init(onNote: { _ in }))
        defer { store.close() }
        try store.prepare(New.Person.self)
        try expect(file.sqlite("SELECT count(*) FROM pragma_table_info('person') WHERE name = 'nick'"), "1")
        let plan = try store.schemaPlan(for: New.Person.self, changes: .dropping)
        #expect(plan.losses.count == 2 && plan.losses[0].contains("nick") && plan.losses[1].contains("person_gone"))
        try store.run(plan)
        try expect(file.sqlite("SELECT count(*) FROM pragma_table_info('person') WHERE name = 'nick'"), "0")
        try expect(file.sqlite("SELECT count(*) FROM sqlite_schema WHERE name = 'person_gone'"), "0")
        try store.withSession { _ throws in try expect(New.Person.count(), 5) }
        try expect(file.sqlite("PRAGMA integrity_check; PRAGMA foreign_key_check"), "ok")
    }

    @Test func `a plan is refused if the file changed since`() throws {
        let file = try file()
        let store = try Store(file.path)
        defer { store.close() }
        let plan = try store.schemaPlan(for: New.Person.self)
        _ = try file.sqlite("ALTER TABLE person ADD COLUMN other TEXT")
        let error = #expect(throws: SchemaError.self) { try store.run(plan) }
        expect(error, .planOutdated(className: "Person"))
    }

    @Test func `with schemaChanges .refused, a difference is an error that lists the changes`() throws {
        let file = try file()
        let before = try file.sqlite(".dump")
        let store = try Store(file.path, configuration: .init(schemaChanges: .refused))
        defer { store.close() }
        let error = #expect(throws: SchemaError.self) { try store.withSession { _ throws in _ = try New.Person.all() } }
        guard case .changesRefused("Person", let changes)? = error else { throw error ?? .isAbstract(className: "") }
        #expect(changes.contains { $0.contains("token") } && changes.contains { $0.contains("\"age\"") })
        #expect(try file.sqlite(".dump") == before)
        try store.withSession { _ throws in #expect(try Old.Person.count() == 5) }
    }

    enum Equal {
        final class Person: PersistentObject {
            override class var tableName: String { "person" }
            @Unique var nick = ""
        }
    }

    @Test func `duplicate values are listed, with the values if the configuration allows it`() throws {
        let file = try file()
        for (isShown, wanted) in [(false, "5 rows from 1 to 5"), (true, "\"n\" in 5 rows from 1 to 5")] {
            let store = try Store(file.path, configuration: .init(showsValuesInErrors: isShown, onNote: { _ in }))
            defer { store.close() }
            let error = #expect(throws: SchemaError.self) { try store.prepare(Equal.Person.self) }
            #expect(error == .notUnique(className: "Person", index: "person.nick.unique", rows: [wanted]))
        }
    }

    enum Exchanged {
        final class Person: PersistentObject {
            override class var tableName: String { "person" }
            @Column("nick", renamedFrom: "name") var name = ""
            @Column("name", renamedFrom: "nick") var nick = ""
        }
    }

    @Test func `swapped column names are swapped once, which the file records`() throws {
        let file = try file()
        for _ in 0..<3 {
            let store = try Store(file.path, configuration: .init(onNote: { _ in }))
            defer { store.close() }
            try store.withSession { _ throws in
                try expect(Exchanged.Person.query.order(by: \.id).all().map(\.name), ["0", "1", "2", "3", "4"])
                try expect(Set(Exchanged.Person.all().map(\.nick)), ["n"])
            }
        }
    }

    enum First {
        class Animal: PersistentObject { override class var tableName: String { "animal" } }
        final class Cat: Animal { var lives = 9 }
        final class Dog: Animal { var tricks = 1 }
        final class Left: PersistentObject {
            override class var tableName: String { "left_one" }
            var name = "left"
        }
        final class Right: PersistentObject {
            override class var tableName: String { "right_one" }
            var name = "right"
        }
    }
    enum Second {
        class Animal: PersistentObject { override class var tableName: String { "animal" } }
        final class Dog: Animal {
            override class var formerNames: [String] { ["Cat"] }
            var lives = 9
        }
        final class Cat: Animal {
            override class var formerNames: [String] { ["Dog"] }
            var tricks = 1
        }
        final class Left: PersistentObject {
            override class var tableName: String { "right_one" }
            override class var formerTableNames: [String] { ["left_one"] }
            var name = ""
        }
        final class Right: PersistentObject {
            override class var tableName: String { "left_one" }
            override class var formerTableNames: [String] { ["right_one"] }
            var name = ""
        }
    }

    @Test func `swapped names of subclasses and tables are swapped once`() throws {
        let file = try TemporaryStore()
        let first = try Store(file.path)
        try first.withSession { session throws in
            try session.save([First.Cat(), First.Cat(), First.Dog()])
            try First.Left().save()
            try First.Right().save()
        }
        first.close()
        for _ in 0..<3 {
            let store = try Store(file.path)
            defer { store.close() }
            try store.prepare(Second.Dog.self, Second.Cat.self, Second.Left.self, Second.Right.self)
            try store.withSession { _ throws in
                #expect(try Second.Dog.count() == 2 && Second.Cat.count() == 1)
                try expect(Second.Dog.all().map(\.lives), [9, 9])
                #expect(try Second.Left.all().map(\.name) == ["left"] && Second.Right.all().map(\.name) == ["right"])
            }
        }
    }

    enum Lax {
        class Base: PersistentObject { override class var tableName: String { "base" } }
        final class Leaf: Base { var code: Int? }
        final class Other: Base { var extra: String? }
    }
    enum Strict {
        class Base: PersistentObject { override class var tableName: String { "base" } }
        final class Leaf: Base { var code = 7 }
        final class Other: Base { var extra: String? }
    }

    @Test func `a subclass's property that becomes required gets a value only in the subclass's rows`() throws {
        let file = try TemporaryStore()
        let first = try Store(file.path)
        try first.withSession { session throws in
            let leaf = Lax.Leaf()
            leaf.code = 3
            try session.save([leaf, Lax.Leaf(), Lax.Other(), Lax.Base()])
        }
        first.close()
        for _ in 0..<2 {
            let store = try Store(file.path)
            defer { store.close() }
            try store.withSession { _ throws in
                try expect(Strict.Leaf.query.order(by: \.id).all().map(\.code), [3, 7])
            }
        }
        try expect(file.sqlite("SELECT class, code FROM base ORDER BY id"), "Leaf|3\nLeaf|7\nOther|\nBase|")
    }

    final class Company: PersistentObject {
        override class var tableName: String { "company" }
        @Unique var name = ""
    }
    enum Money {
        final class Invoice: PersistentObject {
            override class var tableName: String { "invoice" }
            var amount = Decimal(0)
            var payer = ""
        }
    }
    enum Cents {
        final class Invoice: PersistentObject {
            override class var tableName: String { "invoice" }
            var cents = 0
            var payer: Company?
            override class var conversions: [PropertyConversion] {
                [
                    PropertyConversion(\Invoice.cents, from: "amount") { (amount: Decimal) in
                        NSDecimalNumber(decimal: amount * 100).intValue
                    },
                    PropertyConversion(\Invoice.payer, from: "payer") { (name: String) -> Company? in
                        if name.isEmpty { return nil }
                        if let company = try Company.findFirstBy.name(name) { return company }
                        let company = Company()
                        company.name = name
                        return company
                    },
                ]
            }
        }
    }

    @Test func `declared conversions create values and objects, once`() throws {
        let file = try TemporaryStore()
        let first = try Store(file.path)
        try first.withSession { session throws in
            for (amount, payer) in [("12.50", "Acme"), ("0.01", ""), ("-3", "Acme"), ("7", "Zoë")] {
                let invoice = Money.Invoice()
                (invoice.amount, invoice.payer) = (try #require(Decimal(string: amount)), payer)
                try invoice.save()
            }
        }
        first.close()
        for _ in 0..<2 {
            let store = try Store(file.path, configuration: .init(onNote: { _ in }))
            defer { store.close() }
            try store.withSession { _ throws in
                let invoices = try Cents.Invoice.query.order(by: \.id).all()
                expect(invoices.map(\.cents), [1250, 1, -300, 700])
                expect(invoices.map { $0.payer?.name }, ["Acme", nil, "Acme", "Zoë"])
                #expect(invoices[0].payer === invoices[2].payer)
            }
        }
        try expect(file.sqlite("SELECT count(*) FROM company; PRAGMA foreign_key_check"), "2")
    }
}
