// The classes that the clients of MustFail, LeftToTheRunTime and Messages use.
import PersistentObjects

class Person: PersistentObject {
    var lastName = ""
    var age: Int?
    @Indexed var nick = ""
    var employer: Company?
}

class Company: PersistentObject {
    var name = ""
}
