// Validation, hooks, options of a save, and the properties of a session.
import Foundation
import PersistentObjects

nonisolated enum Status: String {
    case active
    case retired
}

class Person: PersistentObject {
    var lastName = ""
    @Unique var email: String?
    var age: Int?
    var height = 1.8
    var tags: [String] = []
    var status = Status.active
    var employer: Company?
    var friends: [Person] = []
    @Lazy var photo: Data?
    var createdAt = Date()
    var updatedAt: Date?
    // Names of library members that a class can use for its own properties.
    var isValid = true

    override class var timestamps: Bool { false }

    override func validate(_ problems: inout Problems) {
        problems.require(!lastName.isEmpty, \Person.lastName, "must not be empty")
        problems.require(height > 0, "is not there")
        if age == nil { problems.add(\Person.age, \Person.email, message: "must both be there") }
        problems.add("is wrong")
        problems.requirePresence(\Person.lastName)
        problems.requirePresence(\Person.email, "is needed")
        problems.requirePresence(\Person.employer)
        problems.require(\Person.lastName, count: 2...50)
        problems.require(\Person.email, count: ...50, "is too long")
        problems.require(\Person.tags, count: 1...)
        problems.require(\Person.photo, count: 1...)
        problems.require(\Person.age, in: 0...150)
        problems.require(\Person.age, in: [1, 2, 3])
        problems.require(\Person.height, in: 0.5..<3)
        problems.require(\Person.status, in: [.active])
        problems.require(\Person.lastName, notIn: ["admin"])
        problems.require(\Person.email, matches: "[^@]+@[^@]+")
        problems.require(\Person.lastName, matches: "[A-Z].*", "must begin with a capital")
        if let expression = try? Regex("[0-9]+") { problems.require(\Person.lastName, matches: expression) }
        problems.requireUnique(\Person.email)
        problems.requireUnique(\Person.lastName, \Person.age, message: "is there already")
        problems.requireValid(\Person.employer)
        problems.requireValid(\Person.friends)
    }

    override func willSave() throws { lastName = lastName.lowercased() }
    override func willInsert() throws {}
    override func willUpdate() throws {}
    override func willDelete() throws { throw CancellationError() }
    override func didInsert() {}
    override func didUpdate() {}
    override func didSave() {}
    override func didDelete() {}
    override func didLoad() {}
}

final class Employee: Person {
    override func validate(_ problems: inout Problems) {
        super.validate(&problems)
        problems.require(\Employee.lastName, count: 1...)
    }

    override func willSave() throws { try super.willSave() }
}

final class Company: PersistentObject {
    var name = ""
}

func save(_ person: Person, _ company: Company, _ session: Session) throws {
    try person.save(.withoutValidation)
    try person.save([.withoutHooks, .shallow, .withoutTimestamps, .ignoring(Company.self, Employee.self)])
    try session.save([person, company], .shallow)
    try session.save([person], [.withoutHooks])
    try session.saveChanges(.ignoring(Company.self))
    let problems: [StoreError.Problem] = try company.problems
    if try company.isValid { print(problems) }
    print(session.debugDescription, session.debugDescription(.long), try session.counts)
}

func report(_ person: Person) {
    do { try person.save() } catch let error as StoreError where error.code == .invalid {
        for problem in error.problems where problem.isAbout(person) {
            print(problem.className, problem.rowID as Any, problem.property as Any, problem.properties, problem.message)
        }
        print(error.problems(of: "email"))
    } catch { print(error) }
}
