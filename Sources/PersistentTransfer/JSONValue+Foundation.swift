internal import Foundation
internal import PersistentObjects

// JSON for Foundation.
extension JSONValue {
    /// The value for `JSONSerialization`.
    ///
    /// A number that neither `Int` nor a finite `Double` can represent is a string.
    var foundation: Any {
        switch self {
        case .null: return NSNull()
        case .bool(let value): return value
        case .number(let text):
            if let integer = Int(text) { return integer }
            guard let number = Double(text), number.isFinite else { return text }
            return number
        case .text(let text): return text
        case .list(let elements): return elements.map(\.foundation)
        case .object(let members):
            return Dictionary(members.map { ($0.name, $0.value.foundation) }, uniquingKeysWith: { first, _ in first })
        }
    }
}
