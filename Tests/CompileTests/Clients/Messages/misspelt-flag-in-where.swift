// expect: the class has no such property
// A misspelled property that is a condition by itself.
import PersistentObjects

func mistake() -> Query<Person> { Person.where { !$0.isActiv && $0.age > 3 } }
