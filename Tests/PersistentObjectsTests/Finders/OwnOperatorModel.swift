import Foundation
import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// Classes with custom finder operators.
enum OwnOperatorModel {
    /// The first letter and the consonants of a string.
    static func sound(_ text: String) -> String {
        text.prefix(1).uppercased() + text.lowercased().dropFirst().filter { !"aeiouy".contains($0) }
    }

    static let soundFunction = SQLFunction("sound", argumentCount: 1, isDeterministic: true) { arguments in
        guard let text: String = try arguments.value(0) else { return .null }
        return .text(sound(text))
    }

    class Model: PersistentObject {
        override class var isAbstract: Bool { true }
        override class var finderOperators: [FinderOperator] {
            [
                FinderOperator("SoundsLike") { (name: Term<String, String?>, sought: String) in
                    soundFunction(name, as: String.self) == soundFunction(sought, as: String.self)
                },
                FinderOperator("Shouted") { (text: Term<String, String?>) in text == text.uppercased() },
                FinderOperator("LengthBetween") { (text: Term<String, String?>, least: Int64, most: Int64?) in
                    most.map { text.count >= Int(least) && text.count <= Int($0) } ?? (text.count >= Int(least))
                },
            ]
        }
    }

    final class Company: Model {
        override class var isAbstract: Bool { false }
        override class var tableName: String { "company" }
        var name = ""
        var motto: String?
    }

    final class Person: Model {
        override class var isAbstract: Bool { false }
        override class var tableName: String { "person" }
        override class var finderOperators: [FinderOperator] {
            super.finderOperators + [
                FinderOperator("NearTo") { (age: Term<Int, Int?>, sought: Int, tolerance: Int) in
                    age.isIn(sought - tolerance...sought + tolerance)
                },
                FinderOperator("AtCompanyNamed") { (employer: Term<Company, Company?>, name: String) in
                    employer.name == name
                },
                FinderOperator("Beside") { (employer: Term<Company, Company?>, other: Company?) in employer != other },
                FinderOperator("WithSome") { (tags: Term<[String], [String]?>, tag: String) in tags.contains(tag) },
                FinderOperator("AnyCalled") { (friends: Term<[Person], [Person]?>, name: String) in
                    friends.any { $0.lastName == name }
                },
                FinderOperator("Above") { (id: Term<Int64, Int64?>, other: Int64) in id > other },
                FinderOperator("After100") { (date: Term<Date, Date?>) in
                    date > Date(timeIntervalSinceReferenceDate: 100)
                },
                FinderOperator("Either") { (flag: Term<Bool, Bool?>, values: [Bool]) in flag.isIn(values) },
            ]
        }
        var lastName = ""
        var nick: String?
        var age: Int?
        var isActive: Bool?
        var since = Date(timeIntervalSinceReferenceDate: 0)
        var employer: Company?
        var boss: Person?
        var friends: [Person] = []
        var tags: [String] = []
    }

    /// Runs the body with random people at three companies.
    static func with(_ seed: UInt64, _ body: (Session, [Person], [Company]) throws -> Void) throws {
        try withTemporarySession(.init(functions: [soundFunction])) { session, _ throws in
            var random = SeededGenerator(seed: seed)
            let names = ["Smith", "Smyth", "SMITH", "Smooth", "Jones", "Janes", "JNS", "", "Ørsted"]
            let companies = ["Acme", "ACME", "Zorg"].enumerated().map { index, name in
                let company = Company()
                (company.name, company.motto) = (name, index == 1 ? nil : names[index])
                return company
            }
            let people = (0..<40).map { _ in
                let person = Person()
                person.lastName = names.randomElement(using: &random) ?? ""
                person.nick = Bool.random(using: &random) ? names.randomElement(using: &random) : nil
                person.age = Bool.random(using: &random) ? Int.random(in: 0...9, using: &random) : nil
                person.isActive = [true, false, nil].randomElement(using: &random) ?? nil
                person.since = Date(timeIntervalSinceReferenceDate: Double(Int.random(in: 98...102, using: &random)))
                person.employer = Bool.random(using: &random) ? companies.randomElement(using: &random) : nil
                person.tags = ["x", "y"].filter { _ in Bool.random(using: &random) }
                return person
            }
            for person in people {
                person.friends = people.filter { _ in UInt8.random(in: 0...15, using: &random) == 0 }
                person.boss = Bool.random(using: &random) ? people.randomElement(using: &random) : nil
            }
            try session.save(people + companies)
            try body(session, people, companies)
        }
    }
}
