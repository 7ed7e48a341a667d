import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Dotted names in criteria strings follow references.
struct CriteriaPathTests {
    typealias Person = LinkModel.Person
    typealias Company = LinkModel.Company

    private static let found: [(String, [any Sendable], String)] = [
        ("WHERE employer.name = ?", ["Acme"], "Joe"),
        ("WHERE employer_id.name = ?", ["Acme"], "Joe"),
        ("WHERE employer_id IS NOT NULL AND employer_id.name = ?", ["Acme"], "Joe"),
        ("WHERE EMPLOYER . size > ?", [10], "Ann"),
        ("WHERE employer./* of them */name = 'Acme'", [], "Joe"),
        ("WHERE \"employer\".\"name\" = ? AND [employer].[size] = 10 AND `employer`.`size` = 10", ["Acme"], "Joe"),
        ("WHERE person.employer.name = ?", ["Acme"], "Joe"),
        ("WHERE employer.country.name = ?", ["France"], "Joe"),
        ("WHERE employer.country.code LIKE 'F%' AND age = 39", [], "Joe"),
        ("WHERE mentor.mentor.employer.country.name = ?", ["France"], "Bob"),
        ("WHERE mentor.name = ? AND person.name = ?", ["Joe", "Ann"], "Ann"),
        ("WHERE employer.id = ?", [2], "Ann"),
        ("WHERE mentor.employer = ?", [1], "Ann"),
        ("WHERE mentor.employer_id = ?", [1], "Ann"),
        ("WHERE employer.name IS NULL", [], "Ann Bob"),
        ("WHERE employer.country.id IS NOT NULL", [], "Joe"),
        ("WHERE name = 'employer.name' OR name = 'it''s employer.name' -- employer.nme", [], ""),
        ("WHERE age > 3.5 AND employer.size = 1e1", [], "Joe"),
        ("WHERE EXISTS (SELECT 1 FROM pet WHERE pet.owner_id = person.id AND employer.name = 'Acme')", [], "Joe"),
        ("WHERE id IN (SELECT p.id FROM person AS p WHERE p.name = 'Joe')", [], "Joe"),
        ("WHERE main.person.name = 'Joe'", [], "Joe"),
        ("JOIN company AS employer ON employer.id = person.employer_id WHERE employer.name = 'Acme'", [], "Joe"),
        ("JOIN company employer ON employer.id = employer_id AND employer.size = 20", [], "Ann"),
        (", company mentor WHERE mentor.id = employer_id AND mentor.size = 20", [], "Ann"),
        ("LEFT JOIN pet ON pet.owner_id = person.id WHERE pet.age = 3 AND employer.name = 'Acme'", [], "Joe"),
        ("WHERE (SELECT max(employer.size) FROM company employer) = 20 AND age = 39", [], "Joe"),
        ("WHERE (SELECT max(employer.size) FROM (SELECT size FROM company) employer) = 20 AND age = 39", [], "Joe"),
        ("WHERE 1 ORDER BY employer.size DESC, mentor.name LIMIT 1", [], "Ann"),
        ("WHERE age IN (SELECT value FROM json_each(?) AS j WHERE j.value > 3)", [[39]], "Joe"),
    ]

    @Test(.onSQLite("some of its criteria are SQLite's"), arguments: found.indices)
    func `paths in criteria follow references`(index: Int) throws {
        let (text, arguments, names) = Self.found[index]
        try LinkModel.with { session, _ in
            let people = try Criteria(Person.self, text, arguments).objects().cast(to: Person.self)
            expect(LinkModel.names(people), names, "\(text)")
            try expect(Criteria(Person.self, text, arguments).count(), people.count)
            expect(session.busyStatementCount, 0)
        }
    }

