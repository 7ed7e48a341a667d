internal import PersistentObjects
internal import StoreEngine

/// Texts as the fields of a form hold them. A browser sends each line break as two characters, and replaces NUL.
enum FormText {
    /// The text that a browser sends for the text of a field, with single characters as line breaks.
    static func sent(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        var last: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\r": scalars.append("\n")
            case "\n" where last == "\r": break
            case "\0": scalars.append("\u{FFFD}")
            default: scalars.append(scalar)
            }
            last = scalar
        }
        return String(scalars)
    }

    /// A text that was sent, with the line breaks of the text that the field has shown.
    static func written(_ text: String, like shown: String) -> String {
        guard let end = lineBreaks(of: shown).first, end != "\n" else { return text }
        return String(text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: end))
    }

    /// The reason that a form cannot hold a value; nil if it can.
    static func refusal(of value: DatabaseValue, _ property: PropertyDescription) -> String? {
        switch value {
        case .blob(let bytes) where property.kind == .scalar && bytes.count > 1000:
            return "it has \(Bounds.grouped(bytes.count)) bytes"
        case .text(let size) where property.storesBytes: return "it has \(size)"
        case .text(let text):
            if text.unicodeScalars.count > Bounds.shownCharacters {
                return "it has more than \(Bounds.grouped(Bounds.shownCharacters)) characters"
            }
            if text.unicodeScalars.contains("\0") { return "it contains NUL, which a browser does not send" }
            return lineBreaks(of: text).count > 1 ? "it has several kinds of line breaks" : nil
        default: return nil
        }
    }

    private static func lineBreaks(of text: String) -> Set<String> {
        var found: Set<String> = []
        var last: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            if last == "\r" { found.insert(scalar == "\n" ? "\r\n" : "\r") }
            if scalar == "\n", last != "\r" { found.insert("\n") }
            last = scalar
        }
        if last == "\r" { found.insert("\r") }
        return found
    }
}
