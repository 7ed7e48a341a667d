// expect: an object is found by its id with find
// An object is found by its id with `find`.
import PersistentObjects

func mistake() throws -> Person? { try Person.get(1) }
