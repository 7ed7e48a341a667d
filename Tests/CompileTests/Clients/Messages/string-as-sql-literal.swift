// expect: cannot convert value of type 'String' to expected argument type 'StaticString'
// Only a string literal can be an SQL literal.
@testable import StoreEngine

func statement(_ text: String) -> SQL { SQL(stringLiteral: text) }
