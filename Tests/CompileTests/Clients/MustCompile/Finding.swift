// Finding, as listed in the public API under this heading; the operators are in the client "Queries". `expect` pins
// the result type of each line, because it accepts no other type.
import Foundation
import PersistentObjects

nonisolated enum Status: String, Codable {
    case active
    case retired
}

class Person: PersistentObject {
    var lastName = ""
    var email: String?
    var age: Int?
    var size = 0
    var status = Status.active
    var isActive = true
    var born: Date?
    var tags: [String] = []
    var employer: Company?
}

class Company: PersistentObject {
    var name = ""
}

func expect<T>(_: T.Type, _ value: T) { print(value) }

func findByID(_ id: PersistentID<Person>) throws {
    expect(Person?.self, try Person.find(7))
    expect(Person?.self, try Person.find(id))
    expect([Person].self, try Person.find([1, 2, 3]))
    expect([Person].self, try Person.find(Set<Int64>([1, 2])))
    expect([Person].self, try Person.find(1...9))
}

func findAll() throws {
    expect([Person].self, try Person.all())
    expect(Person?.self, try Person.first())
    expect(Int.self, try Person.count())
    try Person.deleteAll()
    if let person = try Person.first() { print(person.lastName) }
    for person in try Person.all() { print(person.lastName) }
}

func dynamicFinders() throws {
    let smiths = try Person.findByLastName("Smith")
    expect([Person].self, smiths)
    print(smiths[0].lastName)
    for person in try Person.findByLastNameAndAgeGreaterThan("Smith", 30) { print(person.lastName) }
    try Person.findByAge(nil).forEach { print($0.lastName) }
    print(try Person.findByAgeBetween(18, 30).map(\.lastName))
    _ = try Person.findByStatus(Status.active)
    _ = try Person.findByEmployer(Company())
}

func dynamicFirst() throws {
    if let joe = try Person.findFirstByLastName("Smith") { print(joe.lastName) }
    guard let ann = try Person.findFirstByLastName("Smith") else { return }
    let jim: Person? = try Person.findFirstByLastName("Smith")
    let name = try Person.findFirstByLastName("Smith")?.lastName
    let sure = try Person.findFirstByLastName("Smith") ?? Person()
    let cast = try Person.findFirstByLastName("Smith") as Person?
    expect(Person.self, ann)
    expect(Person?.self, jim)
    expect(String?.self, name)
    expect(Person.self, sure)
    expect(Person?.self, cast)
    if try Person.findFirstByLastName("Smith") == nil { print("nobody") }
    let tried: Person? = try? Person.findFirstByLastName("Smith")
    print(tried as Any)
}

func dynamicAnswers() throws {
    let ann: Person = try Person.findOnlyByLastName("Smith")
    let n: Int = try Person.countByAgeBetween(18, 30)
    let some = try Person.countByAge(3) > 0
    let none = try Person.countByAge(3) == 0
    let more = try Person.countByAge(3) + 1
    if try Person.existsByEmail("a@b.c") { print("there") }
    let exists: Bool = try Person.existsByEmail("a@b.c")
    let gone: Int = try Person.deleteByTagsContaining("old")
    try Person.deleteByLastName("Smith")
    expect(Bool.self, some)
    expect(Bool.self, none)
    expect(Int.self, more)
    print(ann, n, exists, gone)
}

func dynamicOptions() throws {
    expect([Person].self, try Person.findByLastName("Smith", .limit(5)))
    let page = try Person.findByLastName("Smith", .order(by: \Person.age, .descending), .offset(10), .limit(5))
    print(page.map(\.lastName))
    for person in try Person.listOrderByAge(.limit(3)) { print(person.lastName) }
    expect([Person].self, try Person.findByAge(nil, .order(by: "lastName"), .including(\Person.employer, \Person.tags)))
    _ = try Person.findByAge(3, .order(by: "age"), limit: 3)
    if let oldest = try Person.findByStatus(Status.active, .order(by: \Person.age, .descending)) {
        print(oldest.lastName)
    }
    let third: Person? = try Person.findByAge(3, .offset(2))
    let only: Person = try Person.findOnlyByAge(3, .including(\Person.employer))
    let n: Int = try Person.countByAge(3, .limit(10))
    let ids: [Int64] = try Person.idsByAge(3, .order(by: "age", .descending))
    let gone: Int = try Person.deleteByAge(3, .limit(1))
    let isMore: Bool = try Person.existsByAge(3, .offset(10))
    let oldest: Int? = try Person.maxOfAge(.limit(3))
    let option = FinderOption.limit(only.size)
    let finder = Person.findByAge
    print(
        third as Any, n, ids, gone, isMore, oldest as Any, try finder(3, option),
        try finder(4, n > 3 ? .limit(1) : .limit(2)))
}

func finderAsValue() throws {
    let finder = Person.findByLastName
    expect([Person].self, try finder("Smith"))
    let one: Person? = try finder("Smith")
    print(one as Any)
}

func typedFinders(_ acme: Company) throws {
    expect([Person].self, try Person.findBy.lastName("Smith"))
    expect([Person].self, try Person.findBy.age(3))
    expect([Person].self, try Person.findBy.age(nil))
    expect([Person].self, try Person.findBy.size(3))
    expect([Person].self, try Person.findBy.email("a@b.c"))
    expect([Person].self, try Person.findBy.born(Date()))
    expect([Person].self, try Person.findBy.isActive(true))
    expect([Person].self, try Person.findBy.status(.active))
    expect([Person].self, try Person.findBy.employer(acme))
    expect([Person].self, try Person.findBy.employer(nil))
    expect([Person].self, try Person.findBy.id(7))
    let years = 3
    let noName: String? = nil
    expect([Person].self, try Person.findBy.age(years))
    expect([Person].self, try Person.findBy.email(noName))
}

func typedSisters() throws {
    expect(Person?.self, try Person.findFirstBy.email("a@b.c"))
    if let person = try Person.findFirstBy.email("a@b.c") { print(person.lastName) }
    let person = try Person.findFirstBy.lastName("Smith")
    print(person?.lastName as Any)
    expect(Int.self, try Person.countBy.age(3))
    expect(Int.self, try Person.countBy.age(nil))
    expect(Person.self, try Person.findOnlyBy.email("a@b.c"))
    expect(Bool.self, try Person.existsBy.age(3))
    if try Person.existsBy.age(3) { print("there") }
    let gone = try Person.deleteBy.age(3)
    expect(Int.self, gone)
    try Person.deleteBy.age(3)
}

func criteriaText() throws {
    expect([Person].self, try Person.findByCriteria("WHERE last_name = ? ORDER BY age", "Smith"))
    expect([Person].self, try Person.findByCriteria("ORDER BY age LIMIT 3"))
    expect(Person?.self, try Person.findFirstByCriteria("WHERE last_name = ? AND age > ?", "Smith", 30))
    expect(Int.self, try Person.countByCriteria("WHERE age IS ?", nil))
    expect([Person].self, try Person.findByCriteria("WHERE age IN (?) AND status IN ?", [1, 2], [Status.active]))
}
func searching() throws {
    expect(Query<Person>.self, Person.search("smi*"))
    expect([Person].self, try Person.search("smi*").where { $0.age > 3 }.limit(10).all())
    expect([Person].self, try Person.where { $0.age > 3 }.search("\"a phrase\"").order(by: \.age).all())
    for (person, snippet) in try Person.search("smi*").snippets(of: \.lastName, around: 8, marking: ("[", "]")) {
        print(person.lastName, snippet)
    }
}
