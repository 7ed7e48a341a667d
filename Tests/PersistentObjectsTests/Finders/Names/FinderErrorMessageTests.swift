import TestSupport
import Testing

@testable import PersistentObjects

/// The messages for invalid finder names and calls.
struct FinderErrorMessageTests {
    private static let person = [
        "id", "lastName", "firstName", "age", "nickname", "nameOrigin", "name", "isActive", "🍏",
    ]

    @Test(arguments: [
        (
            "findByLastNme",
            """
            Person.findByLastNme: no property matches "LastNme"; did you mean lastName?
                findByLastNme
                      ^~~~~~~
            """
        ),
        (
            "findBylastName",
            """
            Person.findBylastName: no property matches "lastName"; did you mean lastName?
                findBylastName
                      ^~~~~~~~
            """
        ),
        (
            "findByLastNames",
            """
            Person.findByLastNames: no property matches "LastNames"; did you mean lastName?
                findByLastNames
                      ^~~~~~~~~
            """
        ),
        (
            "countByAgeAndLastNmeIsOrName",
            """
            Person.countByAgeAndLastNmeIsOrName: no property matches "LastNme"; did you mean lastName?
                countByAgeAndLastNmeIsOrName
                             ^~~~~~~
            """
        ),
        (
            "findByLast",
            """
            Person.findByLast: no property matches "Last"; did you mean lastName?
                findByLast
                      ^~~~
            """
        ),
        (
            "findByNameOrignAndAge",
            """
            Person.findByNameOrignAndAge: no property matches "NameOrign"; did you mean nameOrigin?
                findByNameOrignAndAge
                      ^~~~~~~~~
            """
        ),
        (
            "findByNameAndage",
            """
            Person.findByNameAndage: no property matches "age"; did you mean age?
                findByNameAndage
                             ^~~
            """
        ),
        (
            "findByXyz",
            """
            Person.findByXyz: no property matches "Xyz"
                findByXyz
                      ^~~
            """
        ),
        (
            "findBy🍏AndZ",
            """
            Person.findBy🍏AndZ: no property matches "Z"
                findBy🍏AndZ
                           ^
            """
        ),
        (
            "findBy🍏OrZ🍏",
            """
            Person.findBy🍏OrZ🍏: no property matches "Z🍏"; did you mean 🍏?
                findBy🍏OrZ🍏
                          ^~~
            """
        ),
        (
            "findByAge\" OR 1=1 --",
            """
            Person.findByAge" OR 1=1 --: no operator matches "\\" OR 1=1 --" after age
                findByAge" OR 1=1 --
                         ^~~~~~~~~~~
            """
        ),
        (
            "findByAge\0",
            """
            Person.findByAge\\u{0}: no property matches "Age\\u{0}"; did you mean age?
                findByAge\\u{0}
                      ^~~~~~~~
            """
        ),
        (
            "findByZip\r\n\u{202E}",
            """
            Person.findByZip\\u{d}\\u{a}\\u{202e}: no property matches "Zip\\u{d}\\u{a}\\u{202e}"
                findByZip\\u{d}\\u{a}\\u{202e}
                      ^~~~~~~~~~~~~~~~~~~~~
            """
        ),
        (
            "findBy",
            """
            Person.findBy: a property must follow here
                findBy
                      ^
            """
        ),
        (
            "findByAgeOr",
            """
            Person.findByAgeOr: a property must follow here
                findByAgeOr
                           ^
            """
        ),
        (
            "findByNameEqals",
            """
            Person.findByNameEqals: no operator matches "Eqals" after name; did you mean Equals?
                findByNameEqals
                          ^~~~~
            """
        ),
        (
            "findByAgeAbove",
            """
            Person.findByAgeAbove: no operator matches "Above" after age
                findByAgeAbove
                         ^~~~~
            """
        ),
        (
            "findByNameAndAgeAboveAndLastName",
            """
            Person.findByNameAndAgeAboveAndLastName: no operator matches "Above" after age
                findByNameAndAgeAboveAndLastName
                                ^~~~~
            """
        ),
        (
            "findFirst0ByAge",
            """
            Person.findFirst0ByAge: 0 is not a valid number of objects. Write a number from 1 to 9223372036854775807
                findFirst0ByAge
                         ^
            """
        ),
    ])
    func `the invalid part of the name is underlined`(name: String, message: String) {
        expect(self.message(name), message)
    }

    @Test(arguments: [
        ("fnid", "; did you mean find?"),
        ("tablename", "; did you mean tableName?"),
        ("table", "; did you mean tableName?"),
        ("finByLastName", "; did you mean findByLastName?"),
        ("findFrist10ByAge", "; did you mean findFirst10ByAge?"),
        ("findFrist½ByAge", "; did you mean findFirstByAge?"),
        ("findFirst½ByAge", "; did you mean findFirstByAge?"),
        ("findbyLastName", "; did you mean findByLastName?"),
        ("findLastName", "; did you mean findByLastName or findLastByName?"),
        ("findAllAge", "; did you mean findAllByAge?"),
        ("find_by_name", "; did you mean findBy…?"),
        ("delByAge", "; did you mean deleteByAge?"),
        ("quxx", ""),
        ("", ""),
    ])
    func `a name that is not a finder throws with suggestions of existing names`(name: String, rest: String) {
        expect(message(name), "Person.\(name): neither a static member nor a finder\(rest)")
    }

