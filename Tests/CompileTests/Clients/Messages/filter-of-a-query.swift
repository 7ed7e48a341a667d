// expect: use where instead
// Conditions are given to `where`, of a query too.
import PersistentObjects

func mistake() -> Query<Person> { Person.query.filter { $0.age > 3 } }
