// expect: has been renamed to 'hasPrefix(_:)'
// The beginning of a text is asked for with `hasPrefix`.
import PersistentObjects

func mistake() -> Query<Person> { Person.where { $0.lastName.starts(with: "S") } }
