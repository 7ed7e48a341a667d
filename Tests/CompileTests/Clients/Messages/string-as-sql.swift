// expect: cannot convert value of type 'String' to specified type 'SQL'
// A string becomes SQL only through `RawSQL`, which is the entry point for raw SQL.
@testable import StoreEngine

func selection(of table: String) -> SQL {
    let sql: SQL = "SELECT * FROM " + table
    return sql
}
