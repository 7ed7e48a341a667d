// expect: use try object.save() or try session.save(objects) instead
import PersistentObjects

func store(_ person: Person) throws { try Person.insert(person) }
