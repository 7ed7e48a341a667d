// expect: save the object: try object.save(), or try session.save(objects)
import PersistentObjects

func store(_ person: Person) throws { try Person.insert(person) }
