// expect: 'nil' is not compatible with expected argument type 'String'
// A property that is never nil is not looked for as nil.
import PersistentObjects

func mistake() throws -> [Person] { try Person.findBy.lastName(nil) }
