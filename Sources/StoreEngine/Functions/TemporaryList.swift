internal import Foundation

/// Stands in for the list arguments that a branch under way brings.
package enum ListArgument {
    /// Values as JSON.
    package static func json(of values: [DatabaseValue]) -> (text: String, needsDecoding: Bool) {
        let parts = values.map { value -> String in
            switch value {
            case .integer(let n): String(n)
            case .text(let t): String(decoding: (try? JSONEncoder().encode(t)) ?? Data(), as: UTF8.self)
            case .real(let d): "\(d)"
            default: "null"
            }
        }
        return ("[" + parts.joined(separator: ",") + "]", false)
    }
}
