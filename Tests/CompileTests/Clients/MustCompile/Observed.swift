// `@Observable` classes declare in the class what wrappers would declare, because they cannot have property wrappers.
import Observation
import PersistentObjects

@Observable class Person: PersistentObject {
    var lastName = ""
    var age: Int?
    var selected = false
    var employer: Company?
    // Properties that are not observed can have wrappers.
    @ObservationIgnored @Lazy var photo: [UInt8]?
    @ObservationIgnored @Inverse(\Company.founder) var companies: [Company]
    override class var deleteRules: [String: DeleteRule] { ["employer": .deny, "companies": .cascade] }

    override class var columns: [String: String] { ["lastName": "surname", "age": "years"] }
    override class var transient: Set<String> { ["selected"] }
    override class var indexes: [Index] {
        [Index(\Person.lastName), Index(\Person.age, \Person.lastName, unique: true), Index("lastName", "age")]
    }
}

@Observable final class Employee: Person {
    var number = 0
    override class var columns: [String: String] { super.columns.merging(["number": "no"]) { $1 } }
    override class var transient: Set<String> { super.transient.union(["unsaved"]) }
    override class var indexes: [Index] { super.indexes + [Index(\Employee.number)] }
    @ObservationIgnored var unsaved = 0
}

@Observable final class Company: PersistentObject {
    var name = ""
    var founder: Person?
    var staff: [Person] = []
}

@MainActor @Observable final class Model {
    var people: [Person] = []
    func load() throws { people = try Person.findBy.lastName("Smith") }
}

@MainActor func observe(_ model: Model) throws {
    try model.load()
    withObservationTracking {
        print(model.people.map(\.lastName))
    } onChange: {
        print("changed")
    }
    let employee = Employee()
    employee.number = 3
    employee.companies.append(Company())
    print(try employee.$photo.load() as Any, employee.$companies.isLoaded)
    employee.employer = Company()
    try employee.save()
    print(try Employee.findByNumber(3), try Employee.findBy.lastName("x"))
}
