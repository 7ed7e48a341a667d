// expect: use try query.exists() instead
// A check for objects reads the file, so it is a call that can throw.
import PersistentObjects

func mistake() -> Bool { Person.query.isEmpty }
