import PersistentObjects
import TestSupport
import Testing

@Suite struct SaveTests {
    private final class Person: PersistentObject {
        override class var tableName: String { "person" }
        var lastName = ""
        var age: Int?
    }

    @Test func `a saved object is a row, and is found as the same instance`() throws {
        try withTemporarySession { session, file in
            let joe = Person()
            joe.lastName = "Smith"
            joe.age = 39
            try joe.save()
            #expect(try file.sqlite("SELECT * FROM person") == "1|Smith|39")
            #expect(try Person.find(1) === joe)
        }
    }
}