    @Test(.onSQLite("json_each is SQLite's"))
    func `objects, ids and lists of objects can be arguments of criteria`() throws {
        try LinkModel.with { _, objects throws in
            try expect(Person.findByCriteria("WHERE employer_id = ?", objects.acme), [objects.joe])
            try expect(Person.findByCriteria("WHERE mentor.employer_id = ?", objects.acme.persistentID), [objects.ann])
            try expect(
                Person.countByCriteria(
                    "WHERE employer_id IN (SELECT value FROM json_each(?))", [objects.acme, objects.globex]), 2)
            let error = #expect(throws: StoreError.self) {
                try Person.findByCriteria("WHERE employer_id = ?", Company())
            }
            #expect(error?.code == .misuse && error?.className == "Company")
        }
    }

    @Test func `paths work in subclasses and in tables named like the reference`() throws {
        try LinkModel.with { _, objects throws in
            try expect(LinkModel.Dog.findByCriteria("WHERE owner.name = 'Joe'"), [objects.rex])
            try expect(
                LinkModel.Dog.findByCriteria("WHERE pet.owner.employer.name = 'Acme' AND tricks > 1"), [objects.rex])
            try expect(LinkModel.Pet.countByCriteria("WHERE owner.age = ?", 39), 2)
        }
        try withTemporarySession { session, _ throws in
            let (one, two) = (Node(), Node())
            (one.name, two.name, two.node) = ("one", "two", one)
            try session.save([one, two])
            try expect(Node.findByCriteria("WHERE node.name = 'one'"), [one], "table.column")
            try expect(Node.findByCriteria("WHERE node.node.name = 'one'"), [two])
        }
    }

    final class Node: PersistentObject {
        override class var tableName: String { "node" }
        var name = ""
        var node: Node?
    }

    @Test func `a name after the table name is a column, not a property`() throws {
        try LinkModel.with { _, objects throws in
            let id = try #require(objects.acme.id)
            try expect(Person.findByCriteria("WHERE person.employer_id = ?", id), [objects.joe])
            let error = #expect(throws: StoreError.self) {
                try Person.findByCriteria("WHERE person.employer = ?", id)
            }
            expect(error?.code, .invalidSQL)
        }
    }

    private static let wrong: [(String, String)] = [
        ("WHERE employer.nme = 1", "employer.nme refers to Company, which has no property nme; did you mean name?"),
        ("WHERE employer.country.xyzzy = 1", "employer.country.xyzzy refers to Country, which has no property xyzzy"),
        ("WHERE employer.name.size = 1", "employer.name is not a reference, so no property can follow it"),
        ("WHERE employer.id.size = 1", "employer.id is not a reference, so no property can follow it"),
        (
            "WHERE employer.tags = 1",
            "employer.tags is a collection or an inverse, which is not a single value. Use a subquery"
        ),
        (
            "WHERE employer.staff = 1",
            "employer.staff is a collection or an inverse, which is not a single value. Use a subquery"
        ),
        ("WHERE pets.name = 'x'", "pets is not a reference, so no property can follow it"),
        ("WHERE friends.name = 'x'", "friends is not a reference, so no property can follow it"),
        ("WHERE employer.\"name\"\") OR 1 --\" = 1", "which has no property name\") OR 1 --"),
    ]

    @Test(arguments: wrong)
    func `an invalid path throws an error that shows the invalid part`(text: String, words: String) throws {
        try LinkModel.with { _, _ throws in
            let error = #expect(throws: StoreError.self) { try Person.findByCriteria(text) }
            #expect(error?.code == .invalidSQL && error?.className == "Person")
            expect(error?.message.contains(words), true, "\(error as Any)")
        }
    }

    private static let hostile = [
        "WHERE employer.name = 'x'; DROP TABLE person", "WHERE employer.", "WHERE .name", "WHERE employer..name = 1",
        "WHERE employer.name.", "WHERE tags.x = 1", "WHERE nothing.name = 1", "WHERE employer.'name' = 1",
        "WHERE ((((employer.name", "WHERE employer.name(1)", "WHERE )))) employer.name", "WHERE \"employer.name",
        "a.b.c.d.e.f",
    ]

    @Test(arguments: hostile)
    func `hostile criteria are refused`(text: String) throws {
        try LinkModel.with { session, objects throws in
            #expect(throws: StoreError.self) { try Person.findByCriteria(text) }
            #expect(throws: StoreError.self) { try Person.countByCriteria(text) }
            #expect(try Person.count() == objects.people.count && session.busyStatementCount == 0)
        }
    }

    @Test func `a path becomes a subselect by id, and other text is unchanged`() throws {
        try LinkModel.with { session, _ throws in
            let map = try session.space(of: Person.self).map
            func sql(_ text: String) throws -> String { try CriteriaPaths(RawSQL(text), map, session).resolved().text }
            try expect(
                sql("WHERE é = employer.name -- ü"),
                #"WHERE é = (SELECT " path 0"."name" FROM "company" AS " path 0" WHERE " path 0"."id" = "#
                    + #""person"."employer_id") -- ü"#)
            let same = [
                "", "WHERE age > 1.5", "WHERE person.name = 'employer.name'", "x.y", "/* employer.name */", "[a",
            ]
            for text in same { try expect(sql(text), text) }
        }
    }
}
