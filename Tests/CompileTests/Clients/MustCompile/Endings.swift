// Calls for one object and calls for many, and ids of any integer type.
import PersistentObjects

class Person: PersistentObject {
    var lastName = ""
    var employer: Company?
}

class Company: PersistentObject {
    var name = ""
}

func expect<T>(_: T.Type, _ value: T) { print(value) }

func findBy(_ number: Int, _ id: Int64, _ numbers: [Int], _ ids: Set<Int64>) throws {
    expect(Person?.self, try Person.find(number))
    expect(Person?.self, try Person.find(id))
    expect(Person?.self, try Person.find(7))
    expect([Person].self, try Person.find(numbers))
    expect([Person].self, try Person.find(ids))
    expect([Person].self, try Person.find([]))
    expect([Person].self, try Person.find([1, 2]))
    expect([Person].self, try Person.find(1...3))
    expect(Person?.self, try Person.last())
    expect(Person?.self, try Person.findLastBy.lastName("Smith"))
    expect(Person?.self, try Person.query.order(by: \.lastName).last())
}

func join() throws {
    expect([(Person, Company)].self, try Person.join(Company.self) { $0.employer == $1 }.all())
    expect([(Person, Company?)].self, try Person.leftJoin(Company.self) { $0.employer == $1 }.all())
    expect([(Company, Person)].self, try Company.join(Person.self) { $0 == $1.employer && $1.lastName != "" }.all())
}

func one(_ session: Session, _ person: Person, _ any: any Persistent) throws {
    try session.save(person)
    try session.save(any)
    try session.save([person])
    try session.save([person, Company()])
    try session.delete(person)
    try session.delete([person])
}

func lists() throws {
    let people = try Person.query.lazily()
    try people.forEach { print($0.lastName) }
    expect([String].self, try people.map(\.lastName))
    expect(Person?.self, try people.first ?? people.last)
    for place in people.indices { expect(Person.self, try people[place]) }
}

func inBackground(_ store: Store) async throws {
    try await store.perform { session in
        let person = Person()
        try session.save(person)
        try session.delete(person)
    }
}
