// expect: use where instead
// Conditions are specified with `where`, also on a query.
import PersistentObjects

func mistake() -> Query<Person> { Person.query.filter { $0.age > 3 } }
