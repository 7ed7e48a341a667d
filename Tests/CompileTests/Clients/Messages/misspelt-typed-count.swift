// expect: the class has no such property
// `countBy` reports the mistake like `findBy`.
import PersistentObjects

func mistake() throws -> Int { try Person.countBy.lastNme("x") }
