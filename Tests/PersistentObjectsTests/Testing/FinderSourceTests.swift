import Foundation
import TestSupport
import Testing

@testable import PersistentObjects
@testable import PersistentObjectsTesting

/// The finder names that are found in Swift sources, and the reported problems.
struct FinderSourceTests {
    class Person: PersistentObject {
        override class var tableName: String { "person" }
        var name = ""
        var age: Int?
    }

    final class Employee: Person { var salary = 0 }

    final class Box<T>: PersistentObject {
        override class var tableName: String { "box" }
        var width = 0
    }

    private final class Hidden: PersistentObject {
        override class var tableName: String { "hidden" }
        var width = 0
    }

    /// The finder uses in some files, each as `name`, or `name!` if it is misspelled.
    private func found(_ files: String..., of classes: [PersistentObject.Type] = [Person.self]) throws -> [String] {
        try withSources(files.enumerated().map { ("\($0).swift", Array($1.utf8)) }) { folder throws in
            FinderSources(folder).uses(of: classes).map { $0.name + ($0.problem == nil ? "" : "!") }
        }
    }

    // MARK: Names

    @Test func `a finder after the class name is found in any notation`() throws {
        let source = """
            func f() throws {
                let a = try Person.findByName("x"); let b: Int = try Person.countByAge(1)
                let c = Person
                    .findByNme
                let d = Person . /* why */ findByAge   // and more
                let e = try Person.`findByAgee`(1)
                let g = Person.self.existsByName, h = (Person.deleteByName)
                let i = [Person](), j = Optional<Person>.none, k = 0...Person.count() + Person.countByName("x")
                let l = try FinderSourceTests.Person.idsByName("x") + App.Person.idsByAge(1)
                let m = Person.fndByAge, n = Person.sumOfAge, o = Person.findName, p = Person.listOrderByAge(), q = Person.findByNme.name
            }
            """
        try expect(
            found(source),
            [
                "findByName", "countByAge", "findByNme!", "findByAge", "findByAgee!", "existsByName", "deleteByName",
                "countByName", "idsByName", "fndByAge!", "sumOfAge", "findName!", "listOrderByAge", "findByNme!",
            ])
    }

    @Test func `options and lists after a finder name are not part of the name`() throws {
        let source = """
            func f() throws {
                _ = try Person.findByName("x", .limit(5), .order(by: \\Person.age, .descending), .offset(3))
                let a: Int = try Person.countByAgee(1, .limit(5)); let b = try Person.findByAge(.limit(1))
                _ = try Person.listOrderByAge(.including(\\Person.name, \\.age), limit: 3)
                _ = try Person.findByCriteria("WHERE age IN (?)", [1, 2], 3)
                let option = FinderOption.order(by: "Person.findByNme")
            }
            """
        try expect(found(source), ["findByName", "countByAgee!", "findByAge", "listOrderByAge"])
    }

