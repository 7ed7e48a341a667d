// String literals and regular expressions.
extension SwiftTokens {
    /// Called at the opening quote of a string.
    mutating func openText(hashes: Int) {
        add(.literal, position..<position + 1)
        var isMultiline = isTripleQuote(position)
        // `#"""#` is a string with one quote.
        if isMultiline, hashes > 0, isClosedOnLine(from: position + 1, hashes: hashes) { isMultiline = false }
        position += isMultiline ? 3 : 1
        readText(Text(hashes: hashes, isMultiline: isMultiline))
    }

    /// Reads a string up to its end or its next interpolation.
    mutating func readText(_ text: Text) {
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                let isClosing = !text.isMultiline || isTripleQuote(position)
                position += text.isMultiline && isClosing ? 3 : 1
                if isClosing, hasHashes(text.hashes, at: position) {
                    position += text.hashes
                    return
                }
                // In `""""` the last three quotes close the string.
                if text.isMultiline, isClosing { position -= 2 }
            case UInt8(ascii: "\\") where hasHashes(text.hashes, at: position + 1):
                position += 1 + text.hashes
                if byte(position) == UInt8(ascii: "(") {
                    // The parenthesis is read and counted as code.
                    texts.append(text)
                    return
                }
                // The escaped character is skipped, except a line end that ends an unterminated string.
                if position < bytes.count, text.isMultiline || !SwiftTokens.isLineEnd(bytes[position]) { position += 1 }
            case let byte where SwiftTokens.isLineEnd(byte) && !text.isMultiline: return
            default: position += 1
            }
        }
    }

    private func isTripleQuote(_ place: Int) -> Bool {
        (0..<3).allSatisfy { byte(place + $0) == UInt8(ascii: "\"") }
    }

    private func hasHashes(_ count: Int, at place: Int) -> Bool {
        (0..<count).allSatisfy { byte(place + $0) == UInt8(ascii: "#") }
    }

    private func isClosedOnLine(from start: Int, hashes: Int) -> Bool {
        var place = start
        while place < bytes.count, !SwiftTokens.isLineEnd(bytes[place]) {
            if bytes[place] == UInt8(ascii: "\""), hasHashes(hashes, at: place + 1) { return true }
            place += 1
        }
        return false
    }

    // MARK: Regular expressions

    /// Called at the slash of `#/…/#`.
    mutating func readExtendedExpression(hashes: Int, from start: Int) {
        position += 1
        let isMultiline = SwiftTokens.isLineEnd(byte(position))
        while position < bytes.count {
            if bytes[position] == UInt8(ascii: "/"), hasHashes(hashes, at: position + 1) {
                position += 1 + hashes
                break
            }
            if !isMultiline, SwiftTokens.isLineEnd(bytes[position]) { break }
            position += bytes[position] == UInt8(ascii: "\\") && !SwiftTokens.isLineEnd(byte(position + 1)) ? 2 : 1
        }
        position = min(position, bytes.count)
        add(.literal, start..<position)
    }

    /// The end of a regular expression whose slash is at the position; nil if it is an operator.
    func endOfExpression() -> Int? {
        let first = byte(position + 1)
        guard !isAfterValue, first != UInt8(ascii: " "), first != 0x09 else { return nil }
        var place = position + 1
        var depth = 0
        var isInClass = false
        while place < bytes.count, !SwiftTokens.isLineEnd(bytes[place]) {
            switch bytes[place] {
            case UInt8(ascii: "/"): return place + 1
            case UInt8(ascii: "\\"): place += 1
            case UInt8(ascii: "["): isInClass = true
            case UInt8(ascii: "]"): isInClass = false
            case UInt8(ascii: "(") where !isInClass: depth += 1
            case UInt8(ascii: ")") where !isInClass:
                depth -= 1
                if depth < 0 { return nil }
            default: break
            }
            place += 1
        }
        return nil
    }

    /// Whether a slash here divides the preceding value.
    private var isAfterValue: Bool {
        guard let last = tokens.last else { return false }
        switch last.kind {
        case .literal, .quotedWord, .closeBrace: return true
        case .word:
            let words = [
                "return", "case", "in", "try", "await", "where", "if", "guard", "while", "switch", "throw", "is",
            ]
            return !words.contains(text(last))
        case .other: return [UInt8(ascii: ")"), UInt8(ascii: "]")].contains(bytes[last.range.lowerBound])
        case .dot, .openBrace: return false
        }
    }
}
