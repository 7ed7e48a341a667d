// expect: use try query.exists() instead
// Whether there are objects is read from the file.
import PersistentObjects

func mistake() -> Bool { Person.query.isEmpty }
