// expect: the class has no such property
// A typed finder of a property that the class does not have.
import PersistentObjects

func mistake() throws -> [Person] { try Person.findBy.lastNme("x") }
