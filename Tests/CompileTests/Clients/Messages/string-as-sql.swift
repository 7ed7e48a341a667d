// expect: cannot convert value of type 'String' to specified type 'SQL'
// Texts become SQL through `RawSQL` only, which is the door for SQL of users.
@testable import StoreEngine

func selection(of table: String) -> SQL {
    let sql: SQL = "SELECT * FROM " + table
    return sql
}
