// References, collections of objects and inverses, in classes of three levels.
import Foundation
import PersistentObjects

class Person: PersistentObject {
    var lastName = ""
    // References.
    var employer: Company?
    weak var emergencyContact: Person?
    @Lazy var mentor: Person?
    @OnDelete(.cascade) var passport: Passport?
    @OnDelete(.deny) var bank: Bank?
    @Column("boss_id") var boss: Person?
    @Lazy @OnDelete(.cascade) var diary: Diary? = nil
    @Unique @OnDelete(.nullify) var locker: Locker? = nil
    @Transient var companion: Person?
    // Large values and collections.
    @Lazy var photo: Data?
    @Lazy var letters: [String] = []
    var friends: [Person] = []
    var clubs: Set<Club> = []
    var rooms: [String: Room] = [:]
    var formerClubs: [Club]?
    @OnDelete(.cascade) var notes: [Note] = []
    @Lazy @OnDelete(.deny) var loans: [Note] = []
    // One-to-many, one-to-one, self-referencing and many-to-many relations.
    @Inverse(\Pet.owner) var pets: [Pet]
    @Inverse(\Pet.owner, onDelete: .cascade) var ownPets: [Pet]
    @OnDelete(.cascade) @Inverse(\Pet.owner) var allPets: [Pet] = []
    @Inverse(\License.holder) var license: License?
    @Inverse(\Person.boss) var staff: [Person]
    @Inverse(\Person.friends) var friendOf: [Person]

    override class var deleteRules: [String: DeleteRule] { ["companies": .deny, "employer": .nullify] }
    @Inverse(\Company.owners) var companies: [Company]
}

class Employee: Person {
    @Lazy var deputy: Employee?
    @Inverse(\Employee.deputy) var deputyOf: [Employee]
    @Inverse(\Company.director, onDelete: .deny) var directs: Company?

    convenience init(at company: Company) {
        self.init()
        employer = company
    }
}

final class Director: Employee {
    @OnDelete(.deny) var reports: [Employee] = []
    @Inverse(\Director.successor) var predecessor: Director?
    var successor: Director?
}

final class Pet: PersistentObject {
    var name = ""
    var owner: Person?
}

final class License: PersistentObject {
    @Unique var holder: Person?
}

final class Company: PersistentObject {
    var director: Employee?
    var owners: [Person] = []
    @Inverse(\Person.employer) var people: [Person]
}

final class Club: PersistentObject {
    @Inverse(\Person.clubs) var members: [Person]
}

final class Passport: PersistentObject {}
final class Bank: PersistentObject {}
final class Diary: PersistentObject {}
final class Locker: PersistentObject {}
final class Room: PersistentObject {}
final class Note: PersistentObject {}

func use(_ person: Person) throws {
    let pet = Pet()
    pet.owner = person
    person.pets = [pet]
    person.pets.append(Pet())
    person.pets.removeAll { $0.name.isEmpty }
    person.license = License()
    person.friends += [person]
    person.clubs.insert(Club())
    person.rooms["one"] = Room()
    person.photo = Data([1])
    person.photo?.append(2)
    person.letters.append("x")
    person.mentor = person
    person.staff[0].boss = nil
    try person.save()

    let photo: Data? = try person.$photo.load()
    let mentor: Person? = try person.$mentor.load()
    let pets: [Pet] = try person.$pets.load()
    let license: License? = try person.$license.load()
    try person.$letters.load()
    let problem: (any Error)? = person.$photo.problem
    print(photo as Any, mentor as Any, pets, license as Any, problem as Any)
    print(person.$photo.isLoaded, person.$pets.isLoaded, person.$pets.problem as Any)
    print(person.mentor?.mentor?.lastName ?? "", person.pets.first?.owner === person, person.clubs.count)
    for club in person.clubs { print(club.members.map(\.lastName)) }
}

func find() throws {
    let company = Company()
    try company.save()
    let byEmployer: [Person] = try Person.findBy.employer(company)
    let byName: [Person] = try Person.findByEmployer(company)
    let pets: [Pet] = try Pet.findBy.owner(byEmployer.first)
    let director = Director()
    director.deputy = Employee(at: company)
    director.successor = director
    director.reports = [director]
    try director.save()
    print(byName, pets, director.deputyOf, director.directs as Any, director.predecessor === director)
    let rule: DeleteRule = Person.deleteRules["companies"] ?? .nullify
    print(rule == .deny)
}

@MainActor final class Album {
    var people: [Person] = []

    func load() throws {
        people = try Person.all()
        for person in people { try person.$photo.load() }
    }
}

actor Registry {
    func names() throws -> [String] {
        try Person.all().flatMap { try $0.$pets.load().map(\.name) + [$0.mentor?.lastName ?? ""] }
    }
}

func namesOf(_ store: Store) async throws -> [String] {
    try await store.perform { _ in try Person.all().flatMap { person in try person.$pets.load().map(\.name) } }
}
