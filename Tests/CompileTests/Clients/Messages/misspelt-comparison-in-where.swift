// expect: the class has no such property
// A comparison with a property that the class does not have.
import PersistentObjects

func mistake() -> Query<Person> { Person.where { $0.lastNme == "x" } }
