// expect: cannot convert value of type 'String' to expected argument type 'StaticString'
// Only the compiler makes literals.
@testable import StoreEngine

func statement(_ text: String) -> SQL { SQL(stringLiteral: text) }
