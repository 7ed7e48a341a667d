// expect: combine conditions in one closure
// Conditions are combined inside one closure.
import PersistentObjects

func mistake() -> Query<Person> { Person.where { $0.age > 3 }.or(Person.where { $0.age == nil }) }
