// expect: the class has no such property
// A property that the class of a reference does not have.
import PersistentObjects

func mistake() -> Query<Person> { Person.where { $0.employer.nme == "A" } }
