// expect: cannot convert value of type 'String' to expected argument type 'Int'
// A typed finder accepts values of the property's type only.
import PersistentObjects

func mistake() throws -> [Person] { try Person.findBy.age("x") }
