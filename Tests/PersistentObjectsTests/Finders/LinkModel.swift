import TestSupport
import Testing

@testable import PersistentObjects

/// Classes with references and collections of all kinds.
enum LinkModel {
    final class Country: PersistentObject {
        override class var tableName: String { "country" }
        var name: String?
        @Indexed var code = ""
    }

    final class Company: PersistentObject {
        override class var tableName: String { "company" }
        var name: String? = nil
        var size = 0
        var country: Country?
        var tags: [String] = []
        @Inverse(\Person.employer) var staff: [Person]
    }

    class Pet: PersistentObject {
        override class var tableName: String { "pet" }
        var name: String? = nil
        var age = 0
        var owner: Person?
    }

    final class Dog: Pet { var tricks = 0 }

    final class Club: PersistentObject {
        override class var tableName: String { "club" }
        var name = ""
        var members: [Person] = []
    }

    final class Passport: PersistentObject {
        override class var tableName: String { "passport" }
        var number = 0
        var holder: Person?
    }

    final class Person: PersistentObject {
        override class var tableName: String { "person" }
        var name = ""
        var age: Int?
        var employer: Company?
        var mentor: Person?
        var tags: [String] = []
        var marks: [String: Int] = [:]
        var colours: Set<String>? = nil
        var holes: [Int?] = []
        var friends: [Person] = []
        var roles: [String: Company] = [:]
        @Inverse(\Pet.owner) var pets: [Pet]
        @Inverse(\Dog.owner) var dogs: [Dog]
        @Inverse(\Club.members) var clubs: [Club]
        @Inverse(\Passport.holder) var passport: Passport?
    }

    /// Two companies, one of them in a country. Joe works at Acme, Ann at Globex, Bob nowhere.
    struct Objects {
        let france = Country()
        let acme = Company()
        let globex = Company()
        let joe = Person()
        let ann = Person()
        let bob = Person()
        let rex = Dog()
        let tom = Pet()
        let club = Club()
        let passport = Passport()

        var people: [Person] { [joe, ann, bob] }

        init(_ session: Session) throws {
            (france.name, france.code) = ("France", "FR")
            (acme.name, acme.size, acme.country, acme.tags) = ("Acme", 10, france, ["big", "old"])
            globex.size = 20
            (joe.name, joe.age, joe.employer, joe.tags) = ("Joe", 39, acme, ["x", "y", "x"])
            (ann.name, ann.employer, ann.mentor, ann.marks) = ("Ann", globex, joe, ["maths": 1, "arts": 2])
            (bob.name, bob.mentor, bob.friends, bob.holes) = ("Bob", ann, [joe, ann], [1, nil])
            (joe.friends, ann.colours, bob.colours) = ([bob], ["red"], [])
            bob.roles = ["client": acme]
            (rex.name, rex.owner, rex.age, rex.tricks) = ("Rex", joe, 3, 5)
            (tom.owner, tom.age) = (joe, 4)
            (club.name, club.members) = ("Chess", [joe, bob])
            (passport.number, passport.holder) = (7, ann)
            try session.save([france, acme, globex, joe, ann, bob, rex, tom, club, passport])
        }
    }

    static func with(_ body: (Session, Objects) throws -> Void) throws {
        try withTemporarySession { session, _ in try body(session, try Objects(session)) }
    }

    /// The sorted names of people that a finder found.
    static func names(_ people: [Person]) -> String { people.map(\.name).sorted().joined(separator: " ") }
}
