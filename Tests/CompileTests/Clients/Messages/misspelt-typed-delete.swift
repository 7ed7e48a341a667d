// expect: the class has no such property
// The one that deletes above all.
import PersistentObjects

func mistake() throws -> Int { try Person.deleteBy.lastNme("x") }
