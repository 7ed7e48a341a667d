// Classes as values, and as arguments of generic code.
import PersistentObjects

protocol Named { var name: String { get } }

class Company: PersistentObject, Named {
    var name = ""
}

final class Person: PersistentObject, Named {
    var name = ""
    var employer: Company?
}

func load<T: PersistentObject>(_ type: T.Type) throws -> [T] { try type.all() }
func loadAny<T: Persistent>(_: T.Type, _ id: Int64) throws -> T? { try T.find(id) }
func loadNamed<T: PersistentObject & Named>(_: T.Type) throws -> [String] { try T.all().map(\.name) }
func saveAll(_ objects: [PersistentObject]) throws { for object in objects { try object.save() } }
func saveSome(_ object: some Persistent) throws { try object.save() }
func saveAny(_ object: any Persistent) throws { try object.save() }
func newest<T: Persistent>(of _: T.Type) throws -> (some Persistent)? { try T.all().last }
func anyOf(_ first: Bool) -> any Persistent { first ? Person() : Company() }

final class Box<Element: PersistentObject> {
    var element: Element?
    func load(_ id: Int64) throws { element = try Element.find(id) }
}

struct List<Element: Persistent> {
    var elements: [Element] = []
    mutating func load() throws { elements = try Element.all() }
    mutating func load(_ id: PersistentID<Element>) throws { elements = [try Element.find(id)].compactMap { $0 } }
}

func useGenerics(_ person: Person) throws {
    print(try load(Person.self), try loadAny(Company.self, 3) as Any, try loadNamed(Person.self))
    try saveAll([person, Company()])
    try saveSome(person)
    try saveAny(person)
    print(try newest(of: Person.self) as Any, anyOf(true).id as Any)
    let box = Box<Person>()
    try box.load(3)
    var list = List<Company>()
    try list.load()
    print(list.elements, box.element as Any)
}

func useClassesAsValues() throws {
    let types: [PersistentObject.Type] = [Person.self, Company.self]
    for type in types {
        print(type.tableName, type.indexes, try type.all(), try type.count(), type.init())
    }
    let type: Company.Type = Company.self
    print(try type.findByName("x"), try type.findBy.name("x"), type == Company.self)
    let any: any Persistent.Type = Person.self
    print(any.init(), any)
}

func useBases(_ object: PersistentObject) throws {
    if let person = object as? Person { print(person.name) }
    if let named = object as? any Named { print(named.name) }
    let people = [object].compactMap { $0 as? Person }
    let boxed: AnyObject = object
    print(people, boxed === object, type(of: object).tableName, object.id as Any, Mirror(reflecting: object))
}

func useKeyPaths(_ people: [Person]) -> [String] {
    let path: ReferenceWritableKeyPath<Person, String> = \.name
    for person in people { person[keyPath: path] = "x" }
    return people.map(\.name) + people.compactMap(\.employer?.name)
}
