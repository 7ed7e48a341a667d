// expect: cannot convert value of type 'Int' to expected argument type 'String'
// A property is compared with values of its type; that it is there is not denied.
import PersistentObjects

func mistake() -> Query<Person> { Person.where { $0.lastName == 3 } }
