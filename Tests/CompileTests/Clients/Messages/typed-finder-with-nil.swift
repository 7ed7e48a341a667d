// expect: 'nil' is not compatible with expected argument type 'String'
// A typed finder of a property that is never nil does not accept nil.
import PersistentObjects

func mistake() throws -> [Person] { try Person.findBy.lastName(nil) }
