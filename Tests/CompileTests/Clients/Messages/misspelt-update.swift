// expect: the class has no such property
// An update of a property that the class does not have.
import PersistentObjects

func mistake() throws { try Person.query.update { $0.agee = 3 } }
