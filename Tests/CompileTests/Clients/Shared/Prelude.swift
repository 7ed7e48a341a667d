// The classes that the clients of MustFail, LeftToTheRunTime and Messages use.
import PersistentObjects

class Person: PersistentObject {
    var lastName = ""
    var age: Int?
    @Indexed var nick = ""
    var employer: Company?
    @Lazy var photo: [UInt8]?
    @Lazy var mentor: Person?
    var friends: [Person] = []
}

class Company: PersistentObject {
    var name = ""
    @Inverse(\Person.employer) var staff: [Person]
}
