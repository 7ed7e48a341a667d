// expect: cannot assign to property: 'id'
// An id is given by the store, never by the user.
import PersistentObjects

func mistake(_ person: Person) { person.id = 7 }
