// expect: the class has no such property
// A property that the class behind a reference has not.
import PersistentObjects

func mistake() -> Query<Person> { Person.where { $0.employer.nme == "A" } }
