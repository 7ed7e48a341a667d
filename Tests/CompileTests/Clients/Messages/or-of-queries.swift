// expect: combine conditions in one closure
// Conditions are joined inside of one closure.
import PersistentObjects

func mistake() -> Query<Person> { Person.where { $0.age > 3 }.or(Person.where { $0.age == nil }) }
