// expect: reverse each order
// Each sort criterion has a direction; a query cannot be reversed as a whole.
import PersistentObjects

func mistake() -> Query<Person> { Person.query.order(by: \.age).reversed() }
