// expect: has been renamed to 'hasPrefix(_:)'
// A condition on the prefix of a string is expressed with `hasPrefix`.
import PersistentObjects

func mistake() -> Query<Person> { Person.where { $0.lastName.starts(with: "S") } }
