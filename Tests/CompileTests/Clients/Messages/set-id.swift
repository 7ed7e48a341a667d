// expect: cannot assign to property: 'id'
// The store assigns the id, never the program.
import PersistentObjects

func mistake(_ person: Person) { person.id = 7 }
