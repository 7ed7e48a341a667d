// Queries, as listed in the public API under this heading, except `updates()`, and the lines under "Finding" that are
// not in the client of that name. `expect` pins the result type of each line, because it accepts no other type.
import Foundation
import PersistentObjects

nonisolated enum Status: String, Codable {
    case active
    case retired
}

class Person: PersistentObject {
    var firstName = ""
    var lastName = ""
    var nick: String?
    var email: String?
    var age: Int?
    var size = 0
    var status = Status.active
    var isActive = true
    var born = Date()
    var tags: [String] = []
    var employer: Company?
    @Lazy var photo: Data?
    @Lazy var mentor: Person?
    @Inverse(\Order.customer) var orders: [Order]
}

class Company: PersistentObject {
    var name = ""
}

class Order: PersistentObject {
    var total = 0.0
    var customer: Person?
}

func expect<T>(_: T.Type, _ value: T) { print(value) }

nonisolated let initials = SQLFunction("initials", argumentCount: 2) { arguments in
    let (first, last): (String, String) = (try arguments.value(0), try arguments.value(1))
    return .text("\(first.prefix(1))\(last.prefix(1))")
}

class Named: PersistentObject {
    override class var finderOperators: [FinderOperator] {
        [
            FinderOperator("HasInitials") { (name: Term<String, String?>, sought: String) in
                initials(name, name, as: String.self) == sought
            },
            FinderOperator("Empty2") { (name: Term<String, String?>) in name == "" },
            FinderOperator("Within") { (place: Term<Double, Double?>, from: Double, to: Double?) in
                place.isIn(from...(to ?? from))
            },
        ]
    }
    var name = ""
}

final class Renamed: Named {
    override class var finderOperators: [FinderOperator] {
        super.finderOperators + [
            FinderOperator("AtLeast") { (count: Term<Int, Int?>, least: Int) in count >= least }
        ]
    }
}

func functions(_ acme: Company) throws {
    let round = SQLFunction.named("round")
    let query = Person.where {
        initials($0.firstName, $0.lastName, as: String.self) == "JS" && round($0.size, 2, as: Double.self) > 3
            && SQLFunction.named("like")("J%", $0.nick ?? $0.firstName, as: Bool.self)
            && !round($0.age, $0.isActive, acme, Status.active, as: Bool.self)
            || initials("J", "S", as: String.self) != nil
    }
    expect(
        [String?].self,
        try query.order { round($0.size, as: Int.self) }.values { initials("a", $0.nick, as: String.self) })
    expect([String].self, try query.values { $0.lastName.uppercased() })
    expect([Renamed].self, try Renamed.findByNameHasInitials("JS"))
}

func conditions(_ acme: Company) throws {
    let query = Person.where {
        $0.age > 30 && ($0.lastName.hasPrefix("S") || $0.employer.name == "Acme") && !$0.tags.contains("x")
    }.order(by: \.lastName).order(by: \.age, .descending).limit(10).offset(20)
    expect([Person].self, try query.all())
    let other = Person.where {
        $0.nick == nil || $0.status == .active && $0.isActive && $0.age.isIn(18...30) && $0.orders.any { $0.total > 9 }
    }
    expect(Person?.self, try other.first())
    expect(Person.self, try other.single())
    expect(Int.self, try Person.where { $0.employer == acme && $0.born.year == 2000 }.count())
    expect(Bool.self, try Person.where { ($0.nick ?? $0.lastName) == "x" || $0.size * 2 > $0.size + 1 }.exists())
    expect([Int64].self, try Person.where { $0.employer.isIn(Company.where { $0.name.contains("x") }) }.ids())
}

func endings(_ q: Query<Person>, _ last: Person) throws {
    expect(Int?.self, try q.sum(\.age))
    expect(Double?.self, try q.average(\.age))
    expect(Int?.self, try q.min(\.age))
    expect(String?.self, try q.max(\.lastName))
    expect(Double.self, try q.total(\.age))
    expect(String.self, try q.concatenated(\.lastName, separator: ", "))
    let pairs = try q.values(of: \.lastName, \.age)
    expect(String?.self, pairs.first?.0)
    expect([String].self, try q.values(of: \.lastName))
    expect([String].self, try q.distinct(\.lastName))
    expect([Person].self, try q.distinct.all())
    expect([String: [Person]].self, try q.grouped(by: \.lastName))
    expect([String: Int].self, try q.counted(by: \.lastName))
    expect([Person].self, try q.including(\.mentor, \.photo).all())
    expect([Person].self, try q.page(2, of: 20).items)
    expect([Person].self, try q.after(last, limit: 20))
    expect(
        Int.self,
        try q.update {
            $0.size += 1
            $0.lastName = $0.firstName + "x"
            $0.status = .active
            $0.nick = nil
        })
    try q.update { $0.age = 3 }
    try q.delete()
    try q.forEachBatch(of: 500) { batch in print(batch.count) }
    try q.forEach { person in print(person.lastName) }
    expect(Person.self, try q.lazily()[17])
    expect([Person].self, try q.untracked().all())
    expect(String.self, try q.explain())
    expect(String.self, q.sql)
    expect([Person].self, try q.findBy.age(3))
}

