internal import Foundation

/// The literal parts of a regular expression, which a string must contain to match it.
///
/// Only simple patterns are understood: literal characters, `.`, their quantifiers, and `^` and `$` at the ends. From
/// the first other character on, nothing is derived, and nothing at all from a pattern with an alternative.
package struct PatternLiterals {
    /// The prefix of every string that matches; empty if there is none.
    package private(set) var prefix = ""
    /// A string that every matching string contains; empty if there is none.
    private(set) var part = ""

    package init(_ pattern: String) {
        guard !pattern.unicodeScalars.contains("|") else { return }
        var rest = pattern.unicodeScalars[...]
        let isAnchored = rest.first == "^"
        if isAnchored { rest = rest.dropFirst() }
        var literals: [String] = []
        var literal = String.UnicodeScalarView()
        func endLiteral() {
            literals.append(String(literal))
            literal = String.UnicodeScalarView()
        }
        scan: for scalar in rest {
            switch scalar {
            case ".": endLiteral()
            case "*", "+", "?":
                // A quantifier applies to the last character only. After another quantifier the literal is empty.
                _ = literal.popLast()
                endLiteral()
            case "$": break scan
            case "\\", "^", "(", ")", "[", "]", "{", "}", "\0":
                _ = literal.popLast()
                break scan
            default: literal.append(scalar)
            }
        }
        endLiteral()
        if isAnchored { prefix = literals[0] }
        part = literals.max { $0.utf8.count < $1.utf8.count } ?? ""
    }

    /// Whether a valid pattern has a prefix, so that an index over the strings can be used.
    ///
    /// An invalid pattern is an error of `REGEXP`, which must be called to report it.
    package static func havePrefix(_ pattern: String) -> Bool {
        guard pattern.utf8.first == UInt8(ascii: "^"), !PatternLiterals(pattern).prefix.isEmpty else { return false }
        return (try? NSRegularExpression(pattern: pattern)) != nil
    }

    /// `po_pattern_bound(pattern, end)`: the first string with the pattern's prefix, or, if `end` is 1, the first string
    /// after all strings with it; a value after all strings if there is none.
    static let bound = EngineFunction(builtIn: "po_pattern_bound", argumentCount: 2) { call in
        guard let pattern = try call.arguments.text(0) else { return }
        let prefix = PatternLiterals(pattern).prefix
        guard try call.arguments.integer(1) == 1 else { return call.give(prefix) }
        guard let end = TextRange.end(ofPrefix: prefix) else { return try call.give(.blob([0xFF])) }
        call.give(end)
    }
}

/// A regular expression that consists of literal characters, `.*`, and `^` and `$` at the ends, which needs no engine
/// in most strings.
struct SimplePattern {
    /// The literals before, between and after each `.*`.
    private var literals: [[UInt8]] = [[]]
    private let isAnchored: Bool
    private var isAtEnd = false

    /// Nil if the pattern has anything else.
    init?(_ pattern: String) {
        var rest = pattern.unicodeScalars[...]
        isAnchored = rest.first == "^"
        if isAnchored { rest = rest.dropFirst() }
        while let scalar = rest.popFirst() {
            switch scalar {
            case ".":
                guard rest.popFirst() == "*" else { return nil }
                literals.append([])
            case "$":
                guard rest.isEmpty else { return nil }
                isAtEnd = true
            case "\\", "^", "(", ")", "[", "]", "{", "}", "|", "*", "+", "?": return nil
            default:
                guard scalar.value >= 0x20 else { return nil }
                literals[literals.count - 1] += Array(String(scalar).utf8)
            }
        }
    }

    /// Whether a text matches; it must not contain a line terminator, which `.` and `$` treat specially.
    func matches(_ text: UnsafeRawBufferPointer) -> Bool {
        let (first, last) = (literals[0], literals[literals.count - 1])
        var place = 0
        if isAnchored {
            guard ByteSearch.isHere(first, in: text, at: 0) else { return false }
            place = first.count
        }
        if literals.count == 1 {
            guard isAtEnd else { return isAnchored || ByteSearch.contains(text, first) }
            return isAnchored ? place == text.count : Self.isEnd(first, of: text, after: 0)
        }
        // The first occurrence of each literal leaves the most for those after it.
        for literal in literals[(isAnchored ? 1 : 0)..<(literals.count - 1)] {
            guard let end = ByteSearch.end(of: literal, in: text, from: place) else { return false }
            place = end
        }
        return isAtEnd
            ? Self.isEnd(last, of: text, after: place) : ByteSearch.end(of: last, in: text, from: place) != nil
    }

    private static func isEnd(_ literal: [UInt8], of text: UnsafeRawBufferPointer, after place: Int) -> Bool {
        let start = text.count - literal.count
        return start >= place && ByteSearch.isHere(literal, in: text, at: start)
    }
}
