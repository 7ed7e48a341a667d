import TestSupport
import Testing

@testable import PersistentObjects

/// The validators of `Problems`, each with valid and invalid values.
struct ValidatorTests {
    enum Status: String { case active, gone }

    final class Person: PersistentObject {
        override class var tableName: String { "person" }
        var lastName = "x"
        var nick: String?
        var tags: [String] = []
        var marks: [Int]?
        var age = 18
        var height: Double?
        var status = Status.active
        var former: Status?
        @Transient var rule = Rule { _, _ in }

        override func validate(_ problems: inout Problems) { rule.body(self, &problems) }
    }

    struct Rule: Sendable {
        let body: @Sendable (Person, inout Problems) -> Void
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let rule: Rule
        let good: [@Sendable (Person) -> Void]
        let bad: [@Sendable (Person) -> Void]
        let message: String

        init(
            _ name: String, _ message: String, _ rule: @escaping @Sendable (Person, inout Problems) -> Void,
            good: [@Sendable (Person) -> Void], bad: [@Sendable (Person) -> Void]
        ) {
            testDescription = name
            self.rule = Rule(body: rule)
            self.good = good
            self.bad = bad
            self.message = message
        }
    }

    static let cases: [Case] = [
        Case(
            "presence of a text", "must not be empty", { $1.requirePresence(\Person.lastName) },
            good: [{ $0.lastName = " a" }], bad: [{ $0.lastName = "" }, { $0.lastName = " \n" }]),
        Case(
            "presence of what may be nil", "is required", { $1.requirePresence(\Person.nick) },
            good: [{ $0.nick = "a" }], bad: [{ $0.nick = nil }, { $0.nick = "" }, { $0.nick = "\t" }]),
        Case(
            "presence of a number", "is required", { $1.requirePresence(\Person.height) },
            good: [{ $0.height = 0 }], bad: [{ $0.height = nil }]),
        Case(
            "presence of elements", "must not be empty", { $1.requirePresence(\Person.tags) },
            good: [{ $0.tags = [""] }], bad: [{ $0.tags = [] }]),
        Case(
            "length", "must have 2 to 4 characters", { $1.require(\Person.lastName, count: 2...4) },
            good: [{ $0.lastName = "äö" }, { $0.lastName = "abcd" }],
            bad: [{ $0.lastName = "a" }, { $0.lastName = "abcde" }, { $0.lastName = "" }]),
        Case(
            "exact length", "must have 3 characters", { $1.require(\Person.nick, count: 3...3) },
            good: [{ $0.nick = "abc" }, { $0.nick = nil }], bad: [{ $0.nick = "ab" }, { $0.nick = "" }]),
        Case(
            "count", "must have at most 2 elements", { $1.require(\Person.tags, count: ...2) },
            good: [{ $0.tags = [] }, { $0.tags = ["a", "b"] }], bad: [{ $0.tags = ["a", "b", "c"] }]),
        Case(
            "count of what may be nil", "must have at least 1 elements", { $1.require(\Person.marks, count: 1...) },
            good: [{ $0.marks = nil }, { $0.marks = [1] }], bad: [{ $0.marks = [] }]),
        Case(
            "range", "must be 0 to 150", { $1.require(\Person.age, in: 0...150) },
            good: [{ $0.age = 0 }, { $0.age = 150 }], bad: [{ $0.age = -1 }, { $0.age = 151 }]),
        Case(
            "half-open range", "must be at least 1 and less than 3", { $1.require(\Person.age, in: 1..<3) },
            good: [{ $0.age = 2 }], bad: [{ $0.age = 3 }]),
        Case(
            "range of what may be nil", "must be less than 3.0", { $1.require(\Person.height, in: ..<3) },
            good: [{ $0.height = nil }, { $0.height = 2.9 }], bad: [{ $0.height = 3 }, { $0.height = .nan }]),
        Case(
            "own message", "is not old enough", { $1.require(\Person.age, in: 18..., "is not old enough") },
            good: [{ $0.age = 18 }], bad: [{ $0.age = 17 }]),
        Case(
            "inclusion", "must be one of the allowed values", { $1.require(\Person.status, in: [.active]) },
            good: [{ $0.status = .active }], bad: [{ $0.status = .gone }]),
        Case(
            "inclusion of what may be nil", "must be one of the allowed values",
            { $1.require(\Person.former, in: [.gone]) },
            good: [{ $0.former = nil }, { $0.former = .gone }], bad: [{ $0.former = .active }]),
        Case(
            "exclusion", "is not allowed", { $1.require(\Person.lastName, notIn: ["admin", "root"]) },
            good: [{ $0.lastName = "Admin" }], bad: [{ $0.lastName = "root" }]),
        Case(
            "exclusion of what may be nil", "is not allowed", { $1.require(\Person.nick, notIn: ["admin"]) },
            good: [{ $0.nick = nil }, { $0.nick = "a" }], bad: [{ $0.nick = "admin" }]),
        Case(
            "format", "does not have the required format", { $1.require(\Person.lastName, matches: /[0-9]{2,3}|x/) },
            good: [{ $0.lastName = "12" }, { $0.lastName = "123" }, { $0.lastName = "x" }],
            bad: [{ $0.lastName = "1234" }, { $0.lastName = "12\n" }, { $0.lastName = "" }]),
        Case(
            "format of what may be nil", "is no number", { $1.require(\Person.nick, matches: /\d+/, "is no number") },
            good: [{ $0.nick = nil }, { $0.nick = "1" }], bad: [{ $0.nick = "a" }, { $0.nick = "" }]),
        Case(
            "pattern", "does not have the required format", { $1.require(\Person.lastName, matches: "a|ab|[0-9]+") },
            good: [{ $0.lastName = "a" }, { $0.lastName = "ab" }, { $0.lastName = "42" }],
            bad: [{ $0.lastName = "abc" }, { $0.lastName = "42\n" }, { $0.lastName = "é42" }]),
        Case(
            "pattern of what may be nil", "does not have the required format",
            { $1.require(\Person.nick, matches: "(?i)x+") },
            good: [{ $0.nick = nil }, { $0.nick = "Xx" }], bad: [{ $0.nick = "y" }]),
        Case(
            "empty pattern", "does not have the required format", { $1.require(\Person.nick, matches: "") },
            good: [{ $0.nick = "" }], bad: [{ $0.nick = "y" }]),
        Case(
            "one's own", "is odd", { $1.require($0.age.isMultiple(of: 2), \Person.age, "is odd") },
            good: [{ $0.age = 2 }], bad: [{ $0.age = 3 }]),
    ]

    @Test(arguments: cases)
    func validators(of example: Case) throws {
        try withTemporarySession { _, _ throws in
            let person = Person()
            person.rule = example.rule
            for set in example.good {
                set(person)
                #expect(try person.problems.map(\.message) == [])
            }
            for set in example.bad {
                set(person)
                #expect(try person.problems.map(\.message) == [example.message])
                let error = #expect(throws: StoreError.self) { () throws in try person.save() }
                #expect(error?.code == .invalid && person.isNew)
            }
        }
    }

    @Test(arguments: ["(", "a)|(b", "[z-a]"])
    func `an invalid pattern is an error`(pattern: String) throws {
        try withTemporarySession { _, _ throws in
            let person = Person()
            person.rule = Rule { $1.require(\Person.lastName, matches: pattern) }
            let error = #expect(throws: StoreError.self) { () throws in try person.save() }
            #expect(error?.code == .misuse && "\(error as Any)".contains("not a regular expression"))
        }
    }
}
