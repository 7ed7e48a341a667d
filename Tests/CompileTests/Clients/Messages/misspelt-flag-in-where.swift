// expect: the class has no such property
// A misspelt property that stands alone in a condition.
import PersistentObjects

func mistake() -> Query<Person> { Person.where { !$0.isActiv && $0.age > 3 } }
