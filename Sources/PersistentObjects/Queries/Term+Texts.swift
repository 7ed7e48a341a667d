internal import StoreEngine

// Texts. They are compared scalar by scalar as they are stored: composed and decomposed letters differ.
extension Term where Value == String {
    /// Whether the text begins with another; false for nil.
    public func hasPrefix(_ prefix: String) -> Condition {
        // A range uses an index, a function call does not.
        guard let end = TextRange.end(ofPrefix: prefix) else {
            return prefix.isEmpty ? Condition(expression.applying(.isNotNil)) : self >= prefix
        }
        var result = expression
        result.append(.value(.text(prefix)))
        return Condition(result.applying(.hasPrefix, QueryExpression(value: end)))
    }

    /// Whether the text ends with another; false for nil.
    public func hasSuffix(_ suffix: String) -> Condition {
        guard !suffix.isEmpty else { return Condition(expression.applying(.isNotNil)) }
        var result = expression
        result.append(.value(.blob(Array(suffix.utf8))))
        return Condition(result.applying(.hasSuffix, QueryExpression(value: suffix.utf8.count)))
    }

    /// Whether the text has another in it; false for nil.
    public func contains(_ text: String) -> Condition { comparing(.contains, text) }

    /// Whether the text matches a pattern of `LIKE`, with `%` for any text, `_` for one character, and `\` before either
    /// to mean just that; small and capital letters differ. False for nil.
    public func like(_ pattern: String) -> Condition { comparing(.glob, TextPattern.glob(fromLike: pattern)) }

    /// Whether a regular expression is found in the text; false for nil.
    ///
    /// The syntax is that of `NSRegularExpression`. One that is wrong is a
    /// `StoreError` when the query is run.
    public func matches(_ pattern: String) -> Condition { comparing(.regexp, pattern) }

    /// The text in small letters, as Swift's `lowercased()` gives it.
    public func lowercased() -> Term { made(.lowercased) }

    /// The text in capital letters, as Swift's `uppercased()` gives it.
    public func uppercased() -> Term { made(.uppercased) }

    /// How many characters the text has; nil for nil.
    public var count: Term<Int, Int?> { made(.characterCount) }

    /// Whether the text is empty; false for nil.
    public var isEmpty: Condition { comparing(.equal, "") }

    /// The text with another behind it.
    public static func + (a: Term, b: String) -> Term { a.made(.concatenate, QueryExpression(value: b)) }

    /// The text with that of another property behind it; nil where one of them is.
    public static func + <A>(a: Term, b: Term<String, A>) -> Term<String, String?> {
        a.made(.concatenate, b.expression)
    }
}

enum TextRange {
    /// The first text behind all that begin with `prefix`; nil where there is none.
    static func end(ofPrefix prefix: String) -> String? {
        var scalars = Array(prefix.unicodeScalars)
        while let last = scalars.popLast() {
            // The scalars are in the order of their UTF-8 bytes; there are none from D800 to DFFF.
            let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
            guard let following = Unicode.Scalar(next) else { continue }
            scalars.append(following)
            var text = String.UnicodeScalarView()
            text.append(contentsOf: scalars)
            return String(text)
        }
        return nil
    }
}

enum TextPattern {
    /// The pattern of `GLOB`, which tells small letters from capitals and uses an index, for one of `LIKE` with `\`.
    static func glob(fromLike pattern: String) -> String {
        var glob = String.UnicodeScalarView()
        var isEscaped = false
        for scalar in pattern.unicodeScalars {
            switch scalar {
            case "\\" where !isEscaped:
                isEscaped = true
                continue
            case "%" where !isEscaped: glob.append("*")
            case "_" where !isEscaped: glob.append("?")
            case "*", "?", "[": glob.append(contentsOf: "[\(Character(scalar))]".unicodeScalars)
            default: glob.append(scalar)
            }
            isEscaped = false
        }
        if isEscaped { glob.append("\\") }
        return String(glob)
    }
}
