import Foundation
import PersistentObjectsTesting
import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// Errors of custom operators, and of their use, are thrown before any SQL runs.
struct OwnOperatorErrorTests {
    private typealias Person = OwnOperatorModel.Person
    private typealias Company = OwnOperatorModel.Company

    // MARK: Definitions

    @Test(
        arguments: [
            ("", .noWord), ("soundsLike", .noWord), ("Sounds Like", .noWord), ("Sounds_Like", .noWord),
            ("_Sounds", .noWord),
            ("7Sins", .noWord), ("Ähnlich", .noWord), ("Sounds\0", .noWord), ("@Foo", .noWord), ("[", .noWord),
            ("Like", .builtIn), ("Equal", .builtIn), ("Null", .builtIn), ("RLike", .builtIn), ("Exists", .builtIn),
            ("IsLike", .beginsWith("Is")), ("NotFar", .beginsWith("Not")), ("Is", .beginsWith("Is")),
            ("Not", .beginsWith("Not")), ("Is2", .beginsWith("Is")), ("IsNotFar", .beginsWith("Is")),
            ("And", .beginsWith("And")), ("OrFar", .beginsWith("Or")), ("AndAlso", .beginsWith("And")),
            ("OrderBy", .beginsWith("OrderBy")), ("IgnoreCaseLike", .beginsWith("IgnoreCase")),
            ("AllIgnoreCase", .beginsWith("AllIgnoreCase")), ("LikeOrEqual", .beginsWith("LikeOr")),
            ("LikeIgnoringCase", .beginsWith("LikeIgnoringCase")), ("LikeOr", .beginsWith("LikeOr")),
        ] as [(String, FinderError.OperatorReason)])
    func `an invalid operator name is refused with the reason`(name: String, reason: FinderError.OperatorReason) {
        let objection = FinderOperatorTable.objection(to: ["Fine", name])
        #expect(objection?.name == name && objection?.reason == reason)
    }

    @Test(arguments: [
        "Island", "Notable", "Organic", "Android", "Orderly", "Ignores", "SoundsLike", "A", "X2", "InTime",
    ])
    func `an operator name that only resembles a reserved word is accepted`(name: String) {
        #expect(FinderOperatorTable.objection(to: [name]) == nil)
    }

    @Test func `an operator name that extends another with a connective is refused`() {
        expect(FinderOperatorTable.objection(to: ["Near", "NearOrFar"])?.reason, .beginsWith("NearOr"))
        expect(FinderOperatorTable.objection(to: ["NearOrFar", "Near"])?.name, "NearOrFar")
        #expect(FinderOperatorTable.objection(to: ["Near", "Nearby", "NearOrbit"]) == nil)
        expect(FinderOperatorTable.objection(to: ["Near", "Far", "Near"])?.reason, .givenTwice)
    }

    final class Broken: PersistentObject {
        override class var tableName: String { "broken" }
        override class var finderOperators: [FinderOperator] {
            [FinderOperator("Like") { (text: Term<String, String?>) in text == "x" }]
        }
        var text = ""
    }

    final class Holder: PersistentObject {
        override class var tableName: String { "holder" }
        var broken: Broken?
    }

    @Test func `an invalid operator makes finders by name of its class throw, and affects nothing else`() throws {
        try withTemporarySession { _, _ throws in
            let broken = Broken()
            broken.text = "x"
            try broken.save()
            let error = #expect(throws: FinderError.self) { let _: [Broken] = try Broken.findByText("x") }
            #expect(error == .invalidOperator(className: "Broken", operation: "Like", reason: .builtIn))
            let text = #"Broken.finderOperators: "Like" is a built-in operator. Choose another name"#
            #expect("\(error!)" == text)
            #expect(try Broken.findBy.text("x") == [broken])
            #expect(try Broken.where { $0.text == "x" }.all() == [broken])
            let holder = Holder()
            holder.broken = broken
            try holder.save()
            #expect(try Holder.findByBrokenText("x") == [holder])
        }
        let problems = #expect(throws: FinderProblems.self) { try Broken.checkFinders(["findByText", "findByTxt"]) }
        #expect(problems?.problems.count == 1)
        #expect(problems?.problems.first is FinderError)
    }

