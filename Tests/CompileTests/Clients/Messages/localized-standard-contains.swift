// expect: use contains instead:
// Arguments of `contains` specify whether case and accents are ignored.
import PersistentObjects

func mistake() -> Query<Person> { Person.where { $0.lastName.localizedStandardContains("mu") } }
