// Classes at three levels, with overrides at each.
import PersistentObjects

class Person: PersistentObject {
    @Indexed var lastName = ""
    override class var tableName: String { "people" }
    override class var indexes: [Index] { [Index(\Person.lastName)] }

    func greeting() -> String { "I am \(lastName)" }
}

class Employee: Person {
    @Unique var number = 0
    @Column("pay") var salary: Double?
    var manager: Employee?
    override class var tableName: String { super.tableName }
    override class var formerTableNames: [String] { ["employee"] }
    override class var indexes: [Index] { super.indexes + [Index(\Employee.number, \Employee.lastName, unique: true)] }

    override func greeting() -> String { super.greeting() + ", number \(number)" }

    convenience init(number: Int) {
        self.init()
        self.number = number
    }
}

final class Director: Employee {
    var bonus = 0.0
    var reports: [Employee] = []
    override class var indexes: [Index] { super.indexes + [Index("bonus")] }
    override class var store: Store? { super.store }
    override func greeting() -> String { super.greeting() + ", director" }

    required init() {
        bonus = 1
        super.init()
    }

    init(bonus: Double) {
        self.bonus = bonus
        super.init()
        reports = []
    }
}

class Shape: PersistentObject {
    override class var isAbstract: Bool { true }
    var area: Double { 0 }
}

final class Circle: Shape {
    var radius = 1.0
    override class var isAbstract: Bool { false }
    override var area: Double { radius * radius * 3.14 }
}

/// The isolation of a class can be declared explicitly; `nonisolated` is the default.
nonisolated class Explicit: Person {
    var extra = 0
}

extension Employee {
    var isPaid: Bool { salary != nil }
}

func find() throws {
    let directors: [Director] = try Director.all()
    let employees: [Employee] = try Employee.findByNumber(3)
    let byPerson: [Employee] = try Employee.findBy.lastName("Smith")
    let mixed: [Person] = directors + employees + byPerson
    for person in mixed {
        if let director = person as? Director { print(director.bonus) }
        switch person {
        case let employee as Employee: print(employee.salary as Any, employee.isPaid)
        default: print(person.greeting())
        }
    }
    let director = Director(bonus: 3)
    director.manager = director
    try director.save()
    let id: PersistentID<Director>? = director.persistentID
    let copy: Director = director.copy()
    print(id as Any, copy.changes, try Director(["bonus": 3.0]), Employee(number: 3), Explicit(), Circle().area)
    print(try Director.findFirstBy.number(3)?.bonus as Any)
}
