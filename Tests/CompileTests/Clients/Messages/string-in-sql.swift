// expect: missing argument label 'name:' in call
// What stands in SQL says what it is.
@testable import StoreEngine

func selection(from table: String) -> SQL { "SELECT * FROM \(table)" }
