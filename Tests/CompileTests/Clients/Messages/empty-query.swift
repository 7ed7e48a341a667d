// expect: ask try query.exists()
// Whether there are objects is read from the file.
import PersistentObjects

func mistake() -> Bool { Person.query.isEmpty }
