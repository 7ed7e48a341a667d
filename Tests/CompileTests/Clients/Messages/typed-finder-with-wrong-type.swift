// expect: cannot convert value of type 'String' to expected argument type 'Int'
// A typed finder knows the property's type.
import PersistentObjects

func mistake() throws -> [Person] { try Person.findBy.age("x") }
