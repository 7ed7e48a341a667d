// expect: cannot convert value of type 'Int' to expected argument type 'String'
// A property is compared with values of its type. The message must not claim that the property does not exist.
import PersistentObjects

func mistake() -> Query<Person> { Person.where { $0.lastName == 3 } }
