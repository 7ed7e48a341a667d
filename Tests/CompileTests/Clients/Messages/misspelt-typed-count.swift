// expect: the class has no such property
// The sisters of `findBy` say the same.
import PersistentObjects

func mistake() throws -> Int { try Person.countBy.lastNme("x") }
