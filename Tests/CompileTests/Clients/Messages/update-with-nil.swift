// expect: 'nil' cannot be assigned to type 'Term<String, String>'
// A property that is never nil cannot be set to nil.
import PersistentObjects

func mistake() throws { try Person.query.update { $0.lastName = nil } }
