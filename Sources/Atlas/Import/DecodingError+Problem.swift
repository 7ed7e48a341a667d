import Foundation

extension DecodingError {
    /// The path to the value that could not be decoded, outermost key first.
    var keys: [String] {
        context.codingPath.map { key in
            // Foundation names a position in a list "Index 0"; users count from one.
            guard let index = key.intValue, key.stringValue.hasPrefix("Index ") else { return key.stringValue }
            return String(index + 1)
        }
    }

    /// A short description of the problem in the text, without the path's outermost `depth` keys.
    func problem(in text: Data, below depth: Int = 0) -> String {
        let field = keys.dropFirst(depth).joined(separator: ".")
        return switch self {
        case .keyNotFound(let key, _):
            "\"\(key.stringValue)\" is missing"
        case .valueNotFound:
            field.isEmpty ? "expected an object, not null" : "\"\(field)\" is null"
        case .typeMismatch(let type, _):
            field.isEmpty ? "this is not a JSON object" : "\"\(field)\" is not \(Self.name(of: type))"
        case .dataCorrupted where field.isEmpty:
            JSONSyntax.problem(in: text)
        case .dataCorrupted(let context):
            "\"\(field)\": \(context.debugDescription)"
        @unknown default:
            localizedDescription
        }
    }

    private var context: Context {
        switch self {
        case .keyNotFound(_, let context), .valueNotFound(_, let context), .typeMismatch(_, let context),
            .dataCorrupted(let context):
            context
        @unknown default:
            Context(codingPath: [], debugDescription: localizedDescription)
        }
    }

    private static func name(of type: any Any.Type) -> String {
        switch type {
        case is Int.Type: "an integer"
        case is Double.Type: "a number"
        case is String.Type: "a string"
        case is [Any].Type, is [String].Type: "a list"
        default: "of the expected type (\(type))"
        }
    }
}
