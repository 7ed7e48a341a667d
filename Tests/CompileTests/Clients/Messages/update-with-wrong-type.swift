// expect: cannot assign value of type 'Int' to type 'Term<String, String>'
// An update accepts values of the property's type only.
import PersistentObjects

func mistake() throws { try Person.query.update { $0.lastName = 3 } }
