// expect: the class has no such property
// An update of a property that the class has not.
import PersistentObjects

func mistake() throws { try Person.query.update { $0.agee = 3 } }
