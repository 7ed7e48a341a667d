// expect: use find to find an object by its id
// An object is fetched by its id with `find`.
import PersistentObjects

func mistake() throws -> Person? { try Person.get(1) }
