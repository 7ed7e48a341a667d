// expect: use any instead: $0.orders.any
// Conditions on the objects of a collection are expressed with `any`, `all` and `none`.
import PersistentObjects

func mistake() -> Query<Company> { Company.where { $0.staff.contains { $0.age > 3 } } }
