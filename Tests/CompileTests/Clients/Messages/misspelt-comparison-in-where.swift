// expect: the class has no such property
// A comparison with a property that the class has not.
import PersistentObjects

func mistake() -> Query<Person> { Person.where { $0.lastNme == "x" } }