func borrowed(_ q: Query<Person>, _ zone: TimeZone) throws {
    let ages = [20, 30]
    let isOld = Person.condition { $0.age > 60 }
    expect([Person].self, try Person.where { ages.contains($0.age) && Set(ages).contains($0.size) }.all())
    expect([Person].self, try Person.where { (30...40).contains($0.age) || (1...).contains($0.size) }.all())
    expect([Person].self, try Person.where(isOld).where(!isOld).all())
    expect([Person].self, try q.first(3))
    expect([Person].self, try q.last(3))
    expect([Person].self, try Person.first(3) + Person.last(3))
    expect(Person?.self, try q.first())
    expect(Int.self, try q.count { $0.age > 3 })
    expect(Int.self, try Person.count { $0.age > 3 && $0.isActive })
    expect(Int.self, try q.where { $0.orders.count { $0.total > 9 } > 2 }.count())
    expect([Person].self, try q.order(by: \.lastName, \.firstName).order(by: \.age, .descending).all())
    expect([Person].self, try q.lazily().prefix(2))
    expect([Person].self, try q.where { $0.born.day(in: zone) == 14 && $0.born.month == 3 }.all())
    expect([Int?: Int].self, try q.counted(by: { $0.born.month(in: zone) }))
}

func groups(_ q: Query<Person>, _ zone: TimeZone) throws {
    expect([(Int?, Int)].self, try q.groups { $0.age }.values { $0.count })
    expect([(String, Bool, Int)].self, try q.groups { ($0.lastName, $0.nick == nil) }.values { $0.count })
    expect([(Bool, Int, Double?)].self, try q.groups { $0.isActive }.values { ($0.count, $0.average(\.age)) })
    expect(
        [(Bool, Bool, Int)].self, try q.groups { ($0.age > 3, $0.isActive) }.having { $0.count > 1 }.values { $0.count }
    )
    let parts = try q.groups { ($0.born.year(in: zone), $0.born.month(in: zone), $0.employer) }.values { $0.count }
    expect([(Int?, Int?, Company?, Int)].self, parts)
}

func stream(_ q: Query<Person>) async throws {
    for try await person in q.stream() { print(person.lastName) }
}

extension Query where T == Person {
    var adults: Query<Person> { self.where { $0.age >= 18 } }
}

func scopes() throws { expect([Person].self, try Person.query.adults.all()) }

func byName() throws {
    let ages = try Person.findByLastNameAndAgeGreaterThan("Smith", 30)
    expect([Person].self, ages)
    let count: Int = try Person.countByAgeBetween(18, 30)
    let total: Double? = try Person.sumOfAge()
    let oldest: Int? = try Person.maxOfAgeByLastName("Smith")
    let ids: [Int64] = try Person.idsByAge(3)
    print(count, total ?? 0, oldest ?? 0, ids)
    expect([Person].self, try Person.findByAgeIn([1, 2], limit: 5, offset: 1))
    try Person.checkFinders(["findByLastName"])
}

func byKeyPath() throws {
    expect([Person].self, try Person.findBy.age(in: 18...30))
    expect([Person].self, try Person.findBy.age(in: [1, 2]))
    expect([Person].self, try Person.findBy.age(not: nil))
    expect([Person].self, try Person.findBy.age(greaterThan: 3))
    expect([Person].self, try Person.findBy.age(atLeast: 3))
    expect([Person].self, try Person.findBy.age(lessThan: 3))
    expect([Person].self, try Person.findBy.age(atMost: 3))
    expect([Person].self, try Person.findBy.age(notIn: [3]))
    expect([Person].self, try Person.findBy.lastName(like: "S%"))
    expect([Person].self, try Person.findBy.lastName(startingWith: "S"))
    expect([Person].self, try Person.findBy.lastName(endingWith: "h"))
    expect([Person].self, try Person.findBy.lastName(containing: "m"))
    expect([Person].self, try Person.findBy.lastName(matching: "^S"))
    expect([Person].self, try Person.findBy.tags(containing: "x"))
    expect(Person.self, try Person.findOrCreateBy.email("a@b.c"))
}
