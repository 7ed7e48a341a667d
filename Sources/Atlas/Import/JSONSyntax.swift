import Foundation

/// Determines why a text is not JSON. On Linux, the decoder reports only that it is not.
enum JSONSyntax {
    /// The parser's problem, and its position, for a text that the decoder called corrupt.
    static func problem(in text: Data) -> String {
        do {
            _ = try JSONSerialization.jsonObject(with: text, options: .fragmentsAllowed)
            // The decoder also calls a number that its field cannot represent corrupt.
            return "it contains a number that is too large or not an integer"
        } catch {
            let details = (error as NSError).userInfo[NSDebugDescriptionErrorKey] as? String
            guard let details else { return "this is not valid JSON" }
            return "this is not valid JSON: \(withLine(details, in: text))"
        }
    }

    /// Describes a position far into a text by its line rather than by counting characters from the start.
    private static func withLine(_ details: String, in text: Data) -> String {
        let sentence = details.hasSuffix(".") ? String(details.dropLast()) : details
        guard let match = sentence.firstMatch(of: #/around character (\d+)/#), let offset = Int(match.1) else {
            return sentence
        }
        let newlines = text.prefix(offset).count { $0 == UInt8(ascii: "\n") }
        return newlines == 0 ? sentence : sentence.replacing(match.0, with: "around line \(newlines + 1)")
    }
}
