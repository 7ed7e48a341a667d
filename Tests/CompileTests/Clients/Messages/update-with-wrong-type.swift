// expect: cannot assign value of type 'Int' to type 'Term<String, String>'
// Values are of the property's type.
import PersistentObjects

func mistake() throws { try Person.query.update { $0.lastName = 3 } }