    // MARK: Uses

    private func problem(_ name: String, _ arguments: Any?...) -> String {
        var text = ""
        do {
            try withTemporarySession(.init(functions: [OwnOperatorModel.soundFunction])) { session, _ throws in
                let count = statements(of: session) {
                    do { _ = try FinderCall(Person.self, name, arguments).objects() } catch { text = "\(error)" }
                }
                #expect(!count.contains { $0.hasPrefix("SELECT \"person\"") })
            }
        } catch { text = "\(error)" }
        return text.split(separator: "\n").first.map(String.init) ?? ""
    }

    @Test(.onSQLite("PostgreSQL calls no functions of the program yet"))
    func `a custom operator on a property of another type is refused`() {
        expect(
            problem("findByAgeSoundsLike", "x"),
            "Person.findByAgeSoundsLike: age has a type that does not support SoundsLike")
        #expect(
            problem("findByAgeIsNotSoundsLike", "x").hasSuffix("age has a type that does not support NotSoundsLike")
        )
        #expect(problem("findByTagsSoundsLike", "x").hasSuffix("tags has a type that does not support SoundsLike"))
        #expect(
            problem("findByEmployerSoundsLike", "x").hasSuffix(
                "employer has a type that does not support SoundsLike"))
        #expect(
            problem("findByBossAtCompanyNamed", "x").hasSuffix(
                "boss has a type that does not support AtCompanyNamed"))
        #expect(
            problem("findByEmployerNameNearTo", 1, 2).hasSuffix(
                "employer.name has a type that does not support NearTo"))
        #expect(problem("findByAgeAbove", 1).hasSuffix("age has a type that does not support Above"))
    }

    @Test(.onSQLite("PostgreSQL calls no functions of the program yet"))
    func `wrong types and numbers of arguments of a custom operator are refused`() {
        expect(
            problem("findByLastNameSoundsLike", 3), "Person.findByLastNameSoundsLike: lastName requires String, not Int"
        )
        #expect(problem("findByLastNameSoundsLike", nil).hasSuffix("lastName requires String, not nil"))
        #expect(problem("findByEmployerNameSoundsLike", nil).hasSuffix("employer.name requires String, not nil"))
        #expect(problem("findByNickLengthBetween", 1, "x").hasSuffix("nick requires Int64?, not String"))
        #expect(problem("findByNickLengthBetween", nil, 1).hasSuffix("nick requires Int64, not nil"))
        #expect(problem("findByNickLengthBetween", UInt64.max, 1).hasSuffix("nick requires Int64, not UInt64"))
        #expect(problem("findByEmployerBeside", Person()).hasSuffix("employer requires Company?, not Person"))
        #expect(problem("findByEmployerBeside", Company()).contains("was never saved. Save it first"))
        expect(problem("findByNickShouted", 1), "Person.findByNickShouted: takes 0 arguments, but the call has 1")
        #expect(problem("findByLastNameSoundsLike").hasSuffix("takes 1 argument (lastName), but the call has 0"))
        #expect(
            problem("findByAgeNearToAndNickShouted", 1).hasSuffix("takes 2 arguments (age, age), but the call has 1"))
        #expect(
            problem("findByLastNameSoundsLike", "a", "b").hasSuffix("takes 1 argument (lastName), but the call has 2"))
    }

    @Test(.onSQLite("PostgreSQL calls no functions of the program yet"))
    func `arguments of custom operators are converted like those of built-in operators`() throws {
        try OwnOperatorModel.with(8) { _, people, companies throws in
            let smiths: [Person] = try Person.findByLastNameSoundsLike("Smith")
            try expect(Person.findByLastNameSoundsLike("Smith"[...]), smiths)
            let five: [Person] = try Person.findByNickLengthBetween(Int8(5), UInt(5))
            expect(Set(five), Set(people.filter { $0.nick?.count == 5 }))
            let given: String? = "Smith"
            try expect(Person.findByLastNameSoundsLike(given), smiths)
            let company: Company? = companies[0]
            let others: [Person] = try Person.findByEmployerBeside(company)
            expect(Set(others), Set(people.filter { $0.employer !== companies[0] }))
        }
    }

    @Test(.onSQLite("PostgreSQL calls no functions of the program yet"))
    func `misspelled and misplaced words around a custom operator are reported`() {
        let unknown = #"no operator matches "SondsLike" after lastName; did you mean SoundsLike or IsSoundsLike?"#
        #expect(problem("findByLastNameSondsLike", "x").hasSuffix(unknown))
        #expect(problem("findByLastNameNotSoundLike", "x").contains("did you mean NotSoundsLike, "))
        #expect(problem("findByEmployerNameSoundsLik", "x").contains("did you mean SoundsLike or "))
        let own = "A custom operator defines whether case is ignored. Remove the word"
        for name in [
            "SoundsLikeIgnoreCase", "IgnoreCaseSoundsLike", "NotSoundsLikeIgnoringCase", "SoundsLikeIgnoreCaseAndAge",
        ] {
            #expect(problem("findByLastName\(name)", "x", 1).contains(own), "\(name)")
        }
        #expect(problem("findByNickShoutedIgnoreCase").contains(own))
        #expect(
            problem("findByLastNameSoundsLikeAllIgnoreCase", "x").contains("No string is compared with an argument"))
        #expect(problem("findByLastNameNotNotSoundsLike", "x").contains("Not can occur only once"))
        #expect(problem("findOrCreateByLastNameSoundsLike", "x").contains("A new object is created from the arguments"))
        #expect(problem("countByLastNameSoundsLikeOrderByAge", "x").contains(#""OrderBy" is not allowed here"#))
    }

    final class Twofold: PersistentObject {
        override class var tableName: String { "twofold" }
        override class var finderOperators: [FinderOperator] {
            [
                FinderOperator("Near") { (text: Term<String, String?>, other: String, third: String) in
                    text == other || text == third
                },
                FinderOperator("Odd") { (text: Term<String, String?>) in text == "odd" },
            ]
        }
        var name = ""
        var nameNear = ""
        var nameOdd = ""
    }

    @Test func `a name with two readings through a custom operator throws an error that shows both`() {
        for (name, readings) in [
            ("findByNameNear", ["nameNear = ?", "name Near ?, ?"]),
            ("findByNameNotOddAndNameOdd", ["name not Odd and nameOdd = ?", "name not Odd and name Odd"]),
        ] {
            let problems = #expect(throws: FinderProblems.self) { try Twofold.checkFinders([name]) }
            let expected = FinderError.ambiguous(className: "Twofold", finder: name, readings: readings)
            expect(problems?.problems.first as? FinderError, expected)
        }
    }

    @Test func `checkFinders accepts custom operators`() throws {
        try Person.checkFinders([
            "findByLastNameSoundsLike", "countByEmployerNameNotSoundsLikeAndAgeNearTo", "findByTagsWithSome",
        ])
        let problems = #expect(throws: FinderProblems.self) {
            try Person.checkFinders(["findByLastNameSondsLike", "findByAgeShouted", "findByEmployerNameShouted"])
        }
        expect(problems?.problems.count, 2)
        let file = try TemporaryStore()
        let source = file.folder.appending(path: "Uses.swift")
        try """
        func use() throws {
            let a: [Person] = try Person.findByLastNameSoundsLike("Smith")
            let b: [Person] = try Person.findByLastNameSondsLike("Smith")
            print(Person.finderOperators.count)
        }
        """.write(to: source, atomically: true, encoding: .utf8)
        let found = #expect(throws: FinderProblems.self) { try Person.checkFinders(inSources: source.path) }
        expect(found?.problems.count, 1)
        expect((found?.problems.first as? FinderSourceError)?.line, 3)
    }

    @Test func `a class without custom operators has only the built-in operators`() {
        expect(FinderVocabulary(className: "X", properties: ["a"]).operators.rows.count, FinderGrammar.operators.count)
    }
}
