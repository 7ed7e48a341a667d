// expect: use any instead: $0.orders.any
// Objects of a collection are asked with `any`, `all` and `none`.
import PersistentObjects

func mistake() -> Query<Company> { Company.where { $0.staff.contains { $0.age > 3 } } }
