// expect: missing argument label 'name:' in call
// An interpolation in SQL must be labeled with its kind.
@testable import StoreEngine

func selection(from table: String) -> SQL { "SELECT * FROM \(table)" }
