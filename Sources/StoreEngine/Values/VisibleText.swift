/// Foreign text for one line of a message: shortened, and with escapes for characters that would break or reorder the
/// line.
package enum VisibleText {
    package enum Kept {
        case head
        case tail
    }

    /// Counts scalars, because one character can consist of any number of scalars.
    package static func of(_ text: String, keeping kept: Kept = .head, _ limit: Int = 160) -> String {
        // Most text is short and printable ASCII, in which each byte is a scalar.
        if text.utf8.count <= limit, text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return text }
        let scalars = text.unicodeScalars
        let some = kept == .head ? scalars.prefix(limit) : scalars.suffix(limit)
        let escaped = some.map { $0.isSafeToShow ? String($0) : "\\u{\(String($0.value, radix: 16))}" }.joined()
        guard some.startIndex > scalars.startIndex || some.endIndex < scalars.endIndex else { return escaped }
        return kept == .head ? escaped + "…" : "…" + escaped
    }
}

extension VisibleText {
    /// A string in quotation marks, as Swift displays it; an apostrophe needs no backslash there.
    package static func quoted(_ text: String) -> String { text.debugDescription.replacing("\\'", with: "'") }
}

extension Unicode.Scalar {
    fileprivate var isSafeToShow: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: false
        // Joiners and tags are parts of emoji; other format characters reorder or hide text.
        case .format: value == 0x200C || value == 0x200D || (0xE0000...0xE007F).contains(value)
        default: true
        }
    }
}
