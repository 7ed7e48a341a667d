@testable import PersistentObjects

/// Classes of a small app: a person, an employee with its own table, and a company that refers to employees.
enum Apart {
    class Person: PersistentObject {
        @Searchable var name = ""
        @Unique var mail: String?
        var tags: [String] = []
        var friend: Person?
    }

    class Employee: PersistentObject {
        @Searchable var name = "nobody"
        @Unique var mail: String?
        var tags: [String] = []
        var salary = 100
        @Indexed var nick: String?
        var boss: Employee?
        var mates: [Employee] = []
        var helpers: [String: Employee] = [:]
        var skills: Set<String> = []
        var employer: Company?
    }

    final class Company: PersistentObject {
        var title = ""
        @Indexed var head: Employee?
        var owner: Person?
        var board: [Employee] = []
        @Inverse(\Employee.employer) var staff: [Employee]
    }

    /// A class that version 2 does not use.
    final class Badge: PersistentObject {
        var number = 0
        @OnDelete(.deny) var holder: Employee?
        var former: [Employee] = []
    }
}

/// The same classes with the employee as a subclass.
enum Joined {
    class Person: PersistentObject {
        @Searchable var name = ""
        @Unique var mail: String?
        var tags: [String] = []
        var friend: Person?
    }

    class Employee: Person {
        var salary = 100
        @Indexed var nick: String?
        var boss: Employee?
        var mates: [Employee] = []
        var helpers: [String: Employee] = [:]
        var skills: Set<String> = []
        var employer: Company?
    }

    final class Company: PersistentObject {
        var title = ""
        @Indexed var head: Employee?
        var owner: Person?
        var board: [Employee] = []
        @Inverse(\Employee.employer) var staff: [Employee]
    }

    final class Badge: PersistentObject {
        var number = 0
        @OnDelete(.deny) var holder: Employee?
        var former: [Employee] = []
    }
}
