// expect: cannot convert value of type 'String' to expected argument type 'SQL'
// No text reaches an engine.
@testable import StoreEngine

func run(_ text: String, on connection: SQLiteConnection) throws { try connection.prepare(text).run() }