    @Test func `an ambiguous name throws with its readings`() {
        #expect(
            message("findByNameAndAge", ["name", "age", "nameAndAge"])
                == """
                Person.findByNameAndAge: can be read as "nameAndAge = ?" or as "name = ? and age = ?". \
                Use criteria text to specify the meaning
                """)
    }

    private static let wrongCalls: [(FinderError, String)] = [
        (
            .wrongArgumentCount(
                className: "Person", finder: "findByNameAndAge", properties: ["name", "age"], expected: 2, given: 1),
            "Person.findByNameAndAge: takes 2 arguments (name, age), but the call has 1"
        ),
        (
            .wrongArgumentCount(className: "Person", finder: "findByAge", properties: ["age"], expected: 1, given: 0),
            "Person.findByAge: takes 1 argument (age), but the call has 0"
        ),
        (
            .wrongArgumentType(
                className: "Person", finder: "findByAge", property: "age", expected: "Int?", given: "String"),
            "Person.findByAge: age requires Int?, not String"
        ),
        (
            .wrongAnswerType(className: "Person", finder: "findByAge", asked: "Bool", use: "existsByAge"),
            "Person.findByAge: cannot return Bool. Write existsByAge"
        ),
        (
            .notStoredProperty(className: "Person", keyPath: "\\Person.fullName", reason: .computed),
            """
            Person: \\Person.fullName is computed, but only stored properties can be looked up. \
            Name the stored properties that it is computed from
            """
        ),
        (
            .notStoredProperty(className: "Person", keyPath: "\\Person.employer.name", reason: .path),
            "Person: \\Person.employer.name consists of more than one property. Name a property of the class itself"
        ),
        (
            .notStoredProperty(className: "Person", keyPath: "\\Person.mark", reason: .oneValuedType),
            """
            Person: \\Person.mark cannot be distinguished from other properties, because the library cannot create \
            two different values of its type. Write its name in a dynamic finder
            """
        ),
    ]

    @Test(arguments: wrongCalls)
    func `a wrong call throws an error with the right call`(error: FinderError, message: String) {
        expect(error.description, message)
    }

    @Test func `the offset of an error counts UTF-8 bytes`() {
        let parser = FinderParser(className: "Person", properties: Self.person)
        let error = FinderError.unknownProperty(
            className: "Person", finder: "findBy🍏AndLastNme", part: "LastNme", offset: 13, suggestions: ["lastName"])
        #expect(throws: error) { try parser.parse("findBy🍏AndLastNme") }
    }

    @Test func `at most three names are suggested, the nearest first`() {
        let properties = ["names", "nome", "game", "name", "fame", "gnome"]
        #expect(message("findByNaem", properties).contains("did you mean name?"))
        #expect(message("findByNme", properties).contains("did you mean nome or name?"))
        #expect(message("findByDame", properties).contains("did you mean game, name or fame?"))
    }

    @Test(arguments: [
        ("", "", 0), ("a", "", 1), ("ab", "ba", 1), ("abc", "abc", 0), ("abc", "abd", 1), ("kitten", "sitting", 3),
        ("frist", "first", 1), ("lastName", "name", 5), ("ca", "abc", 3),
    ])
    func `edit distances count edits and swaps`(a: String, b: String, distance: Int) {
        let (a, b) = (Array(a.unicodeScalars), Array(b.unicodeScalars))
        expect(NameSuggestions.distance(a, b, atMost: 9), distance)
        expect(NameSuggestions.distance(b, a, atMost: distance), distance)
        #expect(distance == 0 || NameSuggestions.distance(a, b, atMost: distance - 1) == nil)
    }

    @Test func `long names are shortened around the invalid part`() {
        let name = "findBy" + String(repeating: "AgeAnd", count: 40) + "Nxme" + String(repeating: "AndAge", count: 40)
        let lines = message(name).split(separator: "\n").map(String.init)
        #expect(lines[0].hasSuffix("…: no property matches \"Nxme\"; did you mean name?"))
        let (before, after) = (String(repeating: "AgeAnd", count: 10), String(repeating: "AndAge", count: 5))
        expect(lines[1], "    …\(before)Nxme\(after)…")
        expect(lines[2], String(repeating: " ", count: 65) + "^~~~")
    }

    @Test(arguments: [-5, 0, 7, 99, Int.max, Int.min])
    func `the description of an error with any offset never traps`(offset: Int) {
        let error = FinderError.unknownProperty(
            className: "P", finder: "findBy🍏", part: "somewhat longer than that", offset: offset, suggestions: [])
        #expect(error.description.contains("somewhat"))
    }

    private func message(_ name: String, _ properties: [String] = person) -> String {
        do {
            return "\(try FinderParser(className: "Person", properties: properties).parse(name))"
        } catch {
            return "\(error)"
        }
    }
}
