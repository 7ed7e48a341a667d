// expect: use all instead: $0.orders.all
// Whether all objects are such is asked with `all`.
import PersistentObjects

func mistake() -> Query<Company> { Company.where { $0.staff.allSatisfy { $0.age > 3 } } }
