internal import Foundation
internal import StoreEngine

/// An exact value in an address or in a form.
enum PlaceText {
    static func text(_ value: DatabaseValue) -> String {
        switch value {
        case .null: "n"
        case .integer(let number): "i\(number)"
        case .real(let number): "r\(number)"
        case .text(let text): "t\(text)"
        case .blob(let bytes): "b" + Data(bytes).base64EncodedString()
        }
    }

    static func value(_ text: String) -> DatabaseValue? {
        let rest = String(text.dropFirst())
        switch text.first {
        case "i": return Int64(rest).map { .integer($0) }
        case "r": return Double(rest).map { .real($0) }
        case "t": return .text(rest)
        case "b": return Data(base64Encoded: rest).map { .blob(Array($0)) }
        default: return nil
        }
    }
}
