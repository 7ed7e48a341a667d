// expect: the class has no such property
// `deleteBy` reports the mistake like `findBy`.
import PersistentObjects

func mistake() throws -> Int { try Person.deleteBy.lastNme("x") }
