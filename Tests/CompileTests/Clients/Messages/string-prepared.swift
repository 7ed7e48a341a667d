// expect: cannot convert value of type 'String' to expected argument type 'SQL'
// An engine accepts no plain string.
@testable import StoreEngine

func run(_ text: String, on connection: SQLiteConnection) throws { try connection.prepare(text).run() }
