// expect: use contains instead:
// Case and accents are ignored by arguments of `contains`.
import PersistentObjects

func mistake() -> Query<Person> { Person.where { $0.lastName.localizedStandardContains("mu") } }
