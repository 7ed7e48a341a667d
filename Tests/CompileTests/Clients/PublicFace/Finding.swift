// swift-format-ignore-file
// The public API: "Finding" and "Queries", line by line.
import Foundation
import PersistentObjects

nonisolated struct Home: Codable { var city = "" }
nonisolated struct Address: Codable { var city = ""; var floors: [Int] = [] }
nonisolated enum Status: String, Codable { case active, retired }
class Company: PersistentObject { var name = "" }
class Pet: PersistentObject { var owner: Person?; var age = 0 }
class Order: PersistentObject { var total = 0; var customer: Person? }

class Person: PersistentObject {
    var lastName = ""
    var firstName = ""
    var email: String?
    var age: Int?
    var nick: String?
    @Embedded var home = Home()
    var price = 0
    var count = 0
    var tags: [String] = []
    var marks: [String: Double]? = nil
    var address = Address()
    var status = Status.active
    var isActive = true
    var employer: Company?
    @Lazy var photo: Data?
    @Lazy var mentor: Person?
    @Inverse(\Pet.owner) var pets: [Pet]
    @Inverse(\Order.customer) var orders: [Order]
    var day = Date()
}

func finding() throws {
    let acme = Company()
    try Person.find(7)
    try Person.find([1, 2, 3])
    try Person.all(); try Person.first(); try Person.count(); try Person.deleteAll()

    try Person.findByLastName("Smith")
    try Person.findByLastNameAndAgeGreaterThan("Smith", 30)
    if let joe = try Person.findFirstByLastName("Smith") { }
    let jim: Person? = try Person.findFirstByLastName("Smith")
    let ann: Person = try Person.findOnlyByLastName("Smith")
    let n: Int = try Person.countByAgeBetween(18, 30)
    if try Person.existsByEmail("a@b.c") { }
    let gone: Int = try Person.deleteByTagsContaining("old")
    let total: Double? = try Person.sumOfAge()
    let oldest: Int? = try Person.maxOfAgeByLastName("Smith")
    let ids: [Int64] = try Person.idsByAge(3)
    try Person.findByStatus(Status.active)

    try Person.findBy.lastName("Smith")
    try Person.findBy.age(in: 18...30); try Person.findBy.age(in: [1, 2]); try Person.findBy.age(not: nil)
    try Person.findBy.age(greaterThan: 3)
    try Person.findBy.age(atLeast: 3); try Person.findBy.age(lessThan: 3); try Person.findBy.age(atMost: 3); try Person.findBy.age(notIn: [3])
    try Person.findBy.lastName(like: "S%")
    try Person.findBy.lastName(startingWith: "S"); try Person.findBy.lastName(endingWith: "s"); try Person.findBy.lastName(containing: "m"); try Person.findBy.lastName(matching: "S.*")
    try Person.findBy.tags(containing: "x"); try Person.findBy.status(.active); try Person.findBy.employer(acme)
    try Person.findFirstBy.email("a@b.c")
    try Person.findOnlyBy.email("a@b.c")
    try Person.countBy.age(3); try Person.existsBy.age(3); try Person.deleteBy.age(3)
    try Person.findOrCreateBy.email("a@b.c")

    try Person.findByCriteria("WHERE last_name = ? ORDER BY age", "Smith"); try Person.findFirstByCriteria("…"); try Person.countByCriteria("…")
}

func queries(_ last: Person, _ anyInteger: Int) async throws {
    let q = Person.where { $0.age > 30 && ($0.lastName.hasPrefix("S") || $0.employer.name == "Acme") && !$0.tags.contains("x") }
        .order(by: \.lastName).order(by: \.age, .descending).limit(10).offset(20)
    Person.where { $0.nick == nil || $0.status == .active && $0.isActive && $0.age.isIn(18...30) && $0.orders.any { $0.total > 9 } }
    try q.all(); try q.first(); try q.single(); try q.count(); try q.exists(); try q.ids()
    try q.sum(\.age); try q.average(\.age); try q.min(\.age); try q.max(\.age); try q.total(\.age); try q.concatenated(\.lastName, separator: ", ")
    try q.values(of: \.lastName, \.age)
    try q.distinct(\.lastName); try q.grouped(by: \.lastName)
    try q.counted(by: \.lastName)
    try q.including(\.mentor, \.photo).all()
    try q.page(2, of: 20); try q.after(last, limit: 20)
    try q.update { $0.age += 1; $0.lastName = $0.firstName + "x"; $0.status = .active; $0.nick = nil }
    try q.delete()
    try q.forEachBatch(of: 500) { batch in }; try q.forEach { p in }; try q.lazily()[17]
    for try await p in q.stream() { }
    for try await people in q.updates() { }
    try q.explain(); q.sql
    try q.findBy.age(3)
    Person.where("age > ?", 35).where { $0.nick != nil }
    Person.where { $0.pets.sum(\.age) > 10 && $0.marks["m"] > 1 && $0.address.floors.contains(4) && $0.home.city == "Bonn" }
    try q.sum { $0.price * $0.count }; try q.counted(by: { $0.employer }); try q.counted(by: { $0.day.month }, having: { $0.count > 3 })
    try Person.join(Company.self) { $0.employer == $1 }.all(); try q.last(); try Person.find(anyInteger); Person.query.order(by: .random)
    let finder = Person.findByLastName
    try finder("Smith")
}
