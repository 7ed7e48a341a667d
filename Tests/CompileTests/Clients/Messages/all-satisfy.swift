// expect: use all instead: $0.orders.all
// The condition that all objects satisfy is expressed with `all`.
import PersistentObjects

func mistake() -> Query<Company> { Company.where { $0.staff.allSatisfy { $0.age > 3 } } }
