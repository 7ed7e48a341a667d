// expect: reverse each order
// An order has a direction, and is not turned round.
import PersistentObjects

func mistake() -> Query<Person> { Person.query.order(by: \.age).reversed() }