    @Test func `comments, strings and regular expressions are not code`() throws {
        let source = ##"""
            // Person.findByA
            /* Person.findByB /* Person.findByC */ Person.findByD */
            /// try Person.findByE("x")
            let a = "Person.findByF", b = "\"Person.findByG", c = #"Person.findByH "\(Person.findByI) "# + ""
            let d = """
                Person.findByJ "" \""" Person.findByK
                """
            let e = #"""
                Person.findByL """ Person.findByM \(Person.findByN)
                """#
            let f = /"Person.findByO/, g = #/ Person.findByP " /#, h = #/
                Person.findByQ
                /#
            let i = #"""#, j = Person.findByName, k = ""
            let l = x / y + "\\" + z / 2 + Person.findByAge / 1
            let m = "not closed Person.findByR
            let n = Person.countByName
            """##
        try expect(found(source), ["findByName", "findByAge", "countByName"])
    }

    @Test func `code in interpolations is checked`() throws {
        let source = ##"""
            let a = "\(try Person.findByName("x")) Person.findByA \(["\(Person.findByAge)", ")"].count)" + "(Person.findByB"
            let b = """
                \(Person.findByNme) Person.findByC
                """
            let c = #"\(Person.findByD) \#(Person.countByAge) "\("# + "\(f { Person.countByName })"
            """##
        try expect(found(source), ["findByName", "findByAge", "findByNme!", "countByAge", "countByName"])
    }

    @Test func `the first line of a script is ignored`() throws {
        try expect(found("#!/usr/bin/env swift \"Person.findByX\nlet a = Person.findByName"), ["findByName"])
        try expect(found("let a = #selector(Person.findByName)\r#if Person.findByX\r\n#endif").count, 2)
    }

    @Test func `all branches of conditional compilation are checked`() throws {
        let source = """
            #if DEBUG && !os(Linux)
            let a = Person.findByName
            #elseif swift(>=6)
            let a = Person.findByNme
            #else
            let a = Person.findByAge
            #endif
            """
        try expect(found(source), ["findByName", "findByNme!", "findByAge"])
    }

    @Test func `other members, key paths and finders of other classes are ignored`() throws {
        let source = #"""
            let a = \Person.name, b = Person.init, c = Person.tableName, d = Person.where { $0.age > 1 }, e = Person.Kind.a
            let f = Person.findBy.name("x"), g = people.map(Person.save), h = Person.query, i = joe.Person.findByX
            let j = Pet.findByNme, k = Pet.Person.findByNme, l = [Person].findByNme, m = Person().findByNme
            let n = Box<Person>.findByNme, o = .Person.findByNme, p = Person.newest()
            """#
        try expect(found(source), [])
    }

    @Test func `members that the sources declare are not finders`() throws {
        let source = """
            extension Person {
                static func findByHand() {}
                public private(set) static var countByTwos = 2
                final class func deleteByAccident() {}
                func findByMagic() {}
                static let a = Self.findByName, b = Self.findByNme
            }
            extension Persistent { static func findByLuck() {} }
            extension PersistentObject { class func findByChance() {} }
            protocol Named {}
            extension Named { static func findByTag(_ tag: String) {} }
            extension Pet { static func findByPaw() {} }
            func f() {
                Person.findByHand(); Person.countByTwos; Person.deleteByAccident(); Person.findByLuck(); Person.findByChance()
                Person.findByTag("x"); Person.findByMagic(); Person.findByPaw()
            }
            """
        try expect(found(source), ["findByName", "findByNme!", "findByMagic!", "findByPaw!"])
        // A subclass has the members of its superclass.
        try expect(found(source, "let a = Employee.findByHand()", of: [Employee.self]), [])
        try expect(
            found("let a = Employee.findBySalary, b = Person.findBySalary", of: [Employee.self, Person.self]),
            ["findBySalary", "findBySalary!"])
    }

    @Test func `members declared elsewhere can be ignored by name`() throws {
        try withSources([("a.swift", Array("let a = Person.findByHand() + Person.findByAge(1)".utf8))]) {
            folder throws in
            #expect(throws: FinderProblems.self) { try Person.checkFinders(inSources: folder) }
            try Person.checkFinders(inSources: folder, ignoring: ["findByHand"])
        }
    }

    // MARK: Which class

    @Test func `among classes with the same name, Swift's lookup determines the class`() throws {
        let source = """
            struct FinderSourceTests {
                class Person {}
                func f() { Person.findByName }
            }
            extension FinderSourceTests { func g() { Person.findByAge } }
            enum Other {
                final class Person {}
                static func f() { Person.findByX; FinderSourceTests.Person.countByAge; Other.Person.findByX }
            }
            func local() {
                class Person {}
                Person.findByX
            }
            let a = Person.findByX, b = PersistentObjectsTests.FinderSourceTests.Person.countByName
            """
        try expect(found(source), ["findByName", "findByAge", "countByAge", "countByName"])
        // The other class can also be in another file.
        try expect(found("class Person {}; let a = Person.findByX", source).count, 4)
    }

    @Test func `an alias refers to its class`() throws {
        let source = """
            typealias Someone = FinderSourceTests.Person
            typealias Boxes<T> = Box<T>
            struct A {
                private typealias Person = Other.Person
                typealias Human = Someone
                func f() { Person.findByX; Human.findByAge; Someone.findByNme }
            }
            extension A { func g() { Person.findByX; A.Human.countByAge; Loop.findByX } }
            typealias Loop = Pool
            typealias Pool = Loop
            let a = A.Human.self.findByName, b = Boxes<Int>.findByWidth
            """
        try expect(found(source), ["findByAge", "findByNme!", "countByAge", "findByName"])
        try expect(found(source, of: [Box<String>.self]), ["findByWidth"])
    }

    @Test func `private and generic classes are checked`() throws {
        let source = """
            struct FinderSourceTests {
                private final class Hidden {}
                func f() { Hidden.findByWidth; Hidden.findByWith }
            }
            """
        try expect(found(source, of: [Hidden.self]), ["findByWidth", "findByWith!"])
        let boxes =
            "let a = Box<Int>.findByWidth, b = Box<[String: (Int) -> Box<Int>]>.findByWith, c = x < Box.max > .y"
        try expect(found(boxes, of: [Box<Int>.self]), ["findByWidth", "findByWith!"])
    }

    @Test func `names with non-ASCII characters are checked`() throws {
        try expect(
            found("let größe = Person.findByName; let 👩 = 👩Person.findByX, b = Person.findByGröße"),
            ["findByName", "findByGröße!"])
    }

    // MARK: Self

    @Test func `calls on Self that create key paths are reported inside the class`() throws {
        let source = """
            struct FinderSourceTests {
            class Person: PersistentObject {
                static func a() throws -> [Person] { try Self.where { $0.age > 3 }.all() }
                func b() throws -> Int { try Self.countBy.name("x") + Self.query.count() + Self.count() }
                class func c() throws { _ = try Self.query.order(by: \\.age).all(); _ = Self.unscoped.where { $0.age > 3 } }
                func d() throws { _ = try Person.where { $0.age > 3 }.all(); _ = try Self.findByName("x") }
                func e() throws { _ = try type(of: self).where { $0.age > 3 }.all(); _ = try Self.findOrCreateBy.name("x") }
            }
            }
            extension FinderSourceTests.Person { func f() throws { _ = try Self.deleteBy.age(3) } }
            extension Visible { static func g() throws { _ = try Self.where { $0.age > 3 }.all() } }
            """
        #expect(
            try found(source).filter { $0 != "findByName" } == [
                "where!", "countBy!", "query!", "unscoped!", "findOrCreateBy!", "deleteBy!",
            ])
    }
}
